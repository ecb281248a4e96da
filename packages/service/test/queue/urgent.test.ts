import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { JobWorld } from '../support/job-world.ts';
import { eventually } from 'clip-testkit/world';

describe('a job that a person waits for', () => {
  let world: JobWorld;
  beforeEach(async () => {
    world = await JobWorld.open();
  });
  afterEach(() => world?.close());

  /** Adds previews with these turns, and gives their ids. */
  const send = async (...turns: readonly number[]): Promise<string[]> => {
    const { db, queue } = world.service;
    const jobs = turns.map((turn) => ({ id: randomUUID(), turn, author_id: world.user.id }));
    await db.transaction().execute(async (trx) => {
      for (const job of jobs) await queue.send('preview', job, trx);
    });
    return jobs.map(({ id }) => id);
  };

  it('begins before all that nobody waits for; two of them keep their turns', async () => {
    const { queue } = world.service;
    const [first, second, third, fourth] = (await send(0, 60, 120, 180)) as [string, ...string[]];
    await queue.prioritize('preview', fourth!);
    for (let times = 0; times < 2; times += 1) await queue.prioritize('preview', third!);
    const begun: unknown[] = [];
    await queue.work('preview', { concurrency: 1 }, async (id, _, isUrgent) => {
      begun.push([id, isUrgent]);
    });
    await eventually(() => assert.equal(begun.length, 4));
    assert.deepEqual(begun, [
      [third, true],
      [fourth, true],
      [first, false],
      [second, false],
    ]);
  });

  it('begins beside one that is under way, in a slot that no other job takes', async () => {
    const { queue } = world.service;
    const [first, second, third] = (await send(0, 60, 120)) as [string, string, string];
    const isOver = Promise.withResolvers<void>();
    const [begun, done]: [string[], string[]] = [[], []];
    await queue.work('preview', { concurrency: 1, urgent: 1 }, async (id) => {
      begun.push(id);
      if (id === first) await isOver.promise;
      done.push(id);
    });
    await eventually(() => assert.deepEqual(begun, [first]));
    await queue.prioritize('preview', third);
    await eventually(() => assert.deepEqual(done, [third]));
    assert.deepEqual(begun, [first, third]);
    isOver.resolve();
    await eventually(() => assert.deepEqual(done, [third, first, second]));
  });

  it('that runs, is done or was never there stays as it is', async () => {
    const { queue } = world.service;
    const [only] = (await send(0)) as [string];
    const isOver = Promise.withResolvers<void>();
    let begun = 0;
    await queue.work('preview', { concurrency: 1, urgent: 1 }, async () => {
      begun += 1;
      await isOver.promise;
    });
    await eventually(() => assert.equal(begun, 1));
    await queue.prioritize('preview', only);
    isOver.resolve();
    await eventually(async () => assert.equal(await queue.isAlive('preview', only), false));
    await queue.prioritize('preview', only);
    await queue.prioritize('preview', randomUUID());
    assert.equal(begun, 1);
  });
});
