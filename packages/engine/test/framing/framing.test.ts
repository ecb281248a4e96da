import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cropExpression } from '../../src/framing/framing-graph.ts';
import type { PictureAnalysis, Subject } from '../../src/framing/subject-finder.ts';
import { type FramedClip, findShot } from '../../src/framing/layout.ts';
import { chooseFraming } from '../../src/framing/framing.ts';
import { simplifyPath } from '../../src/framing/window-keys.ts';
import { type WindowKey } from '../../src/edit.ts';
import { dice } from 'clip-testkit/media-analysis';

const face = (middle: number): Subject => ({
  kind: 'face',
  box: { x: middle - 0.04, y: 0.3, width: 0.08, height: 0.14 },
});

const analysisOf = (
  seconds: number,
  cuts: number[],
  at: (second: number) => Subject[],
): PictureAnalysis => ({
  cuts,
  sightings: Array.from({ length: seconds * 4 }, (_, index) => ({
    time: index / 4,
    subjects: at(index / 4),
  })),
});

const clip: FramedClip = {
  source: { width: 1920, height: 1080 },
  dimensions: { width: 1080, height: 1920 },
  ranges: [{ start: 10, end: 18 }],
  frameRate: 25,
};

/** The window's left edge at each frame, from the keys. */
function lefts(framing: ReturnType<typeof chooseFraming>, frames: number): number[] {
  return Array.from({ length: frames }, (_, frame) => {
    const still = findShot(framing, frame);
    assert.ok(still.mode === 'crop', still.mode);
    return still.window.keys[0]!.x;
  });
}

test('a subject that rests is a window that stands still: the plain form', () => {
  const framing = chooseFraming(
    clip,
    analysisOf(8, [], () => [face(0.5)]),
  );
  assert.ok(framing.mode === 'crop');
  assert.ok(Math.abs(framing.x + framing.width / 2 - 960) < 65);
  assert.equal(framing.width, 607);
});

test('at a cut the window jumps in that very frame', () => {
  const framing = chooseFraming(
    clip,
    analysisOf(8, [3.24], (second) => [face(second < 3.24 ? 0.25 : 0.75)]),
  );
  const left = lefts(framing, 200);
  assert.ok(Math.abs(left[80]! - left[0]!) < 2, 'still before');
  assert.ok(left[81]! - left[80]! > 700, 'the jump');
  assert.ok(Math.abs(left[199]! - left[81]!) < 2, 'still after');
});

/** Shots of four seconds, each with people for one way of framing and then for another. */
function manyShots(subjects: (shot: number) => Subject[]) {
  const seconds = 4 * 30;
  const cuts = Array.from({ length: 29 }, (_, index) => 4 * (index + 1));
  const analysis = analysisOf(seconds, cuts, (second) => subjects(Math.floor(second / 4)));
  return chooseFraming({ ...clip, ranges: [{ start: 10, end: 10 + seconds }] }, analysis);
}

test('with too many changes there are only windows, and the whole picture if they would cut letters', () => {
  const pairs = (shot: number) => (shot % 2 === 0 ? [face(0.2), face(0.8)] : [face(0.5)]);
  const windows = manyShots(pairs);
  assert.ok(windows.mode === 'shots');
  assert.deepEqual(
    windows.shots.map(({ mode }) => mode),
    ['crop'],
  );
  const title: Subject = { kind: 'text', box: { x: 0.05, y: 0.8, width: 0.24, height: 0.05 } };
  const titled = (shot: number) => (shot % 2 === 0 ? [face(0.4), title] : [face(0.5)]);
  assert.deepEqual(manyShots(titled), { mode: 'fit' });
});

test('removed segments remove their part of the movement', () => {
  const ranges = [
    { start: 10, end: 12 },
    { start: 14, end: 18 },
  ];
  const moving = analysisOf(8, [], (second) => [face(0.2 + second * 0.07)]);
  const whole = lefts(chooseFraming(clip, moving), 200);
  const cut = lefts(chooseFraming({ ...clip, ranges }, moving), 150);
  for (const frame of [0, 20, 49]) assert.ok(Math.abs(cut[frame]! - whole[frame]!) <= 2);
  for (const frame of [50, 80, 149]) assert.ok(Math.abs(cut[frame]! - whole[frame + 50]!) <= 2);
});

test('shots are shown each in its way, and their frames are all there', () => {
  const framing = chooseFraming(
    clip,
    analysisOf(8, [2, 4, 6], (second) => {
      if (second < 2) return [face(0.3)];
      if (second < 4) return [];
      return second < 6 ? [face(0.2), face(0.8)] : [face(0.6)];
    }),
  );
  assert.ok(framing.mode === 'shots');
  assert.deepEqual(
    framing.shots.map(({ mode, from, to }) => [mode, from, to]),
    [
      ['crop', 0, 50],
      ['fit', 50, 100],
      ['stack', 100, 150],
      ['crop', 150, 200],
    ],
  );
});

test('a clip of very many shots keeps to one window', () => {
  const cuts = Array.from({ length: 60 }, (_, index) => 1 + index);
  const long = { ...clip, ranges: [{ start: 0, end: 61 }] };
  const framing = chooseFraming(
    long,
    analysisOf(61, cuts, (second) => (Math.floor(second) % 2 === 0 ? [face(0.3)] : [])),
  );
  assert.ok(framing.mode === 'shots' || framing.mode === 'crop');
  if (framing.mode === 'shots') assert.deepEqual(framing.shots.length, 1);
});

test('a look in which nothing was seen makes a framing as well', () => {
  assert.deepEqual(chooseFraming(clip, { sightings: [], cuts: [] }), { mode: 'fit' });
});

/** Evaluates an ffmpeg expression in JavaScript. */
function evaluated(expression: string): (n: number) => number {
  const script = expression.replaceAll('if(lt(n,', 'choose(n<(');
  const read = (text: string): string => text.replace(/n<\((\d+)\)/g, 'n<$1');

  return new Function('n', `const choose=(when,a,b)=>when?a:b; return ${read(script)};`) as (
    n: number,
  ) => number;
}

test('the expression gives each frame its place, to a pixel, and nests no deeper than it must', () => {
  for (let seed = 1; seed <= 2; seed++) {
    const roll = dice(seed);
    let x = 400;
    const places: WindowKey[] = Array.from({ length: 2000 }, (_, frame) => {
      if (frame % 400 === 0) x = roll() * 1300;
      else if (roll() < 0.4) x = Math.min(1300, Math.max(0, x + (roll() - 0.5) * 9));
      return { frame, x, y: 0 };
    });
    const keys = simplifyPath(places);
    const expression = cropExpression(keys, 'x');
    const at = evaluated(expression);
    for (const place of places) {
      assert.ok(Math.abs(at(place.frame) - place.x) <= 0.6, `frame ${place.frame}`);
    }
    const depth = Math.ceil(Math.log2(keys.length)) + 1;
    let open = 0;
    let deepest = 0;
    for (const letter of expression) {
      if (letter === '(') deepest = Math.max(deepest, ++open);
      else if (letter === ')') open -= 1;
    }
    assert.ok(deepest <= 2 * depth + 1, `${deepest} for ${keys.length} keys`);
    assert.equal(cropExpression(keys, 'y'), '0');
  }
});
