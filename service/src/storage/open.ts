import { join } from 'node:path';
import type { ServiceConfig } from '../config/config.ts';
import { diskStorage } from './disk.ts';
import { FileCache } from './file-cache.ts';
import { bucketFiles, sentFiles, type PublicFiles } from './public-files.ts';
import { Bucket } from './s3/bucket.ts';
import { s3Storage } from './s3/s3.ts';
import type { Storage } from './storage.ts';

const defaultCacheBytes = 20e9;

export interface OpenStorage {
  storage: Storage;
  files: PublicFiles;
  /** What a person calls the store. */
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
    return { storage: diskStorage(join(dataDir, 'files')), files: sentFiles, name: dataDir };
  }
  const cache = await FileCache.open(join(dataDir, 'cache'), { drafts: workDirectory, maxBytes });
  const storage = s3Storage(new Bucket(s3), cache, closing);
  return { storage, files: bucketFiles(s3), name: `the bucket ${s3.bucket} at ${s3.endpoint}` };
}
