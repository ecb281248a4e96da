import { join } from 'node:path';
import type { ServiceConfig } from '../config/config.ts';
import type { Arrivals } from './arrivals.ts';
import { diskStorage } from './disk.ts';
import { diskArrivals } from './disk-arrivals.ts';
import { FileCache } from './file-cache.ts';
import { bucketFiles, sentFiles, type PublicFiles } from './public-files.ts';
import { s3Arrivals } from './s3/arrivals.ts';
import { Bucket } from './s3/bucket.ts';
import { s3Storage } from './s3/s3.ts';
import type { Storage } from './storage.ts';

const defaultCacheBytes = 20e9;

export interface OpenStorage {
  storage: Storage;
  arrivals: Arrivals;
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
    const directory = join(dataDir, 'files');
    const [storage, arrivals] = [diskStorage(directory), diskArrivals(directory)];
    return { storage, arrivals, files: sentFiles, name: dataDir };
  }
  const cache = await FileCache.open(join(dataDir, 'cache'), { drafts: workDirectory, maxBytes });
  const bucket = new Bucket(s3);
  const storage = s3Storage(bucket, cache, closing);
  const arrivals = s3Arrivals(bucket, { workDirectory, closing });
  const name = `the bucket ${s3.bucket} at ${s3.endpoint}`;
  return { storage, arrivals, files: bucketFiles(s3), name };
}
