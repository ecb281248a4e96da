import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Geometry, ShotAnalysis, WindowPath } from '../../src/framing/following.ts';
import { splitIntoShots, chooseTreatments } from '../../src/framing/shots.ts';
import type { Subject } from '../../src/framing/subject-finder.ts';

const geometry: Geometry = {
  source: { width: 1920, height: 1080 },
  window: { width: 607.5, height: 1080 },
  upright: 16 / 9,
};
const face = (middle: number, width = 0.08): Subject => ({
  kind: 'face',
  box: { x: middle - width / 2, y: 0.3, width, height: width * 1.78 },
});
const salient = (middle: number): Subject => ({
  kind: 'salient',
  box: { x: middle - 0.16, y: 0, width: 0.32, height: 1 },
});

const person = (middle: number, height = 0.7): Subject => ({
  kind: 'person',
  box: { x: middle - height / 6, y: 0.9 - height, width: height / 3, height },
});

const shot = (seconds: number, at: (second: number) => Subject[]): ShotAnalysis => ({
  start: 0,
  end: seconds,
  sightings: Array.from({ length: seconds * 4 }, (_, index) => ({
    time: index / 4,
    subjects: at(index / 4),
  })),
});

function treatmentOf(looked: ShotAnalysis, shape: Geometry, options = {}) {
  const [part, ...more] = chooseTreatments(looked, shape, options);
  assert.equal(more.length, 0);
  return part!.treatment;
}

const middles = ({ width, keys }: WindowPath) => keys.map(({ x }) => (x + width / 2) / 1920);
function window(looked: ShotAnalysis, shape = geometry): WindowPath {
  const treatment = treatmentOf(looked, shape);
  assert.ok(treatment.mode === 'crop', treatment.mode);
  return treatment.window;
}

test('a clip is parted at its cuts, and what is seen at a cut belongs to the new shot', () => {
  const sightings = [0, 1, 2, 3].map((time) => ({ time, subjects: [] }));
  const shots = splitIntoShots({ sightings, cuts: [2, 9] }, 4);
  assert.deepEqual(
    shots.map(({ start, end, sightings: seen }) => [start, end, seen.length]),
    [
      [0, 2, 2],
      [2, 4, 2],
    ],
  );
});

test('one face is kept in the window', () => {
  const path = window(shot(6, (second) => [face(0.3 + second * 0.05)]));
  middles(path).forEach((middle, index) => {
    const truth = 0.3 + (index / (path.keys.length - 1)) * 6 * 0.05;
    assert.ok(Math.abs(middle - truth) < 0.1, `${middle} for ${truth}`);
  });
});

test('two faces that fit are both kept, with the window still while one of them is lost now and then', () => {
  const path = window(
    shot(6, (second) => (second % 1 < 0.5 ? [face(0.45), face(0.6)] : [face(0.45)])),
  );
  for (const middle of middles(path)) {
    assert.ok(middle - 0.158 <= 0.41 && middle + 0.158 >= 0.64, String(middle));
  }
  assert.ok(Math.max(...middles(path)) - Math.min(...middles(path)) < 0.005);
});

test('two that do not fit stand above each other, the left one on top, neither in the other’s window', () => {
  const treatment = treatmentOf(
    shot(6, () => [face(0.75), face(0.25)]),
    geometry,
  );
  assert.ok(treatment.mode === 'stack');
  const [above, below] = treatment.windows;
  for (const [own, other, place] of [
    [above, 0.75, 0.25],
    [below, 0.25, 0.75],
  ] as const) {
    const [left, right] = [own.keys[0]!.x / 1920, (own.keys[0]!.x + own.width) / 1920];
    assert.ok(left < place - 0.04 && right > place + 0.04);
    assert.ok(right <= other - 0.03 || left >= other + 0.03, `${left} ${right}`);
    assert.ok(Math.abs(own.width / own.height - 1.125) < 0.01);
    assert.ok(own.keys.length === 1, 'it stands still');
  }
});

