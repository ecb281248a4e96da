import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Box } from '../../src/edit.ts';
import type { Geometry, ShotAnalysis } from '../../src/framing/following.ts';
import type { Subject } from '../../src/framing/subject-finder.ts';
import { showWithLetters } from '../../src/framing/text/whole-letters.ts';

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
  return showWithLetters(shot, geometry).map(({ start, end: until, treatment }) => {
    const [window, band] =
      treatment.mode === 'crop' ? [treatment.window, treatment.band] : [null, null];
    return {
      span: [start, until],
      mode: band ? 'band' : treatment.mode,
      windows: window?.keys.map(({ x }) => [x / 1920, (x + window.width) / 1920]) ?? [],
      rows: window && [window.keys[0]!.y / 1080, (window.keys[0]!.y + window.height) / 1080],
      band: band && [band.y / 1080, (band.y + band.height) / 1080],
    };
  });
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

test('a name below a speaker is below the window while it is there', () => {
  const name = line(0.05, 0.8, 0.24);
  const parts = shown((second) => [face(0.4), ...(second >= 4 && second < 7 ? [name] : [])]);
  assert.deepEqual(
    parts.map(({ mode }) => mode),
    ['crop', 'band', 'crop'],
  );
  const { span, windows, rows, band } = parts[1]!;
  const [from, to] = span as [number, number];
  // It may come half a second before it is found, and go a moment after.
  assert.ok(from > 3.3 && from <= 3.5 && to >= 7 && to < 7.3, `${from} ${to}`);
  assert.ok(band![0]! <= 0.8 && band![1]! >= 0.85 && band![1]! < 0.9, String(band));
  assert.deepEqual(rows, [0, band![0]]);
  for (const [left, right] of windows) assert.ok(left! < 0.34 && right! > 0.46);
  // What is left of the output above the band has the window's shape.
  const shape = ((windows[0]![1]! - windows[0]![0]!) * 1920) / (rows![1]! * 1080);
  const above = 16 / 9 - ((band![1]! - band![0]!) * 1080) / 1920;
  assert.ok(Math.abs(shape * above - 1) < 0.01, String(shape));
});

test('letters beside which a window has room move it instead', () => {
  const beside = line(0.25, 0.8, 0.2);
  const moved = shown((second) => [face(0.4), ...(second < 9 ? [beside] : [])]);
  assert.deepEqual(modes(moved), [['crop', 0, 12]]);
  assert.ok(isWhole(moved, beside.box));
});

test('a band stays from one subtitle to the next, and goes if none comes for two seconds', () => {
  const parts = shown((second) => {
    if (second < 2 || (second >= 3.5 && second < 5)) return [face(0.4), line(0.2, 0.85, 0.6)];
    return [face(0.4), ...(second >= 8 ? [line(0.05, 0.84, 0.9)] : [])];
  });
  assert.deepEqual(
    parts.map(({ mode }) => mode),
    ['band', 'crop', 'band'],
  );
  assert.ok(Math.abs(parts[0]!.span[1]! - 5.15) < 0.1 && Math.abs(parts[1]!.span[1]! - 7.4) < 0.1);
  assert.deepEqual(parts[0]!.band, parts[2]!.band);
});

test('text that scrolls below a speaker is in a band, and a title at the top in one below', () => {
  const pieces = (second: number) => [line(0, 0.9, 0.3 + 0.05 * (second % 3)), line(0.5, 0.9, 0.5)];
  assert.deepEqual(modes(shown((second) => [face(0.4), ...pieces(second)])), [['band', 0, 12]]);
  const [top] = shown(() => [face(0.4), line(0.2, 0.05, 0.6)]);
  assert.equal(top!.mode, 'band');
  assert.ok(top!.rows![0]! >= 0.1 && top!.rows![0]! < 0.15 && top!.rows![1] === 1);
});

test('letters that leave no room for a person, or without one, are shown with the whole picture', () => {
  const middle = () => [face(0.4), line(0.1, 0.48, 0.8)];
  assert.deepEqual(modes(shown(middle)), [['fit', 0, 12]]);
  assert.deepEqual(modes(shown(() => [salient, line(0.1, 0.85, 0.5)])), [['fit', 0, 12]]);
});

test('what a reader would not read may be cut: small letters, signs behind people, moving ones', () => {
  const at = 0.4;
  for (const subjects of [
    () => [face(at), line(0.15, 0.8, 0.2, 0.02)],
    () => [face(at), line(0.15, 0.4, 0.2)],
    () => [face(at), line(0.15, 0.05, 0.2)],
    (second: number) => [face(at), line(0.15 + 0.04 * second, 0.7, 0.2)],
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
