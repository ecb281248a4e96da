import type { Log, ServiceConfig } from '../config/config.ts';
import { openQueue } from '../queue/open.ts';
import { withDatabase } from './with-database.ts';

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
