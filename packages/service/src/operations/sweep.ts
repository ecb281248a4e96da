import { join, resolve } from 'node:path';
import type { ServiceConfig } from '../config/config.ts';
import { findOrphans, type Orphan } from './orphans.ts';
import { matchStorage } from '../storage/identity.ts';
import { openStorage } from '../storage/open.ts';
import { withDatabase } from './with-database.ts';

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
