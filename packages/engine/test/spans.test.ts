import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapToOutputTime, mapToSource } from '../src/spans.ts';

const ranges = [
  { start: 10, end: 12 },
  { start: 15, end: 16 },
];

test('an output time is found in the range that plays then', () => {
  assert.deepEqual(mapToSource(ranges, 0), { range: ranges[0], index: 0, time: 10 });
  assert.deepEqual(mapToSource(ranges, 1.5), { range: ranges[0], index: 0, time: 11.5 });
  // A range ends before its end: that frame is the first of the next one.
  assert.deepEqual(mapToSource(ranges, 2), { range: ranges[1], index: 1, time: 15 });
  assert.deepEqual(mapToSource(ranges, 2.25), { range: ranges[1], index: 1, time: 15.25 });
});

test('a time after the end is in the last range', () => {
  assert.deepEqual(mapToSource(ranges, 9), { range: ranges[1], index: 1, time: 15.5 });
});

test('a source time is found in the output, or else the next one that is shown', () => {
  assert.equal(mapToOutputTime(ranges, 11.5), 1.5);
  assert.equal(mapToOutputTime(ranges, 15.25), 2.25);
  assert.equal(mapToOutputTime(ranges, 13), 2, 'between the ranges');
  assert.deepEqual([mapToOutputTime(ranges, 3), mapToOutputTime(ranges, 99)], [0, 3]);
});
