import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeAssDocument } from '../../src/captions/ass.ts';
import { clearOfFaces, placeText } from '../../src/captions/caption-place.ts';
import { captionLayout, placeEmoji } from '../../src/captions/caption-layout.ts';
import { dice } from 'clip-testkit/media-analysis';
import type { OutputFace, CaptionLine } from '../../src/edit.ts';
import { defaultStyle, type Style } from '../../src/style/style.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

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

const face = (
  start: number,
  end: number,
  y: number,
  more: Partial<OutputFace> = {},
): OutputFace => ({
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
  faces: readonly OutputFace[],
  analysis: { dimensions: typeof dimensions; style: Style } = { dimensions, style },
) => clearOfFaces(lines, faces, analysis).map(({ position }) => position ?? 'own');

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
    const analysis = { dimensions, style: styled(position) };
    assert.notDeepEqual(positions([line(0)], [face(0, 1, y)], analysis), ['own'], position);
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
  const everywhere = [face(0, 9, 0.05, { height: 0.93, x: 0, width: 1 })];
  const [only] = clearOfFaces([line(0)], everywhere, { dimensions, style });
  assert.ok(only);
});

/** The part of the height that a line covers, with its outline. */
function heightOf({ rise, position }: CaptionLine): [number, number] {
  const layout = captionLayout(dimensions, style);
  const height = (1.35 * layout.captionSize) / dimensions.height;
  const top = {
    lower: 1 - layout.lowerMargin / dimensions.height - height,
    middle: (1 - height) / 2,
    upper: layout.upperMargin / dimensions.height,
  }[position ?? style.captions.position];
  return rise === undefined ? [top, top + height] : [1 - rise - height, 1 - rise];
}

test('if faces are at all three places, captions take a free height between or below them', () => {
  for (const faces of [
    [face(0, 9, 0.62), face(0, 9, 0.25), face(0, 9, 0.44, { height: 0.1 })],
    // A close-up: only below the chin is room.
    [face(0, 9, 0.2, { height: 0.56, x: 0.1, width: 0.8 })],
    [face(0, 9, 0.1, { height: 0.3, x: 0, width: 1 }), face(0, 9, 0.47, { height: 0.28 })],
  ]) {
    const [placed] = clearOfFaces([line(0)], faces, { dimensions, style });
    assert.ok(placed!.rise !== undefined && placed!.rise >= 0.08, JSON.stringify(placed));
    const [top, bottom] = heightOf(placed!);
    for (const { y, height } of faces) {
      assert.ok(bottom <= y || top >= y + height, `${top} to ${bottom} on ${y}`);
    }
    assert.match(
      writeAssDocument({ ...edit, captions: [placed!], title: null }),
      new RegExp(`,Caption,,0,0,${Math.round(placed!.rise! * 1920)},,\\{\\\\an2`),
    );
  }
});

test('where a close-up leaves no free place, captions cover neither eyes nor mouth', () => {
  for (const closeUp of [
    face(0, 9, 0.08, { x: 0, width: 1, height: 0.92 }),
    face(0, 9, 0.1, { x: 0.04, width: 0.92, height: 0.84 }),
    face(0, 9, -0.2, { x: -0.1, width: 1.2, height: 1.08 }),
  ]) {
    const eyes = closeUp.y + 0.3 * closeUp.height;
    const underMouth = closeUp.y + 0.95 * closeUp.height;
    for (const position of ['lower', 'middle', 'upper'] as const) {
      const analysis = { dimensions, style: styled(position) };
      const [placed] = clearOfFaces([line(0)], [closeUp], analysis);
      const [top, bottom] = heightOf({ position, ...placed! });
      const where = `${position}: ${top} to ${bottom}, ${JSON.stringify(closeUp)}`;
      assert.ok(bottom <= eyes + 0.01 || top >= underMouth - 0.01, where);
    }
  }
});

test('captions and emoji cover no given face wherever there is room for them', () => {
  const random = dice(11);
  let moved = 0;
  for (let round = 0; round < 300; round++) {
    const faces = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const height = 0.08 + 0.3 * random();
      const x = 0.2 + 0.3 * random();
      return face(0, 9, random() * (0.9 - height), { x, height, width: 0.3 });
    });
    const cues = [{ emoji: '🐝', start: 0, end: 1 }];
    const made = placeText({ ...edit, title: null, captions: [line(0)], emojis: cues, faces });
    // Faces with a margin leave room for a line, below the title and above the bottom edge.
    const room = Array.from({ length: 60 }, (_, index) => 0.28 + index / 100).some((top) =>
      faces.every(
        ({ y, height }) => top + 0.08 < y - 0.12 * height || top > y + height * 1.12 + 0.01,
      ),
    );
    if (!room) continue;
    const [top, bottom] = heightOf(made.captions[0]!);
    if (made.captions[0]!.rise !== undefined) moved += 1;
    for (const { y, height } of faces) {
      assert.ok(bottom <= y + 0.01 || top >= y + height - 0.01, JSON.stringify(faces));
    }
    for (const { position } of made.emojis) {
      const box = placeEmoji({ width: 100, height: 100 }, dimensions, style, position);
      for (const { x, y, width, height } of faces) {
        const beside = box.x + box.width <= x * 1080 + 8 || box.x >= (x + width) * 1080 - 8;
        const apart = box.y + box.height <= y * 1920 + 8 || box.y >= (y + height) * 1920 - 8;
        assert.ok(beside || apart, JSON.stringify([box, x, y]));
      }
    }
  }
  assert.ok(moved > 3, String(moved));
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

const edit = plainEdit({
  source: { width: 1920, height: 1080, frameRate: 25, hasAudio: true },
  ranges: [{ start: 0, end: 9 }],
  dimensions,
  captions: [line(0), line(4)],
  title: { text: 'What nobody tells you about bees', end: 3 },
});

test('a title that would cover a face stands over the captions, and one that would not stays at the top', () => {
  assert.equal(placeText(edit).title?.position, undefined);
  const high = placeText({ ...edit, faces: [face(0, 9, 0.06)] });
  assert.equal(high.title?.position, 'lower');
  assert.match(writeAssDocument(high), /,Title,,0,0,[1-9]\d*,,\{\\an2/);
  const everywhere = [face(0, 9, 0.06), face(0, 9, 0.5, { height: 0.3, y: 0.45 })];
  assert.equal(placeText({ ...edit, faces: [everywhere[1]!] }).title?.position, undefined);
  assert.equal(placeText({ ...edit, faces: [face(5, 9, 0.06)] }).title?.position, undefined);
});

test('an emoji goes with its line; over a face or a low title it is left out', () => {
  const cues = [
    { emoji: '🐝', start: 0.2, end: 1 },
    { emoji: '🍯', start: 4.2, end: 5 },
  ];
  const emojis = (faces: OutputFace[]) => placeText({ ...edit, emojis: cues, faces }).emojis;
  assert.deepEqual(emojis([]), cues);
  const [moved] = emojis([face(4, 9, 0.68)]).filter(({ emoji }) => emoji === '🍯');
  assert.equal(moved?.position, 'upper');
  assert.deepEqual(
    emojis([face(0, 9, 0.06)]).map(({ emoji }) => emoji),
    ['🍯'],
  );
  assert.ok(!emojis([face(4, 9, 0.55, { height: 0.1 })]).some(({ emoji }) => emoji === '🍯'));
});
