import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  analyseFraming,
  makeFinders,
  frameOpening,
  listPictureNotes,
} from '../../src/editing/analyse-framing.ts';
import { makeWholeInputs } from '../../src/editing/make-inputs.ts';
import { makeEdit } from '../../src/editing/make-edit.ts';
import { isAnalysisComplete, type FramingAnalysis } from '../../src/editing/framed-edit.ts';
import type { Edit } from '../../src/edit.ts';
import { createFaceFinder } from '../../src/framing/faces/face-finder.ts';
import { renderFirstPosters } from '../../src/render/poster.ts';
import { quietAnalysis } from 'clip-testkit/media-analysis';
import { ffmpeg, packetPlaces, temporaryDirectory } from 'clip-testkit/media-footage';
import { editingWith, plainEdit } from 'clip-testkit/plain-edit';
import { realFootage, withFootage } from '../support/real-footage.ts';
import { bullets, slideVideo } from '../support/slide-footage.ts';
import { longRun } from 'clip-testkit/long-run';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let video: string;
/** Where new shots begin. */
const cuts = [1.6, 3.2, 4.8];
before(async () => {
  directory = await temporaryDirectory();
  video = join(directory.path, 'video.mp4');
  const shots = ['testsrc2', 'smptebars', 'mandelbrot', 'rgbtestsrc'];
  // prettier-ignore
  await ffmpeg([
    ...shots.flatMap((name) => ['-f', 'lavfi', '-t', '1.6', '-i', `${name}=s=320x180:r=25`]),
    '-filter_complex', `${shots.map((_, index) => `[${index}:v]format=yuv420p,setsar=1[v${index}];`).join('')}${shots.map((_, index) => `[v${index}]`).join('')}concat=n=4:v=1[v]`,
    '-map', '[v]', '-c:v', 'libx264', '-preset', 'ultrafast', video,
  ]);
});
after(() => directory.remove());

const media = { ...quietAnalysis(6.4).media, width: 320, height: 180 };
const inputs = makeWholeInputs(quietAnalysis(6.4, { media }), {
  editing: editingWith('captions', 'reframe'),
  dimensions: { width: 100, height: 178 },
  title: '',
});

async function look(
  start: number,
  end: number,
  known: FramingAnalysis | null = null,
): Promise<FramingAnalysis> {
  const edit = makeEdit(inputs, { start, end });
  return analyseFraming(edit, video, {
    finders: makeFinders({ faces: false }),
    signal: new AbortController().signal,
    onFailed: (error) => assert.fail(String(error)),
    known,
  });
}

/** In source seconds. */
const cutsOf = ({ cuts, span }: FramingAnalysis) =>
  cuts.map((time) => Math.round((time + span.start) * 25) / 25);

test('a look that is carried on knows the cuts of the whole, also one where it was joined', async () => {
  const whole = await look(0.6, 6);
  assert.deepEqual(cutsOf(whole), cuts);
  const joined = [
    [1.6, 4.8],
    [2.4, 3.2],
  ] as const;
  for (const [from, to] of longRun ? joined : joined.slice(0, 1)) {
    const first = await look(from, to);
    const more = await look(0.6, 6, first);
    assert.deepEqual(cutsOf(more), cuts, `${from} to ${to}`);
    assert.deepEqual(more.span, whole.span);
    const times = more.sightings.map(({ time }) => time);
    assert.ok(
      times.every((time, index) => time < (times[index + 1] ?? Infinity)),
      'in order',
    );
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    assert.ok(Math.max(...gaps) < 0.55, String(Math.max(...gaps)));
    // What was known is kept as it was.
    const kept = more.sightings.filter(({ time }) => time + 0.6 >= from && time + 0.6 < to);
    assert.equal(kept.length, first.sightings.length);
    assert.ok(isAnalysisComplete(more, makeEdit(inputs, { start: 0.6, end: 6 })));
  }
});

