import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CropWindow, Edit, FramedShot, Framing } from '../../src/edit.ts';
import { listDrawnParts } from '../../src/framing/drawn-parts.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

const output = { width: 1080, height: 1920 };

const editOf = (framing: Framing): Edit =>
  plainEdit({
    source: { width: 1280, height: 720, frameRate: 30, hasAudio: true },
    ranges: [{ start: 0, end: 4 }],
    dimensions: output,
    framing,
  });

const shots = (...list: FramedShot[]): Edit => editOf({ mode: 'shots', shots: list });

const window: CropWindow = {
  width: 405,
  height: 720,
  keys: [
    { frame: 0, x: 100, y: 0 },
    { frame: 10, x: 200.4, y: 0 },
  ],
};

test('a crop fills the output with its window', () => {
  const edit = editOf({ mode: 'crop', x: 437, y: 0, width: 405, height: 720 });
  assert.deepEqual(listDrawnParts(edit, output, 7), [
    { from: { x: 437, y: 0, width: 405, height: 720 }, to: { x: 0, y: 0, ...output } },
  ]);
});

test('a window moves in straight lines between its keys, at whole pixels, and stays at the last', () => {
  const edit = shots({ mode: 'crop', from: 0, to: 60, window });
  const left = (frame: number) => listDrawnParts(edit, output, frame)[0]!.from.x;
  assert.deepEqual([0, 1, 5, 10, 59].map(left), [100, 110, 150, 200, 200]);
});

test('frames of a window count from the start of its shot', () => {
  const edit = shots({ mode: 'fit', from: 0, to: 30 }, { mode: 'crop', from: 30, to: 60, window });
  assert.equal(listDrawnParts(edit, output, 29).length, 2);
  assert.equal(listDrawnParts(edit, output, 30)[0]!.from.x, 100);
  assert.equal(listDrawnParts(edit, output, 35)[0]!.from.x, 150);
});

test('a whole picture is in the middle of its blurred ground, which has the shape of the output', () => {
  const [ground, picture] = listDrawnParts(editOf({ mode: 'fit' }), output, 0);
  assert.deepEqual(picture, {
    from: { x: 0, y: 0, width: 1280, height: 720 },
    to: { x: 0, y: 656, width: 1080, height: 608 },
  });
  assert.deepEqual(ground, {
    from: { x: 437.5, y: 0, width: 405, height: 720 },
    to: { x: 0, y: 0, ...output },
    ground: { small: { width: 136, height: 240 }, blur: 11, darker: 0.12 },
  });
});

test('two windows share the output, one above the other', () => {
  const two = shots({ mode: 'stack', from: 0, to: 60, windows: [window, window] });
  const [upper, lower] = listDrawnParts(two, output, 5);
  assert.deepEqual(upper!.to, { x: 0, y: 0, width: 1080, height: 960 });
  assert.deepEqual(lower!.to, { x: 0, y: 960, width: 1080, height: 960 });
  assert.equal(lower!.from.x, 150);
});

test('a screen is whole, and its speaker has the rest below it', () => {
  const [screen, speaker] = listDrawnParts(
    shots({ mode: 'screen', from: 0, to: 60, speaker: window }),
    output,
    0,
  );
  assert.deepEqual(screen, {
    from: { x: 0, y: 0, width: 1280, height: 720 },
    to: { x: 0, y: 0, width: 1080, height: 608 },
  });
  assert.deepEqual(speaker!.to, { x: 0, y: 608, width: 1080, height: 1312 });
});

test('a cover is between title and captions, in the middle, on a ground of itself', () => {
  const edit = editOf({ mode: 'fit' });
  const source = { ...edit.source, width: 800, height: 800, soundAlone: 'cover' as const };
  const [ground, cover] = listDrawnParts({ ...edit, source }, output, 0);
  assert.ok(ground?.ground);
  assert.deepEqual(cover?.to, { x: 150, y: 478, width: 778, height: 778 });
  const square = { width: 1080, height: 1080 };
  const [, low] = listDrawnParts({ ...edit, source }, square, 0);
  assert.deepEqual(low?.to, { x: 280, y: 280, width: 518, height: 518 });
});

test('sound without a cover has a ground in the colours of the style, however it is framed', () => {
  const edit = editOf({ mode: 'crop', x: 0, y: 0, width: 405, height: 720 });
  const source = { ...edit.source, soundAlone: 'wave' as const };
  const [ground, ...more] = listDrawnParts({ ...edit, source }, output, 0);
  assert.deepEqual([ground?.to, ground?.fill, more], [{ x: 0, y: 0, ...output }, '#2d2a1a', []]);
});

test('a window that is wider than the output is shown on the blurred ground', () => {
  const wide: CropWindow = { width: 576, height: 720, keys: [{ frame: 0, x: 300, y: 0 }] };
  const [ground, picture] = listDrawnParts(
    shots({ mode: 'crop', from: 0, to: 60, window: wide }),
    output,
    0,
  );
  assert.ok(ground!.ground);
  assert.deepEqual(picture, {
    from: { x: 300, y: 0, width: 576, height: 720 },
    to: { x: 0, y: 284, width: 1080, height: 1350 },
  });
});

test('a band of the source fills the width below the window', () => {
  const upper: CropWindow = { width: 450, height: 720, keys: [{ frame: 0, x: 300, y: 0 }] };
  const edit = shots({
    mode: 'crop',
    from: 0,
    to: 60,
    window: upper,
    band: { y: 600, height: 120 },
  });
  const [window, band] = listDrawnParts(edit, output, 0);
  assert.deepEqual(window!.to, { x: 0, y: 0, width: 1080, height: 1818 });
  assert.deepEqual(band, {
    from: { x: 0, y: 600, width: 1280, height: 120 },
    to: { x: 0, y: 1818, width: 1080, height: 102 },
  });
});
