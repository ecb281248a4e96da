import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  createKey,
  createOrganization,
  ensureFirstOrganization,
  findOwnerByKey,
  hashKey,
  removeOtherKeys,
} from '../../src/db/accounts.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { prepareDatabase } from '../support/prepared-database.ts';

describe('a key that is changed', () => {
  let directory: string;
  let database: OpenDatabase;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-keys-'));
    await prepareDatabase(directory);
    database = await openDatabase({ dataDir: directory });
  });
  after(async () => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });

  const valid = async (...keys: string[]): Promise<boolean[]> => {
    const owners = keys.map((key) => findOwnerByKey(database.db, hashKey(key)));
    return (await Promise.all(owners)).map((owner) => owner !== undefined);
  };

  it('is valid beside the new one as long as it is configured', async () => {
    const { db } = database;
    const [old, next] = ['old-key-0123456789', 'new-key-0123456789'] as const;
    await ensureFirstOrganization(db, [old]);
    await ensureFirstOrganization(db, [next, old]);
    assert.deepEqual(await valid(old, next), [true, true]);
    await ensureFirstOrganization(db, [next]);
    assert.deepEqual(await valid(old, next), [false, true]);
    // Without a key in the environment nothing changes.
    await ensureFirstOrganization(db, []);
    assert.deepEqual(await valid(old, next), [false, true]);
  });

  it('is valid beside the new one until the operator removes it', async () => {
    const { db } = database;
    const { id, apiKey: old } = await createOrganization(db, 'First');
    const other = await createOrganization(db, 'Second');
    const next = await createKey(db, id);
    assert.deepEqual(await valid(old, next), [true, true]);
    assert.equal(await removeOtherKeys(db, id, other.apiKey), 0, 'not its own key');
    assert.deepEqual(await valid(old, next), [true, true]);
    assert.equal(await removeOtherKeys(db, id, next), 1);
    assert.deepEqual(await valid(old, next, other.apiKey), [false, true, true]);
  });
});
