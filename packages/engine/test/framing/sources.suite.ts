/** Sources of every kind, also those whose pictures need something before they are shown. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { makeFinders, analyseAndFrame } from '../../src/editing/analyse-framing.ts';
import { renderPoster } from '../../src/render/poster.ts';
import { render } from '../../src/render/render.ts';
import { analyse } from '../../src/scan/analyse.ts';
import { makeMediaInfo, probe } from '../../src/source/probe.ts';
import { describeFile, ffmpeg, temporaryDirectory, turnedCopy } from 'clip-testkit/media-footage';
import { nosesIn } from '../support/nose.ts';
import { peopleVideo } from '../support/people-footage.ts';
import { editingWith, plainEdit } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const signal = () => new AbortController().signal;
const seconds = 1;
const upright = { width: 180, height: 320 };

before(async () => {
  await peopleVideo(at('plain.mp4'), {
    width: 480,
    height: 270,
    seconds,
    sound: true,
    at: (second) => ({ scene: 0, people: [{ x: 130 + 60 * second, y: 110, height: 80 }] }),
  });
});
after(() => directory.remove());

/** Analyses a source, and renders all of it in a size. */
async function made(name: string, dimensions = upright) {
  const path = at(name);
  const media = makeMediaInfo(await probe(path, signal()), seconds)!;
  const analysis = await analyse({ path, transcriptPath: null, media }, { signal: signal() });
  const guess = makeWholeEdit(analysis, { editing: editingWith('reframe'), dimensions, title: '' });
  const edit = await analyseAndFrame(guess, path, {
    finders: makeFinders({ faces: false }),
    signal: signal(),
    onFailed: (error) => assert.fail(String(error)),
  });
  const output = at(`${name}.out.mp4`);
  await render(edit, { source: path, output, quality: 'export', signal: signal() });
  const poster = at(`${name}.jpg`);
  await renderPoster(edit, { source: path, output: poster, signal: signal() });
  return { media: analysis.media, edit, output, poster };
}

