import { resolve } from 'node:path';
import type { ServiceConfig } from '../config/config.ts';
import { openDatabase, type OpenDatabase } from '../db/open.ts';
import { lockDataDirectory } from '../storage/data-lock.ts';

/**
 * Works on the database, beside other processes if it is not the built-in one. With `change: false`
 * its tables must be up to date. Throws `DataDirectoryInUse`, `SchemaMismatch`.
 */
export async function withDatabase<T>(
  { dataDir, databaseUrl, databaseListenUrl }: ServiceConfig,
  { change, own = databaseUrl === undefined }: { change: boolean; own?: boolean },
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const unlock = own ? lockDataDirectory(resolve(dataDir)) : null;
  try {
    const database = await openDatabase({
      dataDir: resolve(dataDir),
      databaseUrl,
      databaseListenUrl,
      change,
    });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    unlock?.();
  }
}
