import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseDrawnSize, findShape, makeSize } from '../../src/editor/output-sizes.ts';

describe('the sizes', () => {
  it('keep the shorter side', () => {
    assert.deepEqual(makeSize('16:9', { width: 1080, height: 1920 }), {
      width: 1920,
      height: 1080,
    });
    assert.deepEqual(makeSize('4:5', { width: 1080, height: 1920 }), { width: 1080, height: 1350 });
    assert.equal(findShape({ width: 108, height: 192 }), '9:16');
    assert.equal(findShape({ width: 500, height: 300 }), null);
    assert.deepEqual(chooseDrawnSize({ width: 1080, height: 1920 }, 540), {
      width: 540,
      height: 960,
    });
  });
});
