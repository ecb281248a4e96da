import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { analyse } from '../../src/scan/analyse.ts';
import { lookAtClip } from '../../src/framing/clip-look.ts';
import { framedEdit } from '../../src/editing/seen-edit.ts';
import { saliencyFinder } from '../../src/framing/saliency.ts';
import { editWhole } from '../../src/editing/make-edit.ts';
import { outputRate } from '../../src/source/frame-rate.ts';
import { mediaInfoOf, probe } from '../../src/source/probe.ts';
import { renderPoster } from '../../src/render/poster.ts';
import { render } from '../../src/render/render.ts';
import { describeFile, ffmpeg, temporaryDirectory, turnedCopy } from '../support/media-footage.ts';
import { nosesIn } from '../support/nose.ts';
import { peopleFilm } from '../support/people-footage.ts';
import { editingWith } from '../support/plain-edit.ts';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const signal = () => new AbortController().signal;
const seconds = 1;
const upright = { width: 180, height: 320 };
const wide = { width: 320, height: 180 };

before(async () => {
  await peopleFilm(at('plain.mp4'), {
    width: 480,
    height: 270,
    seconds,
    sound: true,
    at: (second) => ({ scene: 0, people: [{ x: 110 + 40 * second, y: 110, height: 80 }] }),
  });
});

after(() => directory.remove());

/** The plain film, converted to another kind of source. */
interface Kind {
  name: string;
  file: string;
  args: string[];
  /** Whether the header of the converted film turns it. */
  turned?: boolean;
  /** Size as shown. */
  size?: [number, number];
}

const kinds: readonly Kind[] = [
  { name: 'plain', file: 'a.mp4', args: ['-c', 'copy'] },
  {
    name: 'turned by its header',
    file: 'b.mp4',
    // Stored rotated, but shown upright.
    args: ['-vf', 'transpose=clock', '-c:v', 'mpeg4', '-q:v', '2'],
    turned: true,
  },
  {
    name: 'of a variable rate',
    file: 'c.mkv',
    args: [
      '-vf',
      "select='not(mod(n,3))+gt(n,15)'",
      '-fps_mode',
      'vfr',
      '-c:v',
      'mpeg4',
      '-q:v',
      '2',
    ],
  },
  {
    name: 'of 10 bits',
    file: 'd.mkv',
    args: ['-c:v', 'libx264', '-pix_fmt', 'yuv420p10le'],
  },
  {
    name: 'of 4:4:4 colours',
    file: 'e.mkv',
    args: ['-c:v', 'libx264', '-pix_fmt', 'yuv444p'],
  },
  {
    name: 'of odd sides',
    file: 'f.mkv',
    args: ['-vf', 'scale=401:225', '-c:v', 'libx264', '-pix_fmt', 'yuv444p'],
    size: [401, 225],
  },
  {
    name: 'of pixels that are not square',
    file: 'g.mp4',
    args: ['-vf', 'scale=360:270,setsar=4/3', '-c:v', 'mpeg4', '-q:v', '2'],
    size: [480, 270],
  },
  { name: 'with mono sound', file: 'h.mp4', args: ['-c:v', 'copy', '-ac', '1'] },
  {
    name: 'with a silent track',
    file: 'i.mp4',
    args: ['-c:v', 'copy', '-af', 'volume=0'],
  },
  {
    name: 'of Windows Media',
    file: 'k.wmv',
    args: ['-c:v', 'wmv2', '-q:v', '2', '-c:a', 'wmav2'],
  },
  {
    name: 'with sound as in television',
    file: 'l.ts',
    args: ['-c:v', 'libx264', '-c:a', 'aac', '-mpegts_flags', 'latm'],
  },
  { name: 'without sound', file: 'j.mp4', args: ['-c:v', 'copy', '-an'] },
];

async function editFor(path: string, dimensions: { width: number; height: number }) {
  const media = mediaInfoOf(await probe(path, signal()), seconds)!;
  const source = { path, transcriptPath: null, media, sha256: '', bytes: 0 };
  const editing = editingWith('reframe');
  const analysis = await analyse(source, { signal: signal() });
  const edit = editWhole(analysis, { editing, dimensions, title: '' });
  assert.equal(edit.unseen, true);
  const look = await lookAtClip(path, {
    span: { start: 0, end: seconds },
    source: media,
    frameRate: outputRate(media.frameRate),
    shape: dimensions.width / dimensions.height,
    finders: [saliencyFinder],
    signal: signal(),
  });
  return { media, edit: framedEdit(edit, look) };
}

