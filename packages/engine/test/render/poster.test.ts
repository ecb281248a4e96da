import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import type { Edit, Framing } from '../../src/edit.ts';
import {
  computePosterSize,
  renderCover,
  renderFirstPosters,
  renderPoster,
} from '../../src/render/poster.ts';
import { describeFile, ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';
import { inLongRun } from 'clip-testkit/long-run';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const signal = () => new AbortController().signal;

/**
 * Each second is brighter by 30 than the one before, and the right half by 15 than the left. There
 * is a keyframe each 2.5 seconds. The sound is two seconds longer than the picture.
 */
const source = at('steps.mp4');
before(async () => {
  const picture = "color=s=320x180:r=1,geq=lum='30+30*floor(T)+15*gt(X,160)':cb=128:cr=128,fps=10";
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', `${picture},trim=duration=6`, '-f', 'lavfi', '-i', 'sine=d=8',
    '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-keyint_min', '25', '-sc_threshold', '0',
    '-pix_fmt', 'yuv420p', '-c:a', 'aac', source,
  ]);
});
after(() => directory.remove());

const left: Framing = { mode: 'crop', x: 0, y: 0, width: 100, height: 180 };
const right: Framing = { mode: 'crop', x: 220, y: 0, width: 100, height: 180 };

const clip = (ranges: Edit['ranges'], changes: Partial<Edit> = {}): Edit =>
  plainEdit({
    source: { width: 320, height: 180, frameRate: 10, hasAudio: true },
    ranges,
    dimensions: { width: 200, height: 360 },
    framing: left,
    ...changes,
  });

/** Second of the source that a poster shows, and whether it is of the left half. */
async function shown(path: string): Promise<{ second: number; half: 'left' | 'right' }> {
  const [level = 0] = await ffmpeg([
    ...['-i', path, '-vf', 'format=rgb24,scale=1:1:flags=area', '-f', 'rawvideo', 'pipe:1'],
  ]);
  // JPEG has full range, the video has not.
  const video = 16 + (level * 219) / 255;
  const second = Math.round((video - 30 - 7.5) / 30);
  return { second, half: video - 30 - 30 * second > 7.5 ? 'right' : 'left' };
}

test('a poster has the shape of its clip, and is never larger than it', () => {
  const sizes = [
    [1080, 1920],
    [1920, 1080],
    [1080, 1080],
    [96, 54],
    [720, 3600],
  ] as const;
  assert.deepEqual(
    sizes.map(([width, height]) => computePosterSize({ width, height })),
    [
      { width: 540, height: 960 },
      { width: 960, height: 540 },
      { width: 540, height: 540 },
      { width: 96, height: 54 },
      { width: 540, height: 2700 },
    ],
  );
});

test('first posters are the first frames of their clips, framed as far as it is known', async () => {
  const clips: [name: string, edit: Edit, expected: { second: number; half: string }][] = [
    ['a keyframe', clip([{ start: 2.5, end: 4 }]), { second: 2, half: 'left' }],
    ['after a keyframe', clip([{ start: 1, end: 4 }]), { second: 1, half: 'left' }],
    ['before a keyframe', clip([{ start: 4.9, end: 5.9 }]), { second: 4, half: 'left' }],
    [
      'another shot later',
      clip([{ start: 0, end: 6 }], {
        framing: {
          mode: 'shots',
          shots: [
            {
              from: 0,
              to: 15,
              mode: 'crop',
              window: { width: 100, height: 180, keys: [{ frame: 0, x: 220, y: 0 }] },
            },
            {
              from: 15,
              to: 60,
              mode: 'crop',
              window: { width: 100, height: 180, keys: [{ frame: 0, x: 0, y: 0 }] },
            },
          ],
        },
      }),
      { second: 0, half: 'right' },
    ],
    [
      'of another shape',
      clip([{ start: 5, end: 6 }], { framing: right, dimensions: { width: 1080, height: 1920 } }),
      { second: 5, half: 'right' },
    ],
  ];
  const wishes = clips.map(([name, edit]) => ({ edit, output: at(`${name}.jpg`) }));
  await renderFirstPosters(wishes, { source, signal: signal() });
  for (const [name, , expected] of clips) {
    assert.deepEqual(await shown(at(`${name}.jpg`)), expected, name);
  }
  const [last, { dimensions }] = clips.at(-1)!;
  const { codec_name, width, height } = (await describeFile(at(`${last}.jpg`))).streams[0]!;
  const size = computePosterSize(dimensions);
  assert.deepEqual({ codec_name, width, height }, { codec_name: 'mjpeg', ...size });
  assert.ok((await readdir(directory.path)).every((name) => !name.startsWith('.')));
});

test(
  'a clip after the last picture shows that one, and a file without pictures a plain one',
  inLongRun,
  async () => {
    const beyond = clip([{ start: 6.5, end: 7.5 }]);
    await renderFirstPosters([{ edit: beyond, output: at('late.jpg') }], {
      source,
      signal: signal(),
    });
    assert.deepEqual(await shown(at('late.jpg')), { second: 5, half: 'left' });
    const missing = { source: at('missing.mp4'), signal: signal() };
    await renderFirstPosters([{ edit: beyond, output: at('missing.jpg') }], missing);
    assert.deepEqual((await describeFile(at('missing.jpg'))).streams[0]?.height, 360);
  },
);

