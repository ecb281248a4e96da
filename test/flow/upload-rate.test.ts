import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendingMsLeft, withSample, type SentSample } from '../../src/flow/upload-rate.ts';

const samples = (...all: readonly (readonly [at: number, sent: number])[]): SentSample[] =>
  all.reduce<SentSample[]>((known, [at, sent]) => withSample(known, { at, sent }), []);

describe('the time until a file is sent', () => {
  it('follows from the rate', () => {
    assert.equal(sendingMsLeft(samples([0, 0], [4000, 400]), 1000), 6000);
  });

  it('is unknown in the first seconds, and while nothing is sent', () => {
    assert.equal(sendingMsLeft(samples([0, 0], [500, 400]), 1000), null);
    assert.equal(sendingMsLeft(samples([0, 50], [5000, 50]), 1000), null);
    assert.equal(sendingMsLeft([], 1000), null);
  });

  it('is that of the last 20 seconds', () => {
    const all = samples([0, 0], [1000, 900], [30_000, 1000], [40_000, 1100]);
    assert.equal(sendingMsLeft(all, 1200), 10_000);
  });

  it('begins again after a cut', () => {
    assert.deepEqual(samples([0, 0], [3000, 300], [3100, 200]), [{ at: 3100, sent: 200 }]);
  });
});
