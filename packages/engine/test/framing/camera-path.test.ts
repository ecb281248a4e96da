import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCameraPath, type Target } from '../../src/framing/camera-path.ts';
import { placeAt } from '../../src/framing/window-keys.ts';
import { about, meanJerk, wanderer } from '../support/wanderer.ts';
import { dice as diceOf } from 'clip-testkit/media-analysis';

const rate = 4;
const frameRate = 30;
const seconds = 30;
/** A window of 9:16 in a picture of 16:9. */
const room = 3.16;

const still = (count: number, position: number): Target[] =>
  Array.from({ length: count }, () => ({ position, weight: 1, extent: 0 }));

/**
 * What a finder reports of a person: a little wrong each time, sometimes nothing, sometimes
 * something else.
 */
function seenBy(seed: number, where: (second: number) => number): Target[] {
  const dice = diceOf(seed);
  return Array.from({ length: seconds * rate }, (_, index) => {
    const wrong = dice() < 0.03;
    const position = wrong ? dice() * room : where(index / rate) + 0.05 * about(dice);
    return { position, weight: dice() < 0.15 ? 0 : 1, extent: 0 };
  });
}

/** Middles of the camera at each frame. */
function frames(targets: readonly Target[]): number[] {
  const keys = findCameraPath(targets, room).map((x, index) => ({ time: index / rate, x, y: 0 }));
  return Array.from({ length: seconds * frameRate }, (_, frame) =>
    Number(placeAt({ width: 1, height: 1, keys }, frame / frameRate).x),
  );
}

test('a person who rests, strolls and darts about is in the frame in 95 % of all frames, without jerks', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const where = wanderer(diceOf(seed), { room, seconds });
    const camera = frames(seenBy(seed + 100, where));
    const dice = diceOf(seed + 200);
    const naive = camera.map((_, frame) =>
      Math.min(Math.max(where(frame / frameRate) + 0.05 * about(dice), 0.5), room - 0.5),
    );
    const kept = camera.filter(
      (middle, frame) => Math.abs(where(frame / frameRate) - middle) < 0.5,
    );
    assert.ok(kept.length >= 0.95 * camera.length, `seed ${seed}: ${kept.length / camera.length}`);
    const ratio = meanJerk(naive) / meanJerk(camera);
    assert.ok(ratio >= 5, `seed ${seed}: jerk ${ratio} times below the naive crop’s`);
  }
});

test('the window never leaves the picture', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const dice = diceOf(seed);
    const wild = Array.from({ length: 60 }, () => ({
      position: -1 + dice() * (room + 2),
      weight: dice() < 0.3 ? 0 : 1,
      extent: 0,
    }));
    for (const middle of findCameraPath(wild, room)) {
      assert.ok(middle >= 0.5 && middle <= room - 0.5, String(middle));
    }
  }
});

test('the camera stands still while the subject does, though the finder trembles', () => {
  const dice = diceOf(7);
  const camera = frames(
    still(seconds * rate, 1.4).map((target) => ({
      ...target,
      position: target.position + 0.03 * about(dice),
    })),
  );
  assert.ok(Math.max(...camera) - Math.min(...camera) < 0.01);
  assert.ok(Math.abs(camera[0]! - 1.4) < 0.1);
});

test('a single wrong find does not move it', () => {
  const targets = still(40, 1).map((target, index) =>
    index === 20 ? { ...target, position: 2.6 } : target,
  );
  const camera = findCameraPath(targets, room);
  assert.ok(Math.max(...camera) - Math.min(...camera) < 0.02);
});

test('a walk is followed evenly, at the walker’s speed', () => {
  const camera = findCameraPath(
    Array.from({ length: 60 }, (_, index) => ({
      position: 0.6 + index * 0.03,
      weight: 1,
      extent: 0,
    })),
    room,
  );
  for (let at = 15; at < 45; at++) {
    assert.ok(Math.abs(camera[at + 1]! - camera[at]! - 0.03) < 0.005);
  }
});

test('while the subject is not seen the camera goes on to where it is seen again', () => {
  const lost = Array.from({ length: 40 }, (_, index) => ({
    position: index < 10 ? 0.8 : 2.2,
    weight: index < 10 || index >= 30 ? 1 : 0,
    extent: 0,
  }));
  const camera = findCameraPath(lost, room);
  assert.ok(Math.abs(camera[5]! - 0.8) < 0.2 && Math.abs(camera[35]! - 2.2) < 0.2);
  for (let at = 1; at < camera.length; at++) assert.ok(camera[at]! >= camera[at - 1]! - 1e-3);
});

test('where nothing is known it stands in the middle', () => {
  const blind = Array.from({ length: 5 }, () => ({ position: 0, weight: 0, extent: 0 }));
  assert.deepEqual(findCameraPath(blind, room), Array(5).fill(room / 2));
});

test('one target and two are paths as well', () => {
  assert.equal(findCameraPath(still(1, 1), room).length, 1);
  assert.equal(findCameraPath(still(2, 1), room).length, 2);
});
