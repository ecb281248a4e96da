import { randomUUID } from 'node:crypto';
import type { Db } from '../db/schema.ts';
import { readSetting, settleOnce } from '../db/settings.ts';
import { readText, type Storage } from './storage.ts';
import { isStorageGone, StorageRefused } from './unavailable.ts';

const settingName = 'storage';
/** What is there as long as the storage is. */
export const storageMarkerKey = 'store/identity/id.txt';

/** The files do not belong to the database. */
export class StorageMismatch extends Error {
  override name = 'StorageMismatch';
}

const idOf = (setting: unknown): string | null =>
  typeof setting === 'object' && setting !== null && 'id' in setting ? String(setting.id) : null;

/**
 * Makes sure that the store holds the files of this database: an id in the store is compared with
 * the one in the database. Both are made at the first start. The store has its id first, and one
 * process at a time proposes one, so that two stores never get the same database. A store that is
 * away for a moment says nothing: who has matched before starts without it.
 * Throws {@link StorageMismatch}.
 */
export async function matchStorage(
  db: Db,
  storage: Storage,
  /** What a person calls the store. */
  name: string,
): Promise<void> {
  // A store without an id is only marked if the database has none: the disk may not be mounted.
  const known =
    (await readSetting(db, settingName)) ??
    (await settleOnce(db, settingName, async () => ({
      id: await storage.putOnce(storageMarkerKey, randomUUID()),
    })));
  const expected = idOf(known);
  const found = await readText(storage, storageMarkerKey).catch((error: unknown) => {
    if (isStorageGone(error) && !(error instanceof StorageRefused)) return expected;
    throw error;
  });
  if (found === expected) return;
  throw new StorageMismatch(
    `The files in ${name} are not those of this database: ` +
      (found === null ? 'they have no id' : `their id is ${found}`) +
      `, and the database belongs to the files with the id ${expected}. ` +
      'With other files, tasks would fail and finished exports would be missing. ' +
      'Every service on a database needs the same files: keep them in a bucket (STORAGE=s3), ' +
      'set DATA_DIR to the directory that the others use (on a shared disk), mount the disk if it is missing, or set DATABASE_URL to the database of these files.',
  );
}
