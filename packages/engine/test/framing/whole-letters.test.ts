import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Box } from '../../src/edit.ts';
import type { Geometry, ShotAnalysis } from '../../src/framing/following.ts';
import { treatmentsOf } from '../../src/framing/shots.ts';
import type { Subject } from '../../src/framing/subject-finder.ts';
import { withWholeLetters } from '../../src/framing/text/whole-letters.ts';

const geometry: Geometry = {
  source: { width: 1920, height: 1080 },
  window: { width: 607.5, height: 1080 },
  upright: 16 / 9,
};

const face = (middle: number): Subject => ({
  kind: 'face',
  box: { x: middle - 0.05, y: 0.25, width: 0.1, height: 0.2 },
});
const salient: Subject = { kind: 'salient', box: { x: 0.34, y: 0, width: 0.32, height: 1 } };
const line = (x: number, y: number, width: number, height = 0.05): Subject => ({
  kind: 'text',
  box: { x, y, width, height },
});

/** How a shot of twelve seconds is shown, and where its windows are. */
function shown(at: (second: number) => Subject[], end = 12) {
  const shot: ShotAnalysis = {
    start: 0,
    end,
    sightings: Array.from({ length: end * 4 }, (_, index) => ({
      time: index / 4,
      subjects: at(index / 4),
    })),
  };
  return treatmentsOf(shot, geometry)
    .flatMap((part) => withWholeLetters(part, shot, geometry))
    .map(({ start, end: until, treatment }) => ({
      span: [start, until],
      mode: treatment.mode,
      windows:
        treatment.mode === 'crop'
          ? treatment.window.keys.map(({ x }) => [x / 1920, (x + treatment.window.width) / 1920])
          : [],
    }));
}

const modes = (parts: ReturnType<typeof shown>) => parts.map(({ mode, span }) => [mode, ...span]);

/** Whether all windows show all of a box, or nothing of it. */
const isWhole = (parts: ReturnType<typeof shown>, { x, width }: Box) =>
  parts.every(({ windows }) =>
    windows.every(([left, right]) => {
      const [first, last] = [x + 0.01, x + width - 0.01];
      return (left! <= first && right! >= last) || left! >= last || right! <= first;
    }),
  );

test('small words of a title card are whole: the window is moved, or the picture is whole', () => {
  const word = line(0.29, 0.45, 0.2);
  const moved = shown(() => [salient, word]);
  assert.deepEqual(modes(moved), [['crop', 0, 12]]);
  assert.ok(isWhole(moved, word.box));
  // Two words that no window has room for, each too small to be a slide.
  const apart = shown(() => [salient, line(0.2, 0.45, 0.2), line(0.62, 0.45, 0.2)]);
  assert.deepEqual(modes(apart), [['fit', 0, 12]]);
});

test('a name below a speaker is whole while it is there', () => {
  const name = line(0.05, 0.8, 0.24);
  const parts = shown((second) => [face(0.4), ...(second >= 4 && second < 7 ? [name] : [])]);
  // Text is searched every two seconds, so it may have come two before it was found.
  assert.deepEqual(
    parts.map(({ mode }) => mode),
    ['crop', 'fit', 'crop'],
  );
  const [from, to] = parts[1]!.span as [number, number];
  assert.ok(from <= 2.01 && to >= 6.75 && to < 8, `${from} ${to}`);
  const beside = line(0.25, 0.8, 0.2);
  const moved = shown((second) => [face(0.4), ...(second < 9 ? [beside] : [])]);
  assert.deepEqual(modes(moved), [['crop', 0, 12]]);
  assert.ok(isWhole(moved, beside.box));
});

test('between whole pictures a window stays for two seconds', () => {
  const name = line(0.05, 0.8, 0.24);
  const parts = shown((second) => [
    face(0.4),
    ...((second >= 1 && second < 4) || (second >= 7 && second < 11) ? [name] : []),
  ]);
  assert.deepEqual(modes(parts), [['fit', 0, 12]]);
});

test('what a reader would not read may be cut: small letters, signs behind people, moving ones', () => {
  const at = 0.4;
  for (const subjects of [
    () => [face(at), line(0.15, 0.8, 0.2, 0.02)],
    () => [face(at), line(0.15, 0.4, 0.2)],
    () => [face(at), line(0.15, 0.05, 0.2)],
    (second: number) => [face(at), line(0.15, 0.65 + 0.02 * second, 0.2)],
    (second: number) => [face(at), ...(second < 1 ? [line(0.15, 0.8, 0.2)] : [])],
  ]) {
    const parts = shown(subjects);
    assert.deepEqual(modes(parts), [['crop', 0, 12]]);
    for (const [left, right] of parts[0]!.windows) {
      assert.ok(Math.abs((left! + right!) / 2 - at) < 0.01, `${left} ${right}`);
    }
  }
});

test('words on a person’s back are no slide', () => {
  const person: Subject = { kind: 'person', box: { x: 0.6, y: 0.1, width: 0.26, height: 0.9 } };
  const parts = shown(() => [person, line(0.62, 0.35, 0.2, 0.12)]);
  assert.deepEqual(modes(parts), [['crop', 0, 12]]);
  const slide = [0.2, 0.4, 0.6].map((y) => line(0.1, y, 0.4));
  assert.deepEqual(modes(shown(() => [person, ...slide])), [['fit', 0, 12]]);
});

test('two above each other give way to a title that one of them would cut', () => {
  const title = line(0.4, 0.66, 0.2);
  const pair = (second: number) => [
    face(0.2),
    face(0.8),
    ...(second >= 6 && second < 10 ? [title] : []),
  ];
  assert.deepEqual(
    shown(pair).map(({ mode }) => mode),
    ['stack', 'fit'],
  );
});
