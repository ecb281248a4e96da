import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stallWatch } from '../../tools/stall.ts';

const limits = { silentMs: 1000, busySeconds: 2, busySilentMs: 50_000 };
const watch = () => stallWatch(limits, { now: 0, said: 0, seconds: 0 });

describe('a command has stopped', () => {
  it('when it has said nothing for long, and hardly computed', () => {
    const hasStopped = watch();
    assert.equal(hasStopped({ now: 1000, said: 0, seconds: 1 }), false);
    assert.equal(hasStopped({ now: 1001, said: 0, seconds: 1.9 }), true);
  });

  it('not while it says something', () => {
    const hasStopped = watch();
    assert.equal(hasStopped({ now: 900, said: 5, seconds: 0 }), false);
    assert.equal(hasStopped({ now: 1900, said: 5, seconds: 0 }), false);
    assert.equal(hasStopped({ now: 1901, said: 5, seconds: 0 }), true);
  });

  it('not while it computes, unless it has been silent for very long', () => {
    const hasStopped = watch();
    const look = (now: number) => hasStopped({ now, said: 0, seconds: now / 400 });
    for (let now = 900; now <= 50_000; now += 900) assert.equal(look(now), false);
    assert.equal(look(50_001), true);
  });
});
