import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  findDensestWindow,
  measureMovement,
  createSaliencyFinder,
} from '../../src/framing/saliency.ts';
import { longRun } from 'clip-testkit/long-run';
import { framingSuite } from '../support/framing-suite.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';

// The faces' test has the same suite.
if (longRun) framingSuite('what draws the eye', () => Promise.resolve(createSaliencyFinder));

const size = { width: 480, height: 270 };
function pixels(paint: (x: number, y: number) => readonly [number, number, number]) {
  const data = new Uint8ClampedArray(size.width * size.height * 4);
  for (let at = 0; at < size.width * size.height; at++) {
    data.set([...paint(at % size.width, Math.floor(at / size.width)), 255], at * 4);
  }
  return { ...size, data };
}
const spot = (middle: number) =>
  pixels((x, y) =>
    Math.abs(x - middle) < 22 && Math.abs(y - 120) < 40 ? [220, 170, 140] : [70, 90, 90],
  );

test('what has moved is found; stillness, noise and a moving camera are nothing', () => {
  const moved = measureMovement(spot(180), spot(192), 'x')!;
  const columns = [...moved.entries()].filter(([, count]) => count > 0).map(([column]) => column);
  assert.ok(Math.min(...columns) > 150 && Math.max(...columns) < 220);
  assert.equal(measureMovement(spot(180), spot(180), 'x'), null);
  const shifted = (by: number) =>
    pixels((x) => ((x + by) % 20 < 10 ? [200, 200, 200] : [30, 30, 30]));
  assert.equal(measureMovement(shifted(0), shifted(5), 'x'), null);
});

/** Pictures of a still scene in a video of few bits with many keyframes, about four a second. */
async function fewBits(directory: string, more: string): Promise<ReturnType<typeof pixels>[]> {
  const video = join(directory, 'few-bits.mp4');
  const still =
    'mandelbrot=s=640x360:r=25:start_scale=0.3,trim=end_frame=1,loop=-1:1,setpts=N/25/TB';
  // One thread: with a bit rate to keep, several give other pictures each time.
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', `${still}${more}`, '-t', '3', '-c:v', 'libx264', '-preset', 'veryfast',
    '-threads', '1', '-b:v', '200k', '-maxrate', '200k', '-bufsize', '200k', '-g', '25', '-pix_fmt', 'yuv420p', video,
  ]);
  // prettier-ignore
  const bytes = await ffmpeg([
    '-i', video, '-vf', 'fps=4,scale=216:120:flags=neighbor', '-f', 'rawvideo', '-pix_fmt', 'rgba',
    'pipe:1',
  ]);
  const length = 216 * 120 * 4;
  return Array.from({ length: bytes.length / length }, (_, at) => ({
    width: 216,
    height: 120,
    data: new Uint8ClampedArray(bytes.subarray(at * length, (at + 1) * length)),
  }));
}

test('keyframes of an encoder with few bits are no movement, and a person among them is', async () => {
  const directory = await temporaryDirectory();
  try {
    const moved = (pictures: ReturnType<typeof pixels>[]) =>
      pictures.slice(1).filter((now, at) => measureMovement(now, pictures[at]!, 'x')).length;
    assert.equal(moved(await fewBits(directory.path, '')), 0);
    const box = ",split[a][b];[b]crop=80:120:0:0[c];[a][c]overlay=x='250+120*sin(t)':y=120";
    const walking = await fewBits(directory.path, box);
    assert.ok(moved(walking) > 0.8 * walking.length, String(moved(walking)));
  } finally {
    await directory.remove();
  }
});

test('a range in which most lies is found with its middle; what lies everywhere is in none', () => {
  const heap = Float64Array.from({ length: 100 }, (_, at) => (at >= 60 && at < 70 ? 1 : 0));
  assert.equal(findDensestWindow(heap, 30)?.middle, 65);
  const even = Float64Array.from({ length: 100 }, () => 1);
  assert.equal(findDensestWindow(even, 30), null);
  const two = Float64Array.from({ length: 100 }, (_, at) => (at < 10 || at >= 90 ? 1 : 0));
  assert.equal(findDensestWindow(two, 30), null);
  assert.equal(findDensestWindow(new Float64Array(100), 30), null);
});

test('a picture that is alike everywhere has no subject', async () => {
  const finder = createSaliencyFinder({
    size,
    shape: 9 / 16,
    signal: new AbortController().signal,
  });
  const stripes = pixels((x) => (x % 8 < 4 ? [120, 120, 120] : [140, 140, 140]));
  assert.deepEqual(await finder.find(new Uint8Array(stripes.data.buffer)), []);
  const [subject] = await finder.find(new Uint8Array(spot(360).data.buffer));
  assert.equal(subject?.kind, 'salient');
  assert.ok(Math.abs(subject.box.x + subject.box.width / 2 - 0.75) < 0.16);
});
