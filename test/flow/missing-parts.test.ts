import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingParts } from '../../src/flow/upload-rate.ts';

describe('the parts of a file that have not arrived', () => {
  it('are all of a new upload, the last one shorter', () => {
    assert.deepEqual(missingParts(25, 10, []), [
      { number: 1, start: 0, end: 10 },
      { number: 2, start: 10, end: 20 },
      { number: 3, start: 20, end: 25 },
    ]);
  });

  it('are not those that have arrived whole', () => {
    const arrived = [
      { number: 1, size: 10 },
      { number: 2, size: 9 },
      { number: 3, size: 5 },
    ];
    assert.deepEqual(missingParts(25, 10, arrived), [{ number: 2, start: 10, end: 20 }]);
  });
});
