import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analysePictures } from '../../src/framing/analyse-pictures.ts';
import { findCuts, mergeCuts, withoutFlashes } from '../../src/framing/cuts.ts';
import { makeMediaInfo, probe } from '../../src/source/probe.ts';
import { realFootage, withFootage } from '../support/real-footage.ts';

/** Frames of 25 a second, by how much each changes. */
const frames = (...changes: number[]) => changes.map((change, at) => ({ time: at / 25, change }));
/** Numbers of the frames that begin a shot. */
const begun = (...changes: number[]) =>
  findCuts(frames(...changes)).map(({ time }) => Math.round(time * 25));

const still = [0.4, 0.5, 0.3, 0.4, 0.5, 0.4];

test('a frame that stands out from those around it begins a shot, in a dark picture too', () => {
  assert.deepEqual(begun(...still, 22, ...still), [6]);
  assert.deepEqual(begun(...still, 6, ...still), [6]);
  assert.deepEqual(begun(...still, 9, 3.7, 4.1, 4.2, 0.1, 3.9, 3.6), [6]);
});

test('pans, shaking and dissolves are no cuts, nor is what hardly changes', () => {
  assert.deepEqual(begun(...still, 18, 19, 20, 17, 19, 18, 20, ...still), []);
  assert.deepEqual(begun(9, 14, 8, 16, 10, 13, 7, 15, 9, 14, 8, 13), []);
  assert.deepEqual(begun(...still, 5, 5, 5, 5, 5, ...still), []);
  assert.deepEqual(begun(0.2, 0.2, 0.2, 0.2, 0.2, 3, 0.2, 0.2, 0.2, 0.2), []);
});

test('a source of few frames repeats them: they are not compared with', () => {
  const few = [6, 7, 6, 5, 7, 6, 7, 6].flatMap((change) => [change, 0, 0, 0, 0]);
  assert.deepEqual(begun(...few), []);
  assert.deepEqual(begun(...few, 25, 0, 0, 0, 0, ...few), [40]);
});

test('of several cuts within a moment the last one counts', () => {
  assert.deepEqual(mergeCuts([0, 1, 1.1, 1.2, 3, 3.5]), [1.2, 3, 3.5]);
});

test('a flash shows the same afterwards, and a white frame between two shots does not', () => {
  const pictures = (...levels: number[]) =>
    levels.map((level, at) => ({ time: at / 4, pixels: new Uint8Array(8).fill(level) }));
  const flash = [
    { time: 0.45, change: 40 },
    { time: 0.6, change: 40 },
  ];
  assert.deepEqual(withoutFlashes(flash, pictures(90, 93, 250, 95, 95)), []);
  assert.deepEqual(withoutFlashes(flash, pictures(30, 30, 250, 170, 170)), flash);
  const cut = flash.slice(0, 1);
  assert.deepEqual(withoutFlashes(cut, pictures(90, 90, 95, 95)), cut);
});

/** The cuts that an analysis finds in a real video. */
async function cutsOf(name: string, seconds: number): Promise<number[]> {
  const { signal } = new AbortController();
  const path = realFootage(name);
  const source = makeMediaInfo(await probe(path, signal), seconds)!;
  const analysis = await analysePictures(path, {
    span: { start: 0, end: seconds },
    source,
    frameRate: source.frameRate,
    shape: 9 / 16,
    finders: [],
    signal,
  });
  return analysis.cuts.map((time) => Math.round(time * 100) / 100);
}

test('the cuts of real videos are found, in the light and in the dark', withFootage, async () => {
  assert.deepEqual(await cutsOf('edited-hard-cuts.mp4', 6), [3, 5.4]);
  assert.deepEqual(await cutsOf('edited-dark-cuts.mp4', 8), [3, 5.4, 7.4]);
  assert.deepEqual(await cutsOf('stage-dark-cuts.mp4', 9), [1.5, 3.57, 7.87]);
  assert.deepEqual(await cutsOf('iphone-face-then-animation.mov', 4), [2.43]);
});

test('a dancer and a camera that moves are no cuts', withFootage, async () => {
  assert.deepEqual(await cutsOf('dancer-full-body.mp4', 4), []);
  assert.deepEqual(await cutsOf('woman-portrait-camera-backs-off.mp4', 4), []);
});
