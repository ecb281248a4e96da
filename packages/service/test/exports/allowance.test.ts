import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRefusal } from '../../src/exports/rules.ts';

const organization = (plan: 'free' | 'paid', export_allowance: number | null) => ({
  plan,
  export_allowance,
  state: 'active' as const,
});

describe('the export allowance (4.6, rules 2 and 3)', () => {
  it('counts exports on a free plan', () => {
    const plan = organization('free', 3);
    assert.equal(findRefusal(plan, { exports: 3, clips: 1, isNewClip: false }), null);
    assert.match(findRefusal(plan, { exports: 4, clips: 1, isNewClip: false }) ?? '', /3 exports/);
  });

  it('counts each clip once on a paid plan', () => {
    const plan = organization('paid', 2);
    assert.equal(findRefusal(plan, { exports: 9, clips: 2, isNewClip: true }), null);
    assert.match(findRefusal(plan, { exports: 3, clips: 3, isNewClip: true }) ?? '', /2 clips/);
    assert.equal(findRefusal(plan, { exports: 9, clips: 3, isNewClip: false }), null);
  });

  it('has no end where there is no number', () => {
    for (const plan of ['free', 'paid'] as const) {
      const usage = { exports: 1e6, clips: 1e6, isNewClip: true };
      assert.equal(findRefusal(organization(plan, null), usage), null);
    }
  });

  it('is nothing while the subscription is paused or past due', () => {
    for (const state of ['paused', 'past_due'] as const) {
      const plan = { ...organization('paid', null), state };
      assert.match(
        findRefusal(plan, { exports: 0, clips: 0, isNewClip: false }) ?? '',
        /subscription/,
      );
    }
  });
});
