import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { handClock } from '../support/hand-clock.ts';
import { JobWorld } from '../support/job-world.ts';

describe('the slots of jobs that may be slow', () => {
  let world: JobWorld;
  const clock = handClock();
  before(async () => {
    world = await JobWorld.open(clock);
  });
  after(() => world.close());

  it('are not held by slow ones: those of two users keep no third from work', async () => {
    const { db, queue } = world.service;
    const send = (id: string, author_id: string) =>
      db.transaction().execute((trx) => queue.send('ingest', { id, turn: 0, author_id }, trx));
    const slow = new Set<string>();
    const release = Promise.withResolvers<void>();
    const [allBegun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const quick = randomUUID();
    const most = { slow: 0 };
    await queue.work('ingest', { concurrency: 4, perUser: 2, slotMs: 60_000 }, async (id) => {
      if (id === quick) return done.resolve();
      slow.add(id);
      most.slow = Math.max(most.slow, slow.size);
      if (slow.size === 4) allBegun.resolve();
      await release.promise;
      slow.delete(id);
    });
    try {
      for (const user of ['a', 'b']) {
        for (let count = 0; count < 3; count += 1) await send(randomUUID(), user);
      }
      await allBegun.promise;
      clock.pass(60_000);
      await send(quick, 'c');
      await done.promise;
      assert.equal(most.slow, 4, 'one user never has more than two');
    } finally {
      release.resolve();
    }
  });
});
