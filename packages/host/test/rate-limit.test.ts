import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Export } from 'clip-kit/contract';
import { memoryRateLimit } from '../src/index.ts';
import { HostWorld } from '../../../test/support/host-world.ts';

describe('memoryRateLimit', () => {
  it('lets a burst through, and then so many a minute', async () => {
    let now = 0;
    const limit = memoryRateLimit({ paid: { burst: 2, perMinute: 6 } }, () => now);
    const take = () => limit.take('ann', 'paid');
    assert.deepEqual([take(), take(), take()], [0, 0, 10_000]);
    now += 9_999;
    assert.equal(take(), 1);
    now += 1;
    assert.equal(take(), 0);
    now += 60 * 60_000;
    assert.deepEqual([take(), take(), take()], [0, 0, 10_000]);
  });

  it('counts each user, and each kind, alone', () => {
    const rate = { burst: 1, perMinute: 1 };
    const limit = memoryRateLimit({ paid: rate, request: rate }, () => 0);
    assert.equal(limit.take('ann', 'paid'), 0);
    assert.equal(limit.take('ann', 'request'), 0);
    assert.equal(limit.take('bob', 'paid'), 0);
    assert.ok(Number(limit.take('ann', 'paid')) > 0);
  });

  it('is not fooled by a clock that is set back', () => {
    let now = 1_000_000;
    const limit = memoryRateLimit({ paid: { burst: 1, perMinute: 1 } }, () => now);
    limit.take('ann', 'paid');
    now = 0;
    assert.equal(limit.take('ann', 'paid'), 60_000);
  });

  it('refuses rates that let nothing through', () => {
    for (const rate of [
      { burst: 0, perMinute: 1 },
      { burst: 1, perMinute: 0 },
      { burst: NaN, perMinute: 1 },
    ]) {
      assert.throws(() => memoryRateLimit({ paid: rate }), TypeError);
    }
  });
});

describe('rateLimit', () => {
  const start = (key: string, project_id: string) => ({ key, body: { project_id } });

  it('is 429 with Retry-After for a new export too many; nothing is sent, and the key stays free', async (t) => {
    let now = Date.parse('2026-01-31T10:00:00Z');
    const world = await HostWorld.open(t, {
      now: () => now,
      host: { rateLimit: { paid: { burst: 1, perMinute: 2 } } },
    });
    const clip = await world.clip();
    await world.json(201, 'POST', '/clips/exports', start('attempt-1', clip));
    const refused = await world.problem(429, 'rate-limited', 'POST', '/clips/exports', {
      ...start('attempt-2', clip),
    });
    assert.equal(refused.headers.get('Retry-After'), '30');
    assert.equal(world.service.sent('POST', /exports$/).length, 1);
    now += 30_000;
    await world.json(201, 'POST', '/clips/exports', start('attempt-2', clip));
  });

  it('does not count the same attempt again', async (t) => {
    const world = await HostWorld.open(t, {
      host: { rateLimit: { paid: { burst: 1, perMinute: 1 } } },
    });
    const clip = await world.clip();
    const first = await world.json<Export>(201, 'POST', '/clips/exports', start('attempt-1', clip));
    for (let at = 0; at < 3; at++) {
      const again = await world.json<Export>(
        200,
        'POST',
        '/clips/exports',
        start('attempt-1', clip),
      );
      assert.equal(again.id, first.id);
    }
  });

  it('is no reason to take an open attempt for one that was never started', async (t) => {
    const clock = { now: Date.parse('2026-01-31T10:00:00Z') };
    const world = await HostWorld.open(t, {
      now: () => clock.now,
      host: { rateLimit: { paid: { burst: 1, perMinute: 1 } } },
    });
    const clip = await world.clip();
    world.service.order({ method: 'POST', path: /exports$/, acts: false, how: 'drop' });
    const sent = start('attempt-1', clip);
    const lost = await world.problem(503, 'service-unavailable', 'POST', '/clips/exports', sent);
    assert.equal(lost.unknown_outcome, true);
    clock.now += 120_001;
    await world.json(201, 'POST', '/clips/exports', sent);
  });

  it('counts every request, and can be the site’s own', async (t) => {
    const taken: unknown[] = [];
    const world = await HostWorld.open(t, {
      host: {
        rateLimit: {
          async take(hostUser, kind) {
            taken.push([hostUser, kind]);
            return taken.length > 2 ? 1500 : 0;
          },
        },
      },
    });
    await world.json(200, 'GET', '/clips/exports');
    await world.json(200, 'GET', '/clips/exports');
    const refused = await world.problem(429, 'rate-limited', 'GET', '/clips/exports');
    assert.equal(refused.headers.get('Retry-After'), '2');
    assert.deepEqual(taken, Array(3).fill(['ann', 'request']));
  });

  it('is there by default, and can be switched off', async (t) => {
    const count = async (rateLimit?: false) => {
      const world = await HostWorld.open(t, {
        now: () => 0,
        host: { ...(rateLimit === false && { rateLimit }), authorize: () => false },
      });
      let refused = 0;
      for (let at = 0; at < 650; at++) {
        if ((await world.call('GET', '/clips/exports')).status === 429) refused++;
      }
      return refused;
    };
    assert.equal(await count(), 50);
    assert.equal(await count(false), 0);
  });
});
