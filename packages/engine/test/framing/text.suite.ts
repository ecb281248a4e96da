import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { adaptEdit } from '../../src/editing/framed-edit.ts';
import type { Span } from '../../src/facts.ts';
import { analysePictures } from '../../src/framing/analyse-pictures.ts';
import { createFaceFinder } from '../../src/framing/faces/face-finder.ts';
import { findShot } from '../../src/framing/layout.ts';
import { createSaliencyFinder } from '../../src/framing/saliency.ts';
import { isReading } from '../../src/framing/text/found-lines.ts';
import { loadTextNetwork } from '../../src/framing/text/text-network.ts';
import { createTextFinder } from '../../src/framing/text/text-finder.ts';
import { render } from '../../src/render/render.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { nosesIn } from '../support/nose.ts';
import { peopleVideo } from '../support/people-footage.ts';
import { bullets, code, slideVideo, type SlideLine } from '../support/slide-footage.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
  const busy = 'mandelbrot=s=1280x720:start_scale=0.3,format=rgb24';
  await ffmpeg(['-f', 'lavfi', '-i', busy, '-frames:v', '1', at('busy.png')]);
});
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);
const signal = () => new AbortController().signal;

const size = { width: 640, height: 360 };
const network = await loadTextNetwork();

/** The first picture of an input, after filters. */
async function readPicture(input: readonly string[], filters = ''): Promise<Uint8Array> {
  const scaled = `${filters}scale=${size.width}:${size.height}:flags=area`;
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgba', 'pipe:1'];
  return new Uint8Array(await ffmpeg([...input, '-frames:v', '1', '-vf', scaled, ...raw]));
}

/** Whether text is seen in the first picture of an input, after filters. */
const showsText = async (input: readonly string[], filters = ''): Promise<boolean> =>
  isReading(await network(await readPicture(input, filters), size));

const card: SlideLine[] = [{ x: 60, y: 360, size: 200, text: 'Chapter One' }];
const title: SlideLine[] = [{ x: 200, y: 360, size: 130, text: 'Why cats purr' }];
const analyses = [
  { name: 'bullets', lines: bullets, ground: 'ffffff', letters: '222222' },
  { name: 'light on dark', lines: bullets, ground: '14213d', letters: 'ffffff' },
  { name: 'little contrast', lines: bullets, ground: 'e5e7eb', letters: '6b7280' },
  { name: 'code', lines: code, ground: '1e1e1e', letters: 'd4d4d4' },
  { name: 'a title card', lines: card, ground: '000000', letters: 'ffffff' },
  { name: 'a title in large letters', lines: title, ground: '0f172a', letters: 'f5f5f5' },
];
for (const { name, ...analysis } of analyses) {
  test(`text is seen: ${name}`, async () => {
    const video = await slideVideo(at('slide.mp4'), { ...analysis, seconds: 0.08 });
    assert.ok(await showsText(['-i', video]));
  });
}

const busy = ['mandelbrot=s=640x360', 'cellauto=s=640x360:rule=110', 'smptebars=s=640x360'];
for (const filter of busy) {
  test(`text is not seen in ${filter.replace(/=.*/, '')}`, async () => {
    assert.ok(!(await showsText(['-f', 'lavfi', '-i', filter])));
  });
}

/** Whether text is seen in letters on a picture without quiet places. */
const lettersShow = (options: string) =>
  showsText(['-i', at('busy.png')], `drawtext=font=DejaVu Sans:${options},`);

test('text is seen: large letters on a busy picture', async () => {
  const words = 'text=Why cats purr:fontsize=110:fontcolor=white:x=200:y=300';
  assert.ok(await lettersShow(words));
});

for (const [name, options] of [
  ['a faint watermark', 'text=sample:fontsize=34:fontcolor=white@0.25:x=1080:y=660'],
  ['a logo', 'text=TV5:fontsize=40:fontcolor=white:x=40:y=40'],
] as const) {
  test(`${name} is no text to read`, async () => {
    assert.ok(!(await lettersShow(options)));
  });
}