test('nothing is analysed twice, and a segment far away is analysed anew', async () => {
  const first = await look(1, 3);
  assert.equal(await look(1.4, 2.6, first), first);
  const away = await look(4.2, 6, first);
  assert.deepEqual(cutsOf(away), [4.8]);
});

/** Overwrites every so many pictures after the first, and returns what an analysis knows of it. */
async function lookDamaged(every: number): Promise<FramingAnalysis> {
  const path = join(directory.path, `damaged-${every}.mp4`);
  const bytes = await readFile(video);
  for (const [index, { pos, size }] of (await packetPlaces(video)).entries()) {
    if (index > 0 && index % every === 0) bytes.fill(0xff, pos + 5, pos + size);
  }
  await writeFile(path, bytes);
  return analyseFraming(makeEdit(inputs), path, {
    finders: makeFinders({ faces: false }),
    signal: new AbortController().signal,
    onFailed: (error) => assert.fail(String(error)),
  });
}

test('a clip whose pictures are mostly damaged is refused, and a share of them is named', async () => {
  await assert.rejects(lookDamaged(1), { code: 'source-unsupported' });
  const [note] = listPictureNotes(await lookDamaged(4));
  assert.equal(note?.code, 'pictures-damaged');
  assert.match(note.message, /^\d+ % of the pictures of this clip are damaged/);
  assert.deepEqual(listPictureNotes(await look(0, 6)), []);
});

const size = { width: 270, height: 480 };
const signal = () => new AbortController().signal;

/** Draws the first poster of a wide video, whose first guess is the middle. */
async function firstPoster(
  source: string,
  { width, height }: { width: number; height: number },
  finders = makeFinders({ faces: true }),
): Promise<{ framing: Edit['framing']; poster: string; failures: unknown[] }> {
  const poster = join(directory.path, 'first.jpg');
  const window = Math.floor((height * size.width) / size.height);
  const edit = plainEdit({
    source: { width, height, frameRate: 25, hasAudio: false },
    dimensions: size,
    framing: { mode: 'crop', x: (width - window) / 2, y: 0, width: window, height },
  });
  let { framing } = edit;
  const failures: unknown[] = [];
  const onFailed = (error: unknown) => failures.push(error);
  await renderFirstPosters([{ edit, output: poster }], {
    source,
    frame: async (one, pictures, stepSeconds) => {
      const options = { stepSeconds, finders, onFailed, signal: signal() };
      const framed = await frameOpening(one, pictures, options);
      ({ framing } = framed.edit);
      return framed;
    },
    signal: signal(),
  });
  return { framing, poster, failures };
}

test('a first poster shows a whole head that the middle would cut', withFootage, async () => {
  const video = realFootage('woman-right-of-middle.mp4');
  const { poster } = await firstPoster(video, { width: 1280, height: 720 });
  const pixels = await ffmpeg(['-i', poster, '-pix_fmt', 'rgba', '-f', 'rawvideo', 'pipe:1']);
  const finder = createFaceFinder({ size, shape: 1, signal: signal() });
  const [face, ...others] = await finder.find(pixels);
  await finder.close();
  assert.equal(others.length, 0);
  const { x, width } = face!.box;
  assert.ok(x > 0.05 && x + width < 0.95, JSON.stringify(face));
});

test('a first poster shows all of a slide', async () => {
  const look = { lines: bullets, ground: 'ffffff', letters: '222222' };
  const slide = await slideVideo(join(directory.path, 'slide.mp4'), { ...look, seconds: 2 });
  const { framing } = await firstPoster(slide, { width: 1280, height: 720 });
  assert.equal(framing.mode, 'fit');
});

test('a finder that fails leaves a first poster', async () => {
  const broken = () => ({
    find: () => Promise.reject(new Error('The network cannot be loaded.')),
    close: () => Promise.resolve(),
  });
  const finders = { ...makeFinders({ faces: true }), faces: broken };
  const { poster, failures } = await firstPoster(video, media, finders);
  assert.equal(failures.length, 1);
  assert.ok((await readFile(poster)).length > 1000);
});