for (const { name, file, args, turned, size = [480, 270] } of kinds) {
  test(`a source ${name} is framed, and rendered with sound and picture of one length`, async () => {
    const first = turned ? at(`lying-${file}`) : at(file);
    await ffmpeg(['-i', at('plain.mp4'), ...args, first]);
    if (turned) await turnedCopy(first, at(file));
    const { media, edit } = await editFor(at(file), upright);
    assert.deepEqual([media.width, media.height], size);
    assert.notDeepEqual(edit.framing, { mode: 'fit' });
    const output = at(`${file}.out.mp4`);
    await render(edit, { source: at(file), output, quality: 'export', signal: signal() });
    const { streams } = await describeFile(output);
    const video = streams.find((stream) => stream.codec_type === 'video')!;
    const sound = streams.find((stream) => stream.codec_type === 'audio')!;
    assert.deepEqual([video.width, video.height, video.pix_fmt], [180, 320, 'yuv420p']);
    const apart = Math.abs(Number(video.duration) - Number(sound.duration));
    assert.ok(apart <= 1 / edit.frameRate, `${video.duration} and ${sound.duration}`);
    const noses = await nosesIn(output, upright);
    assert.equal(noses.length, Math.round(edit.duration * edit.frameRate));
    const kept = noses.filter((nose) => nose !== null);
    assert.ok(kept.length >= 0.95 * noses.length, `${kept.length} of ${noses.length}`);
  });
}

test('an upright source becomes a wide clip with the face in it, and a square one', async () => {
  const tall = await peopleFilm(at('tall.mp4'), {
    width: 270,
    height: 480,
    seconds,
    at: () => ({ scene: 1, people: [{ x: 140, y: 110, height: 80 }] }),
  });
  for (const dimensions of [wide, { width: 240, height: 240 }]) {
    const { edit } = await editFor(tall, dimensions);
    const output = at(`tall-${dimensions.height}.mp4`);
    await render(edit, { source: tall, output, quality: 'export', signal: signal() });
    const noses = await nosesIn(output, dimensions);
    assert.ok(noses.every((nose) => nose !== null));
  }
});

test('shots of every kind follow each other: no frame is lost, and each shows what it should', async () => {
  const film = await peopleFilm(at('shots.mp4'), {
    width: 480,
    height: 270,
    seconds: 4,
    at: (second) => ({
      scene: Math.floor(second),
      people: [{ x: second < 1 ? 120 : 360, y: 110, height: 70 }],
    }),
  });
  const { edit } = await editFor(film, upright);
  const window = (x: number, y: number, width: number, height: number) => ({
    width,
    height,
    keys: [{ frame: 0, x, y }],
  });
  const framed = {
    ...edit,
    ranges: [{ start: 0, end: 4 }],
    duration: 4,
    framing: {
      mode: 'shots' as const,
      shots: [
        { from: 0, to: 25, mode: 'crop' as const, window: window(44, 0, 151, 270) },
        { from: 25, to: 50, mode: 'fit' as const },
        {
          from: 50,
          to: 75,
          mode: 'stack' as const,
          windows: [window(0, 0, 200, 178), window(280, 20, 200, 178)] as [
            ReturnType<typeof window>,
            ReturnType<typeof window>,
          ],
        },
        { from: 75, to: 100, mode: 'crop' as const, window: window(300, 0, 151, 270) },
      ],
    },
  };
  const output = at('shots-out.mp4');
  await render(framed, { source: film, output, quality: 'export', signal: signal() });
  const noses = await nosesIn(output, upright);
  assert.equal(noses.length, 100);
  const near = (frame: number, x: number, y: number) => {
    const nose = noses[frame];
    assert.ok(nose && Math.hypot(nose.x - x, nose.y - y) < 8, `${frame}: ${JSON.stringify(nose)}`);
  };
  // The nose is a tenth of the face's height below its middle: at y 117 of 270.
  const cropped = 320 / 270;
  for (const frame of [0, 12, 24]) near(frame, (120 - 44) * cropped, 117 * cropped);
  const fitted = 180 / 480;
  for (const frame of [25, 49]) near(frame, 360 * fitted, 160 - 135 * fitted + 117 * fitted);
  for (const frame of [50, 74]) near(frame, (360 - 280) * 0.9, 160 + (117 - 20) * 0.9);
  for (const frame of [75, 99]) near(frame, (360 - 300) * cropped, 117 * cropped);

  await renderPoster(framed, { source: film, output: at('poster.jpg'), signal: signal() });
  const [nose] = await nosesIn(at('poster.jpg'), upright, 'bt601');
  // A third into the clip: the second shot.
  assert.ok(nose && Math.abs(nose.x - 360 * fitted) < 8);
});