test('letters that come and go in a shot are noticed within half a second', async () => {
  const input = ['-i', at('busy.png')];
  const words =
    'drawtext=font=DejaVu Sans:text=Why do cats purr:fontsize=50:fontcolor=white:x=440:y=600,';
  const [plain, lettered] = [await readPicture(input), await readPicture(input, words)];
  const finder = createTextFinder({ size, shape: 1, signal: signal() });
  const found: boolean[] = [];
  for (const picture of [plain, lettered, lettered, lettered, plain, plain]) {
    found.push((await finder.find(picture)).length > 0);
  }
  await finder.close();
  assert.deepEqual(found, [false, false, true, true, false, false]);
});

const source = { width: 1280, height: 720 };
const edit = plainEdit({
  source: { ...source, frameRate: 25, hasAudio: false },
  ranges: [{ start: 0, end: 1.2 }],
  dimensions: { width: 360, height: 640 },
  framing: { mode: 'crop', x: 438, y: 0, width: 405, height: 720 },
  needsAnalysis: true,
});
const lookAt = (video: string, span: Span) =>
  analysePictures(video, {
    ...{ span, source, frameRate: 25, shape: 9 / 16, signal: signal() },
    ...{ finders: [createFaceFinder, createTextFinder], otherwise: createSaliencyFinder },
  });

test('a slide is shown whole', async () => {
  const video = await slideVideo(at('whole.mp4'), { ...analyses[0]!, seconds: 0.6 });
  const ranges = [{ start: 0, end: 0.6 }];
  const whole = { ...edit, ranges, duration: 0.6 };
  assert.deepEqual(adaptEdit(whole, await lookAt(video, ranges[0]!)).framing, { mode: 'fit' });
});

test('a slide with a webcam: all of the slide, and the speaker below it, where there is room', async () => {
  const person = await peopleVideo(at('person.mp4'), {
    width: 320,
    height: 180,
    seconds: 1.4,
    at: (second) => ({
      scene: 1,
      people: [{ x: 160 + 4 * Math.sin(9 * second), y: 80, height: 90 }],
    }),
  });
  const inset = { video: person, x: 928, y: 508, width: 320, height: 180 };
  const video = await slideVideo(at('webcam.mp4'), {
    ...analyses[0]!,
    seconds: 1.4,
    insets: [inset],
  });
  const analysis = await lookAt(video, edit.ranges[0]!);
  const seen = adaptEdit(edit, analysis);
  assert.ok(seen.framing.mode === 'shots' && seen.framing.shots.length === 1);
  const [shot] = seen.framing.shots;
  assert.ok(shot?.mode === 'screen');
  const { width, height, keys } = shot.speaker;
  const { x, y } = keys[0]!;
  assert.ok(
    keys.every((key) => key.x === x && key.y === y),
    'it stands still',
  );
  assert.ok(x >= inset.x && x + width <= inset.x + inset.width, `${x} ${width}`);
  assert.ok(y >= inset.y && y + height <= inset.y + inset.height, `${y} ${height}`);
  assert.deepEqual(findShot(seen.framing, 5), {
    from: 0,
    to: 1,
    mode: 'screen',
    speaker: { width, height, keys: [{ frame: 0, x, y }] },
  });

  // The nose is marked: it is in the lower part, and small again in the slide above.
  const output = at('webcam-out.mp4');
  await render(seen, { source: video, output, quality: 'export', signal: signal() });
  const noses = await nosesIn(output, edit.dimensions);
  assert.equal(noses.length, 30);
  for (const nose of noses) assert.ok(nose && nose.y > 203 && Math.abs(nose.x - 180) < 40);

  const square = {
    dimensions: { width: 360, height: 360 },
    framing: { mode: 'crop', x: 280, y: 0, width: 720, height: 720 } as const,
  };
  assert.deepEqual(adaptEdit({ ...edit, ...square }, analysis).framing, { mode: 'fit' });
});
