import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createKey,
  createOrganization,
  ensureFirstOrganization,
  findOwnerByKey,
  listKeys,
  removeKey,
} from '../../src/users/queries.ts';
import { hashKey } from '../../src/db/id.ts';
import { configureWebhook } from '../../src/webhooks/queries.ts';
import type { OpenDatabase } from '../../src/db/open.ts';
import { temporaryDatabase } from 'clip-testkit/prepared-database';

describe('a key that is changed', () => {
  let database: OpenDatabase;
  before(async () => {
    database = await temporaryDatabase();
  });
  after(() => database?.close());

  const valid = async (...keys: string[]): Promise<boolean[]> => {
    const owners = keys.map((key) => findOwnerByKey(database.db, hashKey(key)));
    return (await Promise.all(owners)).map((owner) => owner !== undefined);
  };

  it('is valid beside the new one as long as it is configured', async () => {
    const { db } = database;
    const [old, next] = ['old-key-0123456789', 'new-key-0123456789'] as const;
    let replaced = 0;
    const start = (...keys: string[]) =>
      ensureFirstOrganization(db, keys, () => {
        replaced += 1;
      });
    await start(old);
    await start(next, old);
    assert.deepEqual(await valid(old, next), [true, true]);
    await start(old);
    assert.deepEqual(await valid(old, next), [true, true], 'by a process that is not changed yet');
    await start(next);
    assert.deepEqual(await valid(old, next), [false, true]);
    // A process with what was replaced starts again.
    await start(old);
    await start(next, old);
    assert.deepEqual(await valid(old, next), [false, true]);
    assert.equal(replaced, 3);
    // Without a key in the environment nothing changes.
    await start();
    assert.deepEqual(await valid(old, next), [false, true]);
    // Where no other process can be, what is configured is meant.
    await ensureFirstOrganization(db, [old]);
    assert.deepEqual(await valid(old, next), [true, false]);
  });

  it('is like a webhook: one that was replaced does not come back', async () => {
    const { db } = database;
    const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
    const url = async () =>
      (await db.selectFrom('webhooks').select('url').executeTakeFirst())?.url ?? null;
    let replaced = 0;
    const configure = (address: string | null) =>
      configureWebhook(db, address === null ? null : { url: address, secrets }, () => {
        replaced += 1;
      });
    await configure(null);
    await configure('https://new.example/');
    for (const address of [null, 'https://new.example/']) {
      await configure(address);
      assert.equal(await url(), 'https://new.example/');
    }
    assert.equal(replaced, 1, 'only the process without one');
  });

  it('is valid beside the new one until the operator removes it', async () => {
    const { db } = database;
    const { id, apiKey: old } = await createOrganization(db, 'First');
    const next = await createKey(db, id);
    assert.deepEqual(await valid(old, next), [true, true]);
    const [first] = await listKeys(db, id);
    assert.equal(await removeKey(db, first!.id), true);
    assert.deepEqual(await valid(old, next), [false, true]);
  });
});