test('two who are close together are each in their own window, with no part of the other', () => {
  // A window of half the height would reach into the other face.
  const treatment = treatmentOf(
    shot(1, (second) => [face(0.4 + 0.01 * second, 0.1), face(0.62, 0.1)]),
    geometry,
  );
  assert.ok(treatment.mode === 'stack');
  const [left, right] = treatment.windows;
  assert.ok((left.keys[0]!.x + left.width) / 1920 <= 0.57 + 1e-6);
  assert.ok(left.keys[0]!.x / 1920 <= 0.35);
  assert.ok(right.keys[0]!.x / 1920 >= 0.45);
});

test('a face that moves is whole in its window, at both ends of its way', () => {
  const treatment = treatmentOf(
    shot(4, (second) => [face(0.1 + 0.05 * second), face(0.8)]),
    geometry,
  );
  assert.ok(treatment.mode === 'stack');
  const [left] = treatment.windows;
  assert.ok(left.keys[0]!.x / 1920 <= 0.07);
  assert.ok((left.keys[0]!.x + left.width) / 1920 >= 0.32);
});

test('in a wide output, two that do not fit share a wider window, or the whole picture', () => {
  const square: Geometry = { ...geometry, window: { width: 1080, height: 1080 }, upright: 1 };
  const near = window(
    shot(6, () => [face(0.2, 0.1), face(0.8, 0.08)]),
    square,
  );
  assert.ok(near.width < 1600 && near.keys[0]!.x < 0.13 * 1920, JSON.stringify(near));
  const apart = shot(6, () => [face(0.1, 0.1), face(0.9, 0.08)]);
  assert.deepEqual(treatmentOf(apart, square), { mode: 'fit' });
});

test('a head that is wider than the window gets a wider one, on a ground', () => {
  const path = window(shot(4, (second) => [face(0.5 + 0.01 * second, 0.38)]));
  assert.equal(path.width, 1080);
  for (const middle of middles(path)) assert.ok(Math.abs(middle - 0.52) < 0.05, String(middle));
});

test('a large head that moves further than the window reaches gets a wider one', () => {
  const bobbing = (far: number) =>
    window(shot(6, (second) => [face(0.4 + far * Math.sin(9 * second), 0.26)])).width;
  assert.equal(bobbing(0.02), geometry.window.width);
  assert.equal(bobbing(0.08), 864);
});

test('a group is shown as large as it can be: in a window around its heads', () => {
  const path = window(shot(4, () => [face(0.3, 0.1), face(0.45, 0.1), face(0.6, 0.1)]));
  const [left, right] = [path.keys[0]!.x, path.keys[0]!.x + path.width];
  assert.ok(
    left < 0.24 * 1920 && right > 0.66 * 1920 && path.width < 0.6 * 1920,
    `${left} ${right}`,
  );
  assert.equal(path.height, 1080);
  const small = window(
    shot(4, () => [face(0.3, 0.08), face(0.41, 0.08), face(0.52, 0.08)]),
    {
      ...geometry,
      window: { width: 300, height: 1080 },
      upright: 3.6,
    },
  );
  assert.ok(small.height < 1000, `${small.height}`);
});

test('of a group that would be tiny, those are shown who fit into a window', () => {
  const faces = [face(0.1, 0.06), face(0.4, 0.06), face(0.55, 0.06), face(0.9, 0.06)];
  const path = window(shot(4, () => faces));
  assert.equal(path.width, geometry.window.width);
  for (const middle of middles(path)) assert.ok(Math.abs(middle - 0.475) < 0.04, String(middle));
});

