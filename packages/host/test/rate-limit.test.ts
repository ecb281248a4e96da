import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Export } from 'clip-kit/contract';
import { RateLimit } from '../src/rate-limit.ts';
import { HostWorld } from 'clip-testkit/host-world';

const start = Date.parse('2026-01-31T10:00:00Z');

/** Takes as many as are there. */
function takeAll(limit: RateLimit, who: string): number {
  let taken = 0;
  while (limit.take(who, 'paid') === 0) taken++;
  return taken;
}

describe('RateLimit', () => {
  it('lets a burst of 100 paid starts through, and then 30 a minute', () => {
    let now = start;
    const limit = new RateLimit(() => now);
    assert.equal(takeAll(limit, 'ann'), 100);
    assert.equal(limit.take('ann', 'paid'), 2000);
    now += 1999;
    assert.equal(limit.take('ann', 'paid'), 1);
    now += 1;
    assert.equal(limit.take('ann', 'paid'), 0);
    now += 60 * 60_000;
    assert.equal(takeAll(limit, 'ann'), 100);
  });

  it('counts each user, and each kind, alone', () => {
    const limit = new RateLimit(() => start);
    takeAll(limit, 'ann');
    assert.equal(limit.take('ann', 'request'), 0);
    assert.equal(limit.take('bob', 'paid'), 0);
  });

  it('is not fooled by a clock that is set back', () => {
    let now = start;
    const limit = new RateLimit(() => now);
    takeAll(limit, 'ann');
    now = 0;
    assert.equal(limit.take('ann', 'paid'), 2000);
  });
});

describe('the limit of a host', () => {
  it('is 429 with Retry-After for a new export too many; nothing is sent, and the key stays free', async (t) => {
    let now = start;
    const world = await HostWorld.open(t, { now: () => now });
    const body = { project_id: await world.clip() };
    const send = (at: number) => ({ key: `attempt-${at}`, body });
    const first = await world.json<Export>(201, 'POST', '/clips/exports', send(1));
    for (let at = 2; at <= 100; at++) await world.json(201, 'POST', '/clips/exports', send(at));
    const refused = await world.problem(429, 'rate-limited', 'POST', '/clips/exports', send(101));
    assert.equal(refused.headers.get('Retry-After'), '2');
    assert.equal(world.service.sent('POST', /exports$/).length, 100);
    // The same attempt again is not counted.
    const again = await world.json<Export>(200, 'POST', '/clips/exports', send(1));
    assert.equal(again.id, first.id);
    now += 2000;
    await world.json(201, 'POST', '/clips/exports', send(101));
  });

  it('counts 600 requests at once', async (t) => {
    const world = await HostWorld.open(t, { now: () => 0, host: { authorize: () => false } });
    let refused = 0;
    for (let at = 0; at < 650; at++) {
      if ((await world.call('GET', '/clips/exports')).status === 429) refused++;
    }
    assert.equal(refused, 50);
  });
});
