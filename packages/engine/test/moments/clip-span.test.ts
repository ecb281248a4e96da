import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findClipSpan } from '../../src/moments/clip-span.ts';
import { cutIndex } from '../../src/scan/scan-measures.ts';

const units = [
  { text: 'She laughed.', words: 2, start: 4, end: 8 },
  { text: 'Then we left.', words: 3, start: 12, end: 15 },
];
const reactions = [{ start: 8.2, end: 10.9 }];
const source = { from: 0, to: 15, cuts: cutIndex([]), reactions };

test('a pause belongs to the clip before it for as long as the reaction lasts', () => {
  const before = findClipSpan(units, [0, 0], { min: 2, max: 10 }, source)!;
  assert.equal(before.end, 10.9);
  // This one is too short without the pause before it.
  const after = findClipSpan(units, [1, 1], { min: 4, max: 10 }, source)!;
  assert.equal(after.start, 11);
  assert.equal(findClipSpan(units, [1, 1], { min: 4.2, max: 10 }, source), null);
});

test('without a reaction, each of two clips gets half of the pause', () => {
  const quiet = { ...source, reactions: [] };
  const before = findClipSpan(units, [0, 0], { min: 7, max: 10 }, quiet)!;
  assert.equal(before.end, 10);
  const after = findClipSpan(units, [1, 1], { min: 5, max: 10 }, quiet)!;
  assert.equal(after.start, 10);
});
