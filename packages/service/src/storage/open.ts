import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ServiceConfig } from '../config/config.ts';
import {
  type IncomingFiles,
  isStorageGone,
  readText,
  type Storage,
  StorageRefused,
} from './storage.ts';
import { createDiskIncomingFiles, createDiskStorage } from './disk.ts';
import { FileCache } from './file-cache.ts';
import { createBucketFiles, type PublicFiles, sentFiles } from './public-files.ts';
import { createS3IncomingFiles } from './s3/incoming-files.ts';
import { Bucket } from './s3/bucket.ts';
import { createS3Storage } from './s3/s3.ts';
import type { Db } from '../db/schema.ts';
import { settle } from '../db/settings.ts';

const defaultCacheBytes = 20e9;

export interface OpenStorage {
  storage: Storage;
  incomingFiles: IncomingFiles;
  files: PublicFiles;
  /** The name that a person gives to the store. */
  name: string;
}

/** Opens the store of the configuration: a bucket, or a directory in `dataDir`. */
export async function openStorage(
  { s3, cacheBytes: maxBytes = defaultCacheBytes }: Pick<ServiceConfig, 's3' | 'cacheBytes'>,
  {
    dataDir,
    workDirectory,
    closing,
  }: { dataDir: string; workDirectory: string; closing: AbortSignal },
): Promise<OpenStorage> {
  if (!s3) {
    const directory = join(dataDir, 'files');
    const [storage, incomingFiles] = [
      createDiskStorage(directory),
      createDiskIncomingFiles(directory),
    ];
    return { storage, incomingFiles, files: sentFiles, name: dataDir };
  }
  const cache = await FileCache.open(join(dataDir, 'cache'), { drafts: workDirectory, maxBytes });
  const bucket = new Bucket(s3);
  const storage = createS3Storage(bucket, cache, closing);
  const incomingFiles = createS3IncomingFiles(bucket, { workDirectory, closing });
  const name = `the bucket ${s3.bucket} at ${s3.endpoint}`;
  return { storage, incomingFiles, files: createBucketFiles(s3), name };
}

const settingName = 'storage';
/** The file that is there as long as the storage is. */
export const storageMarkerKey = 'store/identity/id.txt';

/** The files do not belong to the database. */
export class StorageMismatch extends Error {
  override name = 'StorageMismatch';
}

const readId = (setting: unknown): string | null =>
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
  /** The name that a person gives to the store. */
  name: string,
): Promise<void> {
  // A store without an id is only marked if the database has none: the disk may not be mounted.
  const known = await settle(db, settingName, async () => ({
    id: await storage.putOnce(storageMarkerKey, randomUUID()),
  }));
  const expected = readId(known);
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
