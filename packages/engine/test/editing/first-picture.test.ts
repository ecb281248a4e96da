import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fromFirstPicture, findLatestStart } from '../../src/editing/first-picture.ts';
import { makeFinders, analyseAndFrame } from '../../src/editing/analyse-framing.ts';
import type { Edit } from '../../src/edit.ts';
import { renderFirstPosters, renderPoster } from '../../src/render/poster.ts';
import { ffmpeg, frameAt, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';
import { inLongRun } from 'clip-testkit/long-run';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let video: string;
before(async () => {
  directory = await temporaryDirectory();
  video = at('fade.mp4');
  // Black for a second, a fade of a second, and black again from the fifth second to the seventh.
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=10',
    '-vf', "fade=t=in:st=1:d=1,drawbox=c=black:t=fill:enable='between(t,5,7)'",
    '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '250', video,
  ]);
});
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);
const signal = () => new AbortController().signal;

const words = (start: number) => [{ text: 'Now', start, end: start + 0.5 }];
const edit = plainEdit({
  source: { width: 320, height: 180, frameRate: 25, hasAudio: false },
  ranges: [{ start: 0.4, end: 9.4 }],
  dimensions: { width: 100, height: 178 },
  framing: { mode: 'crop', x: 110, y: 0, width: 101, height: 180 },
  needsAnalysis: true,
  captions: [{ start: 2.6, end: 3.1, words: words(2.6) }],
  title: { text: 'Now', end: 3 },
  latestStart: 2.9,
});

/** The mean of the bytes of a picture. */
const brightness = (bytes: Buffer) => bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length;

const posterAt = (name: string) =>
  ffmpeg(['-i', at(name), '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']);

test('a clip that begins black begins with its first picture, and its words stay at their times', async () => {
  const short = { ...edit, ranges: [{ start: 0.4, end: 4.4 }], duration: 4 };
  const seen = await analyseAndFrame(short, video, {
    finders: makeFinders({ faces: false }),
    signal: signal(),
    onFailed: (error) => assert.fail(String(error)),
  });
  const { start, end } = seen.ranges[0]!;
  assert.ok(start > 1 && start < 1.6, String(start));
  assert.equal(end, 4.4);
  const moved = start - 0.4;
  assert.ok(Math.abs(moved * 25 - Math.round(moved * 25)) < 1e-6, 'whole frames');
  assert.ok(Math.abs(seen.duration - (4 - moved)) < 1e-6);
  assert.ok(Math.abs(seen.captions[0]!.start - (2.6 - moved)) < 1e-6);
  assert.ok(Math.abs(seen.captions[0]!.words[0]!.end - (3.1 - moved)) < 1e-6);
  assert.equal(seen.latestStart, undefined);
  assert.ok(brightness(await frameAt(video, start)) > 10);
  assert.ok(brightness(await frameAt(video, start - 0.08)) < 20);
});

test('where words begin in the black, the clip begins there too', () => {
  const { latestStart: _, ...fixed } = edit;
  for (const one of [fixed, { ...edit, latestStart: 0.9 }]) {
    const analysis = { sightings: [], cuts: [], firstPicture: 1 };
    assert.equal(fromFirstPicture(one, analysis).edit.ranges[0]!.start, 0.4);
  }
});

test('a flash of another shot is left out, and the look moves with the start', () => {
  const seen = {
    cuts: [0.2, 4],
    sightings: [0, 0.25, 0.5].map((time) => ({ time, subjects: [] })),
  };
  const covered = { ...edit, cover: { time: 1 } };
  const begun = fromFirstPicture(covered, { ...seen, firstPicture: 0.2 });
  assert.ok(Math.abs(begun.edit.cover!.time - 0.8) < 1e-9);
  assert.ok(Math.abs(begun.edit.ranges[0]!.start - 0.6) < 1e-9);
  assert.deepEqual(
    begun.analysis.cuts.map((time) => Math.round(time * 100)),
    [380],
  );
  assert.equal(begun.analysis.sightings.length, 2);
});

test('a clip can begin as late as its first word, its silence and its shortest length allow', () => {
  const { ranges, duration } = edit;
  const latest = (
    heard: { start: number } | null,
    { minSeconds = 0, silences = [] as { start: number; end: number }[] } = {},
  ) =>
    findLatestStart(
      { ranges, duration },
      { words: heard && [], silences },
      { words: heard ? words(heard.start) : [], minSeconds },
    );
  assert.ok(Math.abs(latest({ start: 2 }) - 1.96) < 1e-9);
  assert.equal(latest({ start: 0.3 }), 0.4);
  assert.ok(Math.abs(latest({ start: 3 }, { minSeconds: 8 }) - 1.4) < 1e-9);
  assert.equal(latest(null), 0.4);
  assert.ok(Math.abs(latest(null, { silences: [{ start: 0, end: 1 }] }) - 0.96) < 1e-9);
});

test('posters are not black where another picture can be had', async () => {
  // A third into it is the black of the fifth second; the only keyframe is the first picture.
  const black: Edit = { ...edit, ranges: [{ start: 3.4, end: 9.4 }], duration: 6, title: null };
  await renderPoster(black, { source: video, output: at('late.jpg'), signal: signal() });
  const light = brightness(await posterAt('late.jpg'));
  assert.ok(light > 60, String(light));
  const early: Edit = { ...edit, ranges: [{ start: 0, end: 9 }] };
  const wishes = [{ edit: early, output: at('first.jpg') }];
  await renderFirstPosters(wishes, { source: video, signal: signal() });
  assert.ok(brightness(await posterAt('first.jpg')) > 10);
});

test('a clip that is black has a black poster', inLongRun, async () => {
  const black: Edit = { ...edit, ranges: [{ start: 5.2, end: 6.8 }], duration: 1.6 };
  await renderPoster(black, { source: video, output: at('black.jpg'), signal: signal() });
  const dark = brightness(await posterAt('black.jpg'));
  assert.ok(dark < 20, String(dark));
});
