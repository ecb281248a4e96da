import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateSeconds } from '../../src/jobs/render-rate.ts';

describe('the estimate of a render', () => {
  it('is the clip’s length times the measured rate', () => {
    assert.equal(estimateSeconds(30, [], 0.5, 1), 15);
  });

  it('adds what is still to be rendered before it', () => {
    assert.equal(estimateSeconds(30, [20, 10], 0.5, 1), 30);
  });

  it('shares the queue among the places of the machine', () => {
    assert.equal(estimateSeconds(30, [20, 10], 1, 2), 45);
  });
});
