import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { matchStorage, StorageMismatch } from '../../src/storage/open.ts';
import { StorageUnavailable } from '../../src/storage/storage.ts';
import { prepareDatabase } from 'clip-testkit/prepared-database';
import { temporaryDirectory } from 'clip-testkit/media-footage';

describe('the files of a database', async () => {
  const directory = await temporaryDirectory();
  let database: OpenDatabase;
  let places = 0;
  const place = () => createDiskStorage(join(directory.path, `place-${(places += 1)}`));
  const match = (storage: ReturnType<typeof place>) =>
    matchStorage(database.db, storage, 'this place');
  before(async () => {
    await prepareDatabase(directory.path);
    database = await openDatabase({ dataDir: directory.path });
  });
  beforeEach(() => database.db.deleteFrom('settings').where('name', '=', 'storage').execute());
  after(async () => {
    await database?.close();
    await directory.remove();
  });

  it('are known again; others are refused, with what it means and what to do', async () => {
    const [own, other] = [place(), place()];
    await match(own);
    await match(own);
    await assert.rejects(match(other), (error: Error) => {
      assert.ok(error instanceof StorageMismatch);
      assert.match(error.message, /^The files in this place are not those of this database/);
      assert.match(error.message, /finished exports would be missing/);
      assert.match(error.message, /DATA_DIR[\s\S]*DATABASE_URL/);
      return true;
    });
    await match(own);
    assert.deepEqual(await other.list('store/identity'), [], 'others are not marked');
  });

  it('may be away for a moment when a service starts on them again', async () => {
    const gone = () => Promise.reject(new StorageUnavailable('It does not answer.'));
    const away = { ...place(), stat: gone, putOnce: gone };
    await assert.rejects(match(away), StorageUnavailable);
    await match(place());
    await match(away);
  });

  it('are the first that several processes ask with at once', async () => {
    const [one, two] = [place(), place()];
    const asked = await Promise.allSettled([one, two, one, two, one].map(match));
    const accepted = asked.map(({ status }) => status === 'fulfilled');
    assert.ok(accepted.includes(true));
    assert.equal(accepted[0], accepted[2]);
    assert.equal(accepted[1], accepted[3]);
    assert.notEqual(accepted[0], accepted[1]);
  });
});
