import { join, resolve } from 'node:path';
import type { ServiceConfig } from './config/config.ts';
import { openDatabase } from './db/open.ts';
import { findOrphans, type Orphan } from './deletion/orphans.ts';
import { lockDataDirectory } from './storage/data-lock.ts';
import { matchStorage } from './storage/identity.ts';
import { openStorage } from './storage/open.ts';

/**
 * Removes the stored files that no row names; with `dryRun` they are only told. Other processes may
 * run meanwhile, unless the database is the built-in one.
 * Rejects as `startService` does.
 */
export async function sweepStorage(
  config: ServiceConfig,
  { dryRun, onOrphan }: { dryRun: boolean; onOrphan: (orphan: Orphan) => void },
): Promise<void> {
  const dataDir = resolve(config.dataDir);
  const own = config.databaseUrl === undefined || config.s3 !== undefined;
  const unlock = own ? lockDataDirectory(dataDir) : null;
  const closing = new AbortController();
  try {
    const { db, close } = await openDatabase({
      dataDir,
      databaseUrl: config.databaseUrl,
      change: !dryRun,
    });
    try {
      const workDirectory = join(dataDir, 'work');
      const { storage, name } = await openStorage(config, {
        dataDir,
        workDirectory,
        closing: closing.signal,
      });
      await matchStorage(db, storage, name);
      for await (const orphan of findOrphans({ db, storage })) {
        if (!dryRun) await storage.remove(orphan.key);
        onOrphan(orphan);
      }
    } finally {
      await close();
    }
  } finally {
    closing.abort();
    unlock?.();
  }
}
