import { resolve } from 'node:path';
import type { Log, ServiceConfig } from './config/config.ts';
import { openDatabase } from './db/open.ts';
import { openQueue } from './jobs/queue.ts';
import { lockDataDirectory } from './storage/data-lock.ts';

/**
 * Brings the tables of the service and of its queue up to date; with `check` nothing is changed.
 * Rejects with `SchemaMismatch` if the tables are of a version that this one cannot work with, or,
 * with `check`, if they are not up to date.
 */
export async function migrateTables(
  { dataDir, databaseUrl, databaseListenUrl }: ServiceConfig,
  { check, log }: { check: boolean; log: Log },
): Promise<void> {
  const unlock = databaseUrl === undefined ? lockDataDirectory(resolve(dataDir)) : null;
  try {
    const database = await openDatabase({
      dataDir: resolve(dataDir),
      databaseUrl,
      databaseListenUrl,
      change: !check,
    });
    try {
      if (!check) await (await openQueue(database, log)).stop();
    } finally {
      await database.close();
    }
  } finally {
    unlock?.();
  }
}
