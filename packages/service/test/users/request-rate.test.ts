import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RequestRate } from '../../src/users/limits.ts';

describe('requests a minute', () => {
  it('may come at once, and then evenly', () => {
    let now = 0;
    const rate = new RequestRate(60, () => now);
    for (let at = 0; at < 60; at += 1) assert.equal(rate.take('ada'), 0);
    assert.equal(rate.take('ada'), 1);
    assert.equal(rate.take('grace'), 0, 'counted by name');
    now = 500;
    assert.equal(rate.take('ada'), 0.5);
    now = 1000;
    assert.equal(rate.take('ada'), 0);
    assert.equal(rate.take('ada'), 1);
    now = 3_600_000;
    for (let at = 0; at < 60; at += 1) assert.equal(rate.take('ada'), 0);
    assert.ok(rate.take('ada') > 0, 'no more is saved than a minute holds');
  });
});
