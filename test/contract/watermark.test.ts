import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listFieldErrors, watermarkSchema } from '../../src/contract/index.ts';

const src_url = 'https://example.com/logo.png';
const errorsOf = (value: unknown) => listFieldErrors(watermarkSchema.safeParse(value).error!);

describe('watermark (2.6, 8)', () => {
  it('is in the middle at its own size by default', () => {
    assert.deepEqual(watermarkSchema.parse({ src_url }), {
      src_url,
      pos_x: 0.5,
      pos_y: 0.5,
      scale: 1,
    });
  });

  for (const wrong of [src_url, [src_url], null, true]) {
    it(`is an object, not ${JSON.stringify(wrong)}`, () => {
      assert.deepEqual(errorsOf(wrong), [
        { path: '', message: 'must be an object {src_url, pos_x?, pos_y?, scale?}' },
      ]);
    });
  }

  for (const axis of ['pos_x', 'pos_y'] as const) {
    it(`has ${axis} from 0 to 1`, () => {
      for (const value of [0, 1]) {
        assert.equal(watermarkSchema.parse({ src_url, [axis]: value })[axis], value);
      }
      for (const value of [-0.001, 1.001]) {
        assert.deepEqual(errorsOf({ src_url, [axis]: value }), [
          { path: axis, message: 'must be 0 to 1' },
        ]);
      }
      for (const value of ['0.5', null, NaN]) {
        assert.deepEqual(
          errorsOf({ src_url, [axis]: value }).map(({ path }) => path),
          [axis],
        );
      }
    });
  }

  it('has a scale over 0, up to 100', () => {
    for (const scale of [0.001, 100]) {
      assert.equal(watermarkSchema.parse({ src_url, scale }).scale, scale);
    }
    for (const scale of [0, -1, 100.1, Infinity]) {
      assert.deepEqual(
        errorsOf({ src_url, scale }).map(({ path }) => path),
        ['scale'],
      );
    }
  });

  it('needs src_url, and takes no other field', () => {
    assert.deepEqual(errorsOf({ pos_x: 0 }), [{ path: 'src_url', message: 'expected string' }]);
    assert.deepEqual(errorsOf({ src_url, opacity: 0.5 }), [
      { path: 'opacity', message: 'unknown field' },
    ]);
  });
});
