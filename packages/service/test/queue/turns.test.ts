import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  changeQueueWeight,
  createManagedUser,
  createOrganization,
} from '../../src/users/queries.ts';
import type { ProjectRow } from '../../src/db/schema.ts';
import { takeTurns } from '../../src/queue/queries.ts';
import { JobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';
import { randomFrom } from 'clip-testkit/random';

// A queue of exports as rows, with slots that the test works on itself: no job runs.
describe('the turns of a queue', () => {
  let world: JobWorld;
  let project: ProjectRow;
  before(async () => {
    world = await JobWorld.open();
    project = (await world.addTask([spanEdit(0, 1)])).projects[0]!;
  });
  after(() => world?.close());

  const organization = async (weight: number): Promise<string> => {
    const { db } = world.service;
    const { id } = await createOrganization(db, randomUUID());
    await changeQueueWeight(db, weight, id);
    return id;
  };
  const user = async (organizationId: string): Promise<string> =>
    (await createManagedUser(world.service.db, organizationId)).id;

  const add = (userId: string): Promise<string> =>
    world.service.db.transaction().execute(async (trx) => {
      const [turn] = await takeTurns(trx, 'exports', userId, 1);
      return world.addExport(project, { author_id: userId, turn: turn! }, trx);
    });
  const set = (id: string, values: object) =>
    world.service.db.updateTable('exports').set(values).where('id', '=', id).execute();
  /** Begins the next one, as the queue does it, and gives it. */
  const begin = async (): Promise<{ id: string; author_id: string } | undefined> => {
    const next = await world.service.db
      .selectFrom('exports')
      .select(['id', 'author_id'])
      .where('status', '=', 'processing')
      .where('stage', '=', 'queued')
      .orderBy('turn')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    if (next) await set(next.id, { stage: 'render' });
    return next;
  };
  const finish = (id: string) => set(id, { status: 'ready', finished_at: new Date() });
  const finishAll = async (): Promise<string[]> => {
    const order: string[] = [];
    for (let one = await begin(); one; one = await begin()) {
      order.push(one.author_id);
      await finish(one.id);
    }
    return order;
  };

  it('let another user’s first begin with the next free slot, after any number of one user’s', async () => {
    const [a, b] = [await user(await organization(1)), await user(await organization(1))];
    for (let count = 0; count < 40; count += 1) await add(a);
    const running = await begin();
    await add(b);
    await finish(running!.id);
    assert.equal((await begin())!.author_id, b);
    await world.service.db.deleteFrom('exports').execute();
  });

  it('do not let one who comes later overtake those who have waited with as many', async () => {
    const [a, b] = [await user(await organization(1)), await user(await organization(1))];
    for (let count = 0; count < 12; count += 1) await add(a);
    for (let count = 0; count < 8; count += 1) await finish((await begin())!.id);
    const running = await begin();
    for (let count = 0; count < 6; count += 1) await add(b);
    await finish(running!.id);
    const order = await finishAll();
    // By turns, until one has none left.
    assert.equal(order.slice(0, 6).filter((author) => author === a).length, 3);
  });

  it('are as many as the weight of the organization says', async () => {
    const [heavy, light] = [await user(await organization(3)), await user(await organization(1))];
    for (let count = 0; count < 30; count += 1) {
      await add(light);
      await add(heavy);
    }
    const first = (await finishAll()).slice(0, 24);
    const share = first.filter((author) => author === heavy).length;
    assert.ok(Math.abs(share - 18) <= 1, `${share} of 24`);
  });

  it('are different for starts at the same moment', async () => {
    const a = await user(await organization(1));
    const ids = await Promise.all(Array.from({ length: 8 }, () => add(a)));
    const rows = await world.service.db
      .selectFrom('exports')
      .select('turn')
      .where('id', 'in', ids)
      .execute();
    assert.equal(new Set(rows.map(({ turn }) => turn)).size, 8);
    await world.service.db.deleteFrom('exports').execute();
  });

  it('never keep a waiting user behind by more than one job of each other user', async () => {
    const random = randomFrom(31);
    const users = await Promise.all(
      Array.from({ length: 4 }, async () => user(await organization(1))),
    );
    const running: string[] = [];
    const waiting = new Map<string, number>();
    /** Jobs of others that have begun since each user began to wait with an empty queue. */
    const served = new Map<string, Map<string, number>>();
    for (let step = 0; step < 160; step += 1) {
      if (random() < 0.55) {
        const one = users[Math.floor(random() ** 2 * users.length)]!;
        await add(one);
        if (!waiting.get(one)) served.set(one, new Map());
        waiting.set(one, (waiting.get(one) ?? 0) + 1);
        continue;
      }
      if (running.length >= 2) await finish(running.shift()!);
      const begun = await begin();
      if (!begun) continue;
      running.push(begun.id);
      waiting.set(begun.author_id, waiting.get(begun.author_id)! - 1);
      served.delete(begun.author_id);
      for (const [one, counts] of served) {
        if (!waiting.get(one)) continue;
        const count: number = (counts.get(begun.author_id) ?? 0) + 1;
        counts.set(begun.author_id, count);
        assert.ok(count <= 2, `${count} of one user before the first of another`);
      }
    }
  });
});
