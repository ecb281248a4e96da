import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergedOrder } from '../../src/flow/list-order.ts';

describe('mergedOrder', () => {
  for (const [shown, read, order] of [
    ['', 'abc', 'abc'],
    ['b', 'abc', 'abc'],
    ['abc', 'cba', 'abc'],
    ['abc', 'ca', 'ac'],
    ['ac', 'cxab', 'abcx'],
    ['ab', 'xy', 'xy'],
    ['abc', '', ''],
    ['a', 'aab', 'ab'],
  ] as const) {
    it(`${shown || 'nothing'}, then ${read || 'nothing'}: ${order || 'nothing'}`, () => {
      assert.deepEqual(mergedOrder([...shown], [...read]), [...order]);
    });
  }
});