test('an interlaced source has first posters, too', inLongRun, async () => {
  const path = await makeVideo(at('fields.mp4'), {
    output: ['-flags', '+ilme+ildct', '-x264opts', 'tff=1'],
  });
  const edit = clip([{ start: 0, end: 4 }], {
    source: { width: 320, height: 180, frameRate: 25, hasAudio: true, firstField: 'top' },
  });
  await renderFirstPosters([{ edit, output: at('fields.jpg') }], {
    source: path,
    signal: signal(),
  });
  const bytes = await readFile(at('fields.jpg'));
  // A picture of shapes is larger than one of a single colour.
  assert.ok(bytes.length > 4000, String(bytes.length));
});

test('the poster of a framed clip is its first frame', async () => {
  const edit = clip([{ start: 1.5, end: 5 }]);
  await renderPoster(edit, { source, output: at('framed.jpg'), signal: signal() });
  assert.deepEqual(await shown(at('framed.jpg')), { second: 1, half: 'left' });
});

test('the poster of a clip whose best picture is known is that one, across its cuts, unless it has a cover', async () => {
  const ranges = [
    { start: 0, end: 0.3 },
    { start: 1.8, end: 5.8 },
  ];
  // Of 43 frames, the twentieth is the seventeenth of the later range.
  const edit = clip(ranges, { bestTime: 1.9 });
  await renderPoster(edit, { source, output: at('best.jpg'), signal: signal() });
  assert.deepEqual(await shown(at('best.jpg')), { second: 3, half: 'left' });
  const chosen = { ...edit, cover: { time: 0.1 } };
  await renderPoster(chosen, { source, output: at('over.jpg'), signal: signal() });
  assert.equal(Math.abs((await shown(at('over.jpg'))).second), 0);
});

test('the poster of a clip with a cover is that frame, also if it is black, and the cover is larger', async () => {
  const edit = clip([{ start: 0, end: 6 }], {
    dimensions: { width: 600, height: 1080 },
    cover: { time: 5.2 },
  });
  await renderPoster(edit, { source, output: at('chosen.jpg'), signal: signal() });
  assert.deepEqual(await shown(at('chosen.jpg')), { second: 5, half: 'left' });
  await renderCover(edit, { source, output: at('cover.jpg'), signal: signal() });
  const sizes = await Promise.all(
    ['chosen.jpg', 'cover.jpg'].map(async (name) => {
      const { width, height } = (await describeFile(at(name))).streams[0]!;
      return { width, height };
    }),
  );
  assert.deepEqual(sizes, [computePosterSize(edit.dimensions), edit.dimensions]);

  const dark = at('dark.mp4');
  const colour = 'color=black:s=320x180:r=10:d=1[a];color=white:s=320x180:r=10:d=1[b]';
  const graph = `${colour};[a][b]concat`;
  await ffmpeg(['-filter_complex', graph, '-pix_fmt', 'yuv420p', dark]);
  const black = clip([{ start: 0, end: 2 }], { cover: { time: 0 } });
  await renderPoster(black, { source: dark, output: at('black.jpg'), signal: signal() });
  const bytes = ['-i', at('black.jpg'), '-vf', 'scale=1:1', '-f', 'rawvideo', 'pipe:1'];
  assert.ok((await ffmpeg(bytes))[0]! < 20);
});

test('the title of a cover is drawn on it, away from a face at the top', async () => {
  const whites = async (edit: Edit): Promise<{ top: number; bottom: number }> => {
    await renderPoster(edit, { source, output: at('titled.jpg'), signal: signal() });
    const all = await ffmpeg([
      ...['-i', at('titled.jpg'), '-vf', 'format=gray', '-f', 'rawvideo', 'pipe:1'],
    ]);
    const half = all.length / 2;
    const count = (part: Uint8Array) => part.filter((level) => level > 240).length;
    return { top: count(all.subarray(0, half)), bottom: count(all.subarray(half)) };
  };
  const cover = { time: 1, title: 'How bees dance' };
  const plain = clip([{ start: 0, end: 6 }]);
  assert.deepEqual(await whites({ ...plain, cover: { time: 1 } }), { top: 0, bottom: 0 });
  const titled = await whites({ ...plain, cover });
  assert.ok(titled.top > 200 && titled.bottom === 0, JSON.stringify(titled));
  const face = { start: 0.5, end: 2, x: 0.1, y: 0, width: 0.8, height: 0.4 };
  const low = await whites({ ...plain, cover, faces: [face] });
  assert.ok(low.bottom > 200 && low.top === 0, JSON.stringify(low));
});

test('a first poster shows the picture that is chosen among those that the clip opens with', async () => {
  const edit = clip([{ start: 2.8, end: 5 }]);
  const seen: number[] = [];
  await renderFirstPosters([{ edit, output: at('opening.jpg') }], {
    source,
    frame: (one, pictures, stepSeconds) => {
      seen.push(pictures.length, stepSeconds);
      return Promise.resolve({ edit: { ...one, framing: right }, index: 1 });
    },
    signal: signal(),
  });
  assert.deepEqual(seen, [2, 0.4]);
  // The second picture is 0.4 seconds later than the first.
  assert.deepEqual(await shown(at('opening.jpg')), { second: 3, half: 'right' });
});