test('the window rests while nobody is there, and aims again where somebody enters', () => {
  const at = (second: number): Subject[] => {
    if (second >= 4 && second < 8) return [person(0.8)];
    return second >= 14 && second < 20 ? [person(0.2 + (second - 14) * 0.05)] : [];
  };
  const parts = chooseTreatments(shot(24, at), geometry);
  assert.deepEqual(
    parts.map(({ start, end }) => [start, end]),
    [
      [0, 13.5],
      [13.5, 24],
    ],
  );
  const [first, second] = parts.map(({ treatment }) => {
    assert.ok(treatment.mode === 'crop');
    return treatment.window;
  });
  for (const middle of middles(first!)) assert.ok(Math.abs(middle - 0.8) < 0.1, String(middle));
  assert.ok(Math.abs(middles(second!)[0]! - 0.2) < 0.1);
  const last = middles(second!).slice(-16);
  assert.ok(Math.max(...last) - Math.min(...last) < 0.01, 'it rests after the exit');
});

test('two who enter one after the other are shown from the first one’s entry on', () => {
  const looked = shot(20, (second) => [
    ...(second >= 8 ? [person(0.3, 0.5)] : []),
    ...(second >= 9.5 ? [person(0.42, 0.5)] : []),
  ]);
  const parts = chooseTreatments(looked, geometry);
  assert.deepEqual(
    parts.map(({ start }) => start),
    [0],
  );
  const shown = middles(window(looked));
  assert.ok(
    shown.every((middle) => middle > 0.25 && middle < 0.45),
    shown.join(' '),
  );
});

test('a person is shown before their face is seen, and while it is turned away', () => {
  const walk = (second: number) => 0.2 + second * 0.05;
  const looked = shot(10, (second) =>
    second < 3 || second >= 6 ? [person(walk(second))] : [face(walk(second))],
  );
  middles(window(looked)).forEach((middle, index, all) => {
    const truth = walk((10 * index) / (all.length - 1));
    assert.ok(Math.abs(middle - truth) < 0.1, `${middle} for ${truth}`);
  });
});

test('a small person in the background does not count', () => {
  const path = window(shot(4, () => [face(0.3, 0.15), face(0.9, 0.05)]));
  assert.ok(Math.abs(middles(path)[0]! - 0.3) < 0.1);
});

test('without faces, a person is kept in the window, at both ends of their way', () => {
  const path = window(shot(6, (second) => [person(0.2 + second * 0.1)]));
  middles(path).forEach((middle, index) => {
    const truth = 0.2 + (index / (path.keys.length - 1)) * 6 * 0.1;
    assert.ok(Math.abs(middle - truth) < 0.12, `${middle} for ${truth}`);
  });
});

test('persons without a face: together if they fit, otherwise in the whole picture; small ones do not count', () => {
  const near = window(shot(4, () => [person(0.45, 0.4), person(0.6, 0.4)]));
  for (const middle of middles(near)) assert.ok(Math.abs(middle - 0.525) < 0.05, String(middle));
  const apart = shot(4, () => [person(0.2), person(0.8)]);
  assert.deepEqual(treatmentOf(apart, geometry), { mode: 'fit' });
  const alone = window(shot(4, () => [person(0.2), person(0.8, 0.3)]));
  assert.ok(Math.abs(middles(alone)[0]! - 0.2) < 0.05);
});

test('who turns away stays in the window; who is only lost for moments is where the face is', () => {
  const turning = window(shot(6, (second) => [second < 2 ? face(0.3) : person(0.3 + second / 15)]));
  assert.ok(Math.abs(middles(turning).at(-1)! - 0.7) < 0.12, String(middles(turning)));
  const talking = window(shot(6, (second) => [second % 1 < 0.75 ? face(0.3) : person(0.8)]));
  for (const middle of middles(talking)) assert.ok(Math.abs(middle - 0.3) < 0.02);
});

test('a person who is higher than the window is shown from the head down', () => {
  const tall: Geometry = {
    source: { width: 1080, height: 1920 },
    window: { width: 1080, height: 607.5 },
    upright: 9 / 16,
  };
  for (const { y } of window(
    shot(4, () => [person(0.5)]),
    tall,
  ).keys) {
    assert.ok(Math.abs(y - 0.2 * 1920) < 20, String(y));
  }
});

