import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { median, ratios } from '../../bench/statistics.ts';
import { markdownTable } from '../../bench/table.ts';

describe('the figures of the bench', () => {
  it('takes the middle value, by number and not by text', () => {
    assert.equal(median([100, 9, 20]), 20);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.throws(() => median([]), RangeError);
  });

  it('compares within each round: a slow round counts as any other', () => {
    assert.deepEqual(ratios([11, 220], [10, 100]), [1.1, 2.2]);
    assert.throws(() => ratios([1, 2], [1]), RangeError);
  });

  it('lines a table up', () => {
    assert.equal(
      markdownTable(['what', 'figure'], [['a longer name', '1']]),
      [
        '| what          | figure |',
        '| ------------- | -----: |',
        '| a longer name |      1 |',
      ].join('\n'),
    );
    assert.throws(() => markdownTable(['a', 'b'], [['1']]), RangeError);
  });
});
