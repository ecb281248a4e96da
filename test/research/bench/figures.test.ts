import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heapResults, type HeapContender } from '../../../research/bench/heap.ts';
import { median, ratios } from '../../../research/bench/statistics.ts';
import { markdownTable } from '../../../research/bench/table.ts';

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

  it('takes growth for noise up to what the control itself grows and spreads, or what cannot be told apart', () => {
    const left = { nodes: 0, listeners: 0, documents: 0 };
    const within = (control: number[], bytes: number[]) => {
      const growths = new Map<HeapContender, { bytes: number[] } & typeof left>([
        ['floor', { bytes: control, ...left }],
        ['clip-preview', { bytes, ...left, nodes: 2, listeners: 1 }],
      ]);
      const [, result] = heapResults(growths);
      assert.equal(result!.left, 3);
      return result!.withinNoise;
    };
    assert.equal(within([0, 0, 0], [10_000, 9_000, 90_000]), true);
    assert.equal(within([0, 0, 0], [20_000, 20_000, 20_000]), false);
    assert.equal(within([10_000, 0, 40_000], [45_000, 45_000, 45_000]), true);
    assert.equal(within([10_000, 0, 40_000], [55_000, 55_000, 55_000]), false);
  });
});