test('without faces and persons, what draws the eye', () => {
  const path = window(shot(4, () => [salient(0.7)]));
  assert.ok(Math.abs(middles(path)[4]! - 0.7) < 0.05);
});

test('without a subject the picture is shown whole, but not for a moment, nor where little would be lost', () => {
  const nothing = () => [];
  assert.equal(treatmentOf(shot(4, nothing), geometry).mode, 'fit');
  const brief = { ...shot(1, nothing), end: 0.7 };
  assert.equal(treatmentOf(brief, geometry).mode, 'crop');
  const near: Geometry = { ...geometry, window: { width: 1440, height: 1080 }, upright: 3 / 4 };
  assert.equal(treatmentOf(shot(4, nothing), near).mode, 'crop');
});

test('asked for one window, there is one', () => {
  const analyses = [shot(4, () => []), shot(4, () => [face(0.2), face(0.8)])];
  for (const analysis of analyses) {
    assert.equal(treatmentOf(analysis, geometry, { windowsOnly: true }).mode, 'crop');
  }
});

test('a picture that is higher than the output is cut above and below', () => {
  const tall: Geometry = {
    source: { width: 1080, height: 1920 },
    window: { width: 1080, height: 607.5 },
    upright: 9 / 16,
  };
  const path = window(
    shot(4, () => [face(0.5)]),
    tall,
  );
  for (const { x, y } of path.keys) {
    assert.equal(x, 0);
    assert.ok(y > 200 && y < 700, String(y));
  }
});

test('a single find elsewhere does not draw the window away, not even the first one', () => {
  for (const wrong of [0, 7, 15]) {
    const path = window(shot(4, (second) => [salient(second * 4 === wrong ? 0.85 : 0.3)]));
    const seen = middles(path);
    assert.ok(Math.max(...seen) - Math.min(...seen) < 0.01, `${wrong}: ${seen.join(' ')}`);
  }
});

test('the speaker has the picture, without a part of the other face; otherwise both have it', () => {
  const looked: ShotAnalysis = {
    ...shot(9, () => [face(0.36, 0.14), face(0.64, 0.13)]),
    talks: [
      { start: 0, end: 3, face: 0 },
      { start: 3, end: 6, face: 1 },
      { start: 6, end: 9, face: null },
    ],
  };
  const parts = chooseTreatments(looked, geometry);
  assert.deepEqual(
    parts.map(({ start, end, treatment }) => [start, end, treatment.mode]),
    [
      [0, 3, 'crop'],
      [3, 6, 'crop'],
      [6, 9, 'stack'],
    ],
  );
  const [left, right] = parts.map(({ treatment }) => {
    assert.ok(treatment.mode === 'crop' || treatment.mode === 'stack');
    return treatment.mode === 'crop' ? treatment.window : treatment.windows[0];
  }) as [WindowPath, WindowPath];
  const rightOf = ({ width, keys }: WindowPath) => Math.max(...keys.map(({ x }) => x + width));
  assert.ok(rightOf(left) <= (0.64 - 0.065) * 1920 + 1 && rightOf(left) >= (0.36 + 0.07) * 1920);
  const leftOf = Math.min(...right.keys.map(({ x }) => x));
  assert.ok(leftOf >= (0.36 + 0.07) * 1920 - 1 && leftOf <= (0.64 - 0.065) * 1920);
});

test('people who fit in one window are shown together, no matter who speaks', () => {
  const looked: ShotAnalysis = {
    ...shot(4, () => [face(0.45), face(0.6)]),
    talks: [{ start: 0, end: 4, face: 1 }],
  };
  const [part, ...rest] = chooseTreatments(looked, geometry);
  assert.equal(rest.length, 0);
  assert.ok(part?.treatment.mode === 'crop');
  for (const middle of middles(part.treatment.window)) assert.ok(Math.abs(middle - 0.525) < 0.05);
});
