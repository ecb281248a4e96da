import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeptEstimates } from '../../src/estimates/kept-estimates.ts';

function world() {
  const state = { reads: 0, now: 0, tookMs: 0, fails: false };
  const kept = new KeptEstimates(
    async () => {
      state.reads += 1;
      if (state.fails) throw new Error('the database is away');
      const estimate = new Date(state.now + 1000);
      state.now += state.tookMs;
      return new Map([['a', estimate]]);
    },
    () => state.now,
  );
  return { state, kept };
}

describe('the estimates that are kept', () => {
  it('are read once for all who ask within half a second', async () => {
    const { state, kept } = world();
    await Promise.all([kept.current(), kept.current()]);
    state.now = 499;
    assert.equal((await kept.current()).get('a')?.getTime(), 1000);
    assert.equal(state.reads, 1);
    state.now = 500;
    assert.equal((await kept.current()).get('a')?.getTime(), 1500);
  });

  it('are read a tenth of the time at most, however long the queue is', async () => {
    const { state, kept } = world();
    state.tookMs = 300;
    await kept.current();
    state.now = 2999;
    await kept.current();
    assert.equal(state.reads, 1);
    state.now = 3000;
    await kept.current();
    assert.equal(state.reads, 2);
  });

  it('are asked for again where they could not be read', async () => {
    const { state, kept } = world();
    state.fails = true;
    await assert.rejects(kept.current());
    state.fails = false;
    assert.ok((await kept.current()).has('a'));
  });
});
