import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawnSize, shapeOf, sizeOf } from '../../src/editor/output-sizes.ts';

describe('the sizes', () => {
  it('keep the shorter side', () => {
    assert.deepEqual(sizeOf('16:9', { width: 1080, height: 1920 }), { width: 1920, height: 1080 });
    assert.deepEqual(sizeOf('4:5', { width: 1080, height: 1920 }), { width: 1080, height: 1350 });
    assert.equal(shapeOf({ width: 108, height: 192 }), '9:16');
    assert.equal(shapeOf({ width: 500, height: 300 }), null);
    assert.deepEqual(drawnSize({ width: 1080, height: 1920 }, 540), { width: 540, height: 960 });
  });
});
