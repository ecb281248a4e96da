import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markdownTable, median, ratios, writeRange } from '../../bench/figures.ts';
import { isNoise } from '../../bench/heap.ts';

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

  it('writes the smallest and the largest', () => {
    assert.equal(writeRange([2, 0.5, 1.25], 1), '0.5 to 2.0');
  });

  it('writes a table whose rows have all columns', () => {
    assert.equal(
      markdownTable(['what', 'figure'], [['a name', '1']]),
      '| what | figure |\n|---|---:|\n| a name | 1 |',
    );
    assert.throws(() => markdownTable(['a', 'b'], [['1']]), RangeError);
  });

  it('takes growth for noise up to what the control itself grows and spreads, or what cannot be told apart', () => {
    assert.equal(isNoise([10_000, 9_000, 90_000], [0, 0, 0]), true);
    assert.equal(isNoise([20_000, 20_000, 20_000], [0, 0, 0]), false);
    assert.equal(isNoise([45_000, 45_000, 45_000], [10_000, 0, 40_000]), true);
    assert.equal(isNoise([55_000, 55_000, 55_000], [10_000, 0, 40_000]), false);
  });
});
