import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createManagedUser, createOrganization } from '../../src/users/queries.ts';
import { AlreadyMade, claimKey, findMade, deleteOldKeys } from '../../src/db/idempotency-keys.ts';
import type { Db } from '../../src/db/schema.ts';
import { JobWorld } from '../support/job-world.ts';

const mismatch = { code: 'attempt-mismatch' };

describe('an idempotency key', () => {
  let world: JobWorld;
  let db: Db;
  let userId: string;
  before(async () => {
    world = await JobWorld.open();
    ({ db } = world.service);
    const organization = await createOrganization(db, 'With keys');
    userId = (await createManagedUser(db, organization.id)).id;
  });
  after(() => world?.close());

  const call = (key: string, requestHash = 'a request') => ({ userId, key, requestHash });
  const claim = (key: string, id: string, requestHash?: string): Promise<void> =>
    db.transaction().execute((trx) => claimKey(trx, call(key, requestHash), id));
  const age = (key: string, hours: number): Promise<unknown> =>
    db
      .updateTable('idempotency_keys')
      .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
      .where('key', '=', key)
      .execute();

  it('is claimed once, and then gives what was made', async () => {
    await claim('key-once', 'made');
    assert.equal(await findMade(db, call('key-once')), 'made');
    await assert.rejects(claim('key-once', 'made again'), new AlreadyMade('made'));
    await assert.rejects(claim('key-once', 'made again', 'another request'), mismatch);
    await assert.rejects(findMade(db, call('key-once', 'another request')), mismatch);
  });

  it('is claimed by nobody if the transaction fails', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await claimKey(trx, call('key-lost'), 'never made');
      throw new Error('refused');
    });
    await assert.rejects(failing, /refused/);
    assert.equal(await findMade(db, call('key-lost')), null);
    await claim('key-lost', 'made');
  });

  it('is kept for a day', async () => {
    await claim('key-aged', 'made');
    await age('key-aged', 23.9);
    await deleteOldKeys(db);
    assert.equal(await findMade(db, call('key-aged')), 'made');
    await age('key-aged', 24.1);
    assert.equal(await findMade(db, call('key-aged')), null);
    await claim('key-aged', 'made the next day', 'another request');
    assert.equal(await findMade(db, call('key-aged', 'another request')), 'made the next day');
  });

  it('is deleted when its day is over, and with its user', async () => {
    const kept = async (): Promise<string[]> =>
      (await db.selectFrom('idempotency_keys').select('key').execute()).map(({ key }) => key);
    await claim('key-old', 'made');
    await age('key-old', 25);
    await deleteOldKeys(db);
    assert.ok(!(await kept()).includes('key-old'));
    assert.ok((await kept()).includes('key-once'));
    await db.deleteFrom('users').where('id', '=', userId).execute();
    assert.deepEqual(await kept(), []);
  });
});
