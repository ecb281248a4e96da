import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assDocument } from '../../src/captions/ass.ts';
import { clearOfFaces, placedText } from '../../src/captions/caption-place.ts';
import type { SeenFace, CaptionLine, Edit } from '../../src/edit.ts';
import { defaultStyle, type Style } from '../../src/style/style.ts';

const dimensions = { width: 1080, height: 1920 };
const style = defaultStyle;
const styled = (position: Style['captions']['position']): Style => ({
  ...style,
  captions: { ...style.captions, position },
});

const line = (start: number): CaptionLine => ({
  start,
  end: start + 1,
  words: [
    { text: 'three', start, end: start + 0.3 },
    { text: 'good', start: start + 0.3, end: start + 0.6 },
    { text: 'words', start: start + 0.6, end: start + 1 },
  ],
});

const face = (start: number, end: number, y: number, more: Partial<SeenFace> = {}): SeenFace => ({
  start,
  end,
  x: 0.35,
  y,
  width: 0.3,
  height: 0.17,
  ...more,
});

const positions = (
  lines: readonly CaptionLine[],
  faces: readonly SeenFace[],
  look: { dimensions: typeof dimensions; style: Style } = { dimensions, style },
) => clearOfFaces(lines, faces, look).map(({ position }) => position ?? 'own');

test('captions stand where the style has them while no face is there', () => {
  assert.deepEqual(positions([line(0), line(1)], []), ['own', 'own']);
  assert.deepEqual(positions([line(0)], [face(0, 9, 0.25)]), ['own']);
});

test('a face where they would stand moves them out of its way, from wherever the style has them', () => {
  assert.equal(style.captions.position, 'lower');
  assert.notDeepEqual(positions([line(0)], [face(0, 1, 0.62)]), ['own']);
  for (const [position, y] of [
    ['middle', 0.42],
    ['upper', 0.25],
    ['lower', 0.65],
  ] as const) {
    const look = { dimensions, style: styled(position) };
    assert.notDeepEqual(positions([line(0)], [face(0, 1, y)], look), ['own'], position);
  }
});

test('a face beside short captions is not covered by them', () => {
  const beside = face(0, 9, 0.62, { x: 0, width: 0.12 });
  const brief = { ...line(0), words: [{ text: 'no', start: 0, end: 1 }] };
  assert.deepEqual(positions([brief], [beside]), ['own']);
});

test('of several faces none is covered where there is a free place, else the least of them', () => {
  const two = [face(0, 9, 0.62), face(0, 9, 0.25)];
  assert.deepEqual(positions([line(0)], two), ['middle']);
  const everywhere = [face(0, 9, 0.62), face(0, 9, 0.25), face(0, 9, 0.44, { y: 0.5 })];
  const [only] = positions([line(0)], everywhere);
  assert.ok(['own', 'upper', 'middle'].includes(only!));
});

test('captions that made way stay for a while, and come back when all is calm', () => {
  const lines = [0, 1, 2, 3.5, 6].map(line);
  const [first, second, third, fourth, last] = positions(lines, [face(0, 0.9, 0.62)]);
  assert.notEqual(first, 'own');
  assert.deepEqual([second, third], [first, first]);
  assert.deepEqual([fourth, last], ['own', 'own']);
});

test('a place that an earlier edit had is forgotten', () => {
  assert.deepEqual(positions([{ ...line(0), position: 'upper' }], []), ['own']);
});

const edit: Edit = {
  version: 1,
  source: { width: 1920, height: 1080, frameRate: 25, hasAudio: true },
  ranges: [{ start: 0, end: 9 }],
  duration: 9,
  frameRate: 25,
  dimensions,
  framing: { mode: 'fit' },
  captions: [line(0), line(4)],
  emojis: [],
  title: { text: 'What nobody tells you about bees', end: 3 },
};

test('a title that would cover a face stands over the captions, and one that would not stays at the top', () => {
  assert.equal(placedText(edit).title?.position, undefined);
  const high = placedText({ ...edit, faces: [face(0, 9, 0.06)] });
  assert.equal(high.title?.position, 'lower');
  assert.match(assDocument(high), /,Title,,0,0,[1-9]\d*,,\{\\an2/);
  const everywhere = [face(0, 9, 0.06), face(0, 9, 0.5, { height: 0.3, y: 0.45 })];
  assert.equal(placedText({ ...edit, faces: [everywhere[1]!] }).title?.position, undefined);
  assert.equal(placedText({ ...edit, faces: [face(5, 9, 0.06)] }).title?.position, undefined);
});

test('an emoji goes with its line; over a face or a low title there is none', () => {
  const cues = [
    { emoji: '🐝', start: 0.2, end: 1 },
    { emoji: '🍯', start: 4.2, end: 5 },
  ];
  const emojis = (faces: SeenFace[]) => placedText({ ...edit, emojis: cues, faces }).emojis;
  assert.deepEqual(emojis([]), cues);
  const [moved] = emojis([face(4, 9, 0.68)]).filter(({ emoji }) => emoji === '🍯');
  assert.equal(moved?.position, 'upper');
  assert.deepEqual(
    emojis([face(0, 9, 0.06)]).map(({ emoji }) => emoji),
    ['🍯'],
  );
  assert.ok(!emojis([face(4, 9, 0.55, { height: 0.1 })]).some(({ emoji }) => emoji === '🍯'));
});
