import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureEdgeShares, hasOtherLetters } from '../../src/framing/text/text-finder.ts';

const size = { width: 640, height: 360 };

/** A soft picture, with stripes as of letters from one place to another if wanted. */
function edges(stripes: { from: number; to: number } | null): Float32Array {
  const picture = new Uint8Array(4 * size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const letter = stripes && y >= 200 && y < 216 && x >= stripes.from && x < stripes.to;
      const level = letter && x % 6 < 3 ? 240 : 60 + Math.floor(x / 8);
      picture.fill(level, 4 * (y * size.width + x), 4 * (y * size.width + x) + 4);
    }
  }
  return measureEdgeShares(picture, size);
}

const soft = edges(null);
const line = edges({ from: 160, to: 480 });

test('a picture without sharp steps has no letters', () => {
  assert.ok(!hasOtherLetters(soft, { run: 1 }));
});

test('a line of letters is seen, and a single letter is shorter than a line', () => {
  assert.ok(hasOtherLetters(line, { run: 3 }));
  assert.ok(!hasOtherLetters(edges({ from: 320, to: 350 }), { run: 3 }));
});

test('letters that stay are nothing new; others, and their end, are', () => {
  assert.ok(!hasOtherLetters(line, { run: 1, before: line }));
  assert.ok(hasOtherLetters(edges({ from: 80, to: 560 }), { run: 1, before: line }));
  assert.ok(hasOtherLetters(soft, { run: 3, before: line }));
});
