import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputTimeAt, sourceTimeAt } from '../src/spans.ts';

const ranges = [
  { start: 10, end: 12 },
  { start: 15, end: 16 },
];

test('an output time is found in the range that plays then', () => {
  assert.deepEqual(sourceTimeAt(ranges, 0), { range: ranges[0], index: 0, time: 10 });
  assert.deepEqual(sourceTimeAt(ranges, 1.5), { range: ranges[0], index: 0, time: 11.5 });
  // A range ends before its end: that frame is the first of the next one.
  assert.deepEqual(sourceTimeAt(ranges, 2), { range: ranges[1], index: 1, time: 15 });
  assert.deepEqual(sourceTimeAt(ranges, 2.25), { range: ranges[1], index: 1, time: 15.25 });
});

test('a time after the end is in the last range', () => {
  assert.deepEqual(sourceTimeAt(ranges, 9), { range: ranges[1], index: 1, time: 15.5 });
});

test('a source time is found in the output, or else the next one that is shown', () => {
  assert.equal(outputTimeAt(ranges, 11.5), 1.5);
  assert.equal(outputTimeAt(ranges, 15.25), 2.25);
  assert.equal(outputTimeAt(ranges, 13), 2, 'between the ranges');
  assert.deepEqual([outputTimeAt(ranges, 3), outputTimeAt(ranges, 99)], [0, 3]);
});