/** Mean red, green and blue of a part of the first picture. */
async function meanColour(path: string, crop: string): Promise<number[]> {
  const filter = `scale=in_color_matrix=${path.endsWith('.jpg') ? 'bt601' : 'bt709'},format=rgb24,crop=${crop},scale=1:1:flags=area`;
  const args = ['-i', path, '-frames:v', '1', '-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'rgb24'];
  return [...(await ffmpeg([...args, 'pipe:1']))];
}
const near = (seen: readonly number[], wanted: readonly number[], most: number) =>
  assert.ok(
    wanted.every((value, at) => Math.abs(value - seen[at]!) <= most),
    `${seen.join()} instead of ${wanted.join()}`,
  );
/** Whether the nose is in 95 % of the frames, and how many there are. */
async function keepsTheNose(path: string): Promise<number> {
  const noses = await nosesIn(path, upright);
  const kept = noses.filter((nose) => nose !== null).length;
  assert.ok(kept >= 0.95 * noses.length, `${kept} of ${noses.length}`);
  return noses.length;
}
/** The wall of the drawn video, at the upper edge of a picture. */
const wall = [96, 118, 104];
const upperEdge = 'iw:ih/40:0:0';

test('black bars are no part of a clip', async () => {
  const padded = 'crop=480:202:0:10,pad=480:270:0:34:black';
  await ffmpeg(['-i', at('plain.mp4'), '-vf', padded, '-c:a', 'copy', at('bars.mp4')]);
  const { media, edit, output, poster } = await made('bars.mp4');
  assert.equal(media.width, 480);
  assert.ok(Math.abs(media.height - 202) <= 2, String(media.height));
  assert.ok(edit.framing.mode !== 'fit');
  near(await meanColour(output, upperEdge), wall, 8);
  near(await meanColour(poster, upperEdge), wall, 10);
  await keepsTheNose(output);
});

const transfers = [
  { name: 'pq', transfer: 'smpte2084' },
  { name: 'hlg', transfer: 'arib-std-b67' },
] as const;

for (const { name, transfer } of transfers) {
  test(`high dynamic range (${name}) has the colours of standard range, in clip and poster`, async () => {
    const filter = [
      'format=yuv444p',
      'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv',
      'zscale=t=linear:npl=203',
      'format=gbrpf32le',
      `zscale=t=${transfer}:p=bt2020:m=bt2020nc:r=tv:npl=203`,
      'format=yuv420p10le',
    ].join(',');
    const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10'];
    const tags = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'];
    const file = `${name}.mp4`;
    await ffmpeg(['-i', at('plain.mp4'), '-vf', filter, ...coded, ...tags, at(file)]);
    const { media, output, poster } = await made(file);
    assert.equal(media.transfer, name);
    near(await meanColour(output, upperEdge), wall, 8);
    near(await meanColour(poster, upperEdge), wall, 10);
    await keepsTheNose(output);
  });
}

/** How much neighbouring rows differ, compared to rows two apart: high in interlaced pictures. */
async function combing(path: string): Promise<number> {
  const raw = await ffmpeg(['-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']);
  const { width, height } = upright;
  let [next, second] = [0, 0];
  const picture = raw.subarray(10 * width * height, 11 * width * height);
  for (let y = 0; y < height - 2; y++) {
    for (let x = 0; x < width; x++) {
      const value = picture[y * width + x]!;
      next += Math.abs(value - picture[(y + 1) * width + x]!);
      second += Math.abs(value - picture[(y + 2) * width + x]!);
    }
  }
  return next / second;
}

const fields = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-flags', '+ilme+ildct'];

test('an interlaced source has no combs in the clip; a progressive one in its frames stays', async () => {
  // Stripes that move fast, 50 pictures a second: two of them become the fields of one.
  const moving =
    "color=c=gray:s=480x272:r=50:d=1,format=gray,geq=lum='128+100*sin((X+N*9)/9)',format=yuv420p";
  const source = ['-f', 'lavfi', '-i', moving];
  await ffmpeg([
    ...source,
    '-vf',
    'tinterlace=interleave_top',
    ...fields,
    '-x264opts',
    'tff=1',
    at('fields.mp4'),
  ]);
  const interlaced = await made('fields.mp4');
  assert.equal(interlaced.media.firstField, 'top');
  assert.ok((await combing(interlaced.output)) < 0.8, String(await combing(interlaced.output)));
  const progressive = ['-i', at('plain.mp4'), '-vf', 'pad=480:272', '-g', '5'];
  await ffmpeg([...progressive, ...fields, '-x264opts', 'tff=1', at('frames.mp4')]);
  assert.equal((await made('frames.mp4')).media.firstField, undefined);
});

test('the sound track that a player would choose is in the clip', async () => {
  await ffmpeg([
    ...['-i', at('plain.mp4'), '-f', 'lavfi', '-i', `sine=f=2000:r=48000:d=${seconds}`],
    ...['-map', '0:a', '-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac'],
    ...['-disposition:a:0', '0', '-disposition:a:1', 'default', at('tracks.mkv')],
  ]);
  const { media, output } = await made('tracks.mkv');
  assert.deepEqual([media.videoStream, media.audioStream], [1, 2]);
  const samples = await ffmpeg(['-i', output, '-ac', '1', '-ar', '8000', '-f', 's16le', 'pipe:1']);
  let crossings = 0;
  for (let sample = 1; sample < samples.length / 2; sample++) {
    const [last, now] = [samples.readInt16LE(2 * sample - 2), samples.readInt16LE(2 * sample)];
    if (last < 0 !== now < 0) crossings += 1;
  }
  const hertz = crossings / 2 / (samples.length / 2 / 8000);
  assert.ok(hertz > 1500, `${hertz} Hz`);
});

/** The plain video, converted to another kind of source. */
interface Kind {
  name: string;
  file: string;
  args: string[];
  /** Whether the header of the converted video turns it. */
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

for (const { name, file, args, turned, size = [480, 270] } of kinds) {
  test(`a source ${name} is framed, and rendered with sound and picture of one length`, async () => {
    const first = turned ? at(`lying-${file}`) : at(file);
    await ffmpeg(['-i', at('plain.mp4'), ...args, first]);
    if (turned) await turnedCopy(first, at(file));
    const { media, edit, output } = await made(file);
    assert.deepEqual([media.width, media.height], size);
    assert.notDeepEqual(edit.framing, { mode: 'fit' });
    const { streams } = await describeFile(output);
    const video = streams.find((stream) => stream.codec_type === 'video')!;
    const sound = streams.find((stream) => stream.codec_type === 'audio')!;
    assert.deepEqual([video.width, video.height, video.pix_fmt], [180, 320, 'yuv420p']);
    const apart = Math.abs(Number(video.duration) - Number(sound.duration));
    assert.ok(apart <= 1 / edit.frameRate, `${video.duration} and ${sound.duration}`);
    assert.equal(await keepsTheNose(output), Math.round(edit.duration * edit.frameRate));
  });
}

test('an upright source becomes a wide clip with the face in it, and a square one', async () => {
  await peopleVideo(at('tall.mp4'), {
    width: 270,
    height: 480,
    seconds,
    at: () => ({ scene: 1, people: [{ x: 140, y: 110, height: 80 }] }),
  });
  for (const dimensions of [
    { width: 320, height: 180 },
    { width: 240, height: 240 },
  ]) {
    const { output } = await made('tall.mp4', dimensions);
    const noses = await nosesIn(output, dimensions);
    assert.ok(noses.every((nose) => nose !== null));
  }
});

test('shots of every kind follow each other: no frame is lost, and each shows what it should', async () => {
  const video = await peopleVideo(at('shots.mp4'), {
    width: 480,
    height: 270,
    seconds: 4,
    at: (second) => ({
      scene: Math.floor(second),
      people: [{ x: second < 1 ? 120 : 360, y: 110, height: 70 }],
    }),
  });
  const window = (x: number, y: number, width: number, height: number) => ({
    width,
    height,
    keys: [{ frame: 0, x, y }],
  });
  const framed = plainEdit({
    source: { width: 480, height: 270, frameRate: 25, hasAudio: false },
    ranges: [{ start: 0, end: 4 }],
    dimensions: upright,
    framing: {
      mode: 'shots',
      shots: [
        { from: 0, to: 25, mode: 'crop', window: window(44, 0, 151, 270) },
        { from: 25, to: 50, mode: 'fit' },
        {
          from: 50,
          to: 75,
          mode: 'stack',
          windows: [window(0, 0, 200, 178), window(280, 20, 200, 178)],
        },
        { from: 75, to: 100, mode: 'crop', window: window(300, 0, 151, 270) },
      ],
    },
  });
  const output = at('shots-out.mp4');
  await render(framed, { source: video, output, quality: 'export', signal: signal() });
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

  await renderPoster(framed, { source: video, output: at('poster.jpg'), signal: signal() });
  const [nose] = await nosesIn(at('poster.jpg'), upright, 'bt601');
  // A third into the clip: the second shot.
  assert.ok(nose && Math.abs(nose.x - 360 * fitted) < 8);
});
