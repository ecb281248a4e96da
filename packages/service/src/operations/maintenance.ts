import { join, resolve } from 'node:path';
import type { Log, ServiceConfig } from '../config/config.ts';
import { openDatabase, type OpenDatabase } from '../db/open.ts';
import { lockDataDirectory } from '../storage/data-lock.ts';
import { openQueue } from '../queue/open.ts';
import { findOrphans, type Orphan } from './garbage-collection.ts';
import { matchStorage, openStorage } from '../storage/open.ts';

/**
 * Brings the tables of the service and of its queue up to date; with `check` nothing is changed.
 * Rejects with `SchemaMismatch` if the tables are of a version that this one cannot work with, or,
 * with `check`, if they are not up to date.
 */
export const migrateTables = (
  config: ServiceConfig,
  { check, log }: { check: boolean; log: Log },
): Promise<void> =>
  withDatabase(config, { change: !check }, async (database) => {
    if (!check) await (await openQueue(database, log)).stop();
  });

/**
 * Removes the stored files that no row names; with `dryRun` they are only listed. Other processes
 * may run meanwhile, unless the database is the built-in one. Rejects as `startService` does.
 */
export async function sweepStorage(
  config: ServiceConfig,
  { dryRun, onOrphan }: { dryRun: boolean; onOrphan: (orphan: Orphan) => void },
): Promise<void> {
  const closing = new AbortController();
  const own = config.databaseUrl === undefined || config.s3 !== undefined;
  try {
    await withDatabase(config, { change: !dryRun, own }, async ({ db }) => {
      const dataDir = resolve(config.dataDir);
      const { storage, name } = await openStorage(config, {
        dataDir,
        workDirectory: join(dataDir, 'work'),
        closing: closing.signal,
      });
      await matchStorage(db, storage, name);
      for await (const orphan of findOrphans({ db, storage })) {
        if (!dryRun) await storage.remove(orphan.key);
        onOrphan(orphan);
      }
    });
  } finally {
    closing.abort();
  }
}

/**
 * Works on the database, beside other processes if it is not the built-in one. With `change: false`
 * its tables must be up to date. Throws `DataDirectoryInUse`, `SchemaMismatch`.
 */
export async function withDatabase<T>(
  config: ServiceConfig,
  { change, own = config.databaseUrl === undefined }: { change: boolean; own?: boolean },
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const dataDir = resolve(config.dataDir);
  const unlock = own ? lockDataDirectory(dataDir) : null;
  try {
    const database = await openDatabase({ ...config, dataDir, change });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    unlock?.();
  }
}
