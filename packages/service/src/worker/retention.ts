import type { Log, Retention } from '../config/config.ts';
import {
  deleteOldExports,
  deleteOldTasks,
  deleteOldSources,
  deleteOldSegments,
} from '../tasks/deletion-queries.ts';
import { removeDeleted } from '../appearance/queries.ts';
import { deleteOldUploads } from '../uploads/queries.ts';
import { deleteOldKeys } from '../db/idempotency-keys.ts';
import type { Db } from '../db/schema.ts';
import { deleteOldSourceUses } from '../users/queries.ts';
import { deleteEndedVisits } from '../views/queries.ts';
import { removePreviousSecrets } from '../webhooks/endpoint-queries.ts';
import { deleteOldDeliveries, endUnwanted } from '../webhooks/queries.ts';

interface Dependencies {
  db: Db;
  log: Log;
}

/** The time for which settled deliveries of webhooks are kept: to be looked up, or sent again. */
const deliveryDays = 30;

/** Deletes work that is older than the operator's limits. Stops between two batches. */
export async function retain(
  service: Dependencies,
  { sourceDays, segmentDays, exportDays, taskDays }: Retention,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = service;
  /** Repeats until nothing of a kind is left. Returns how many there were. */
  const all = async (
    days: number | undefined,
    remove: (db: Db, days: number) => Promise<number>,
  ): Promise<number> => {
    let sum = 0;
    for (let count = 1; days !== undefined && count > 0 && !signal.aborted; sum += count) {
      count = await remove(db, days);
    }
    return sum;
  };
  const sum = {
    tasks: await all(taskDays, deleteOldTasks),
    exports: await all(exportDays, deleteOldExports),
    sources: await all(sourceDays, deleteOldSources),
    segments: await all(segmentDays, deleteOldSegments),
  };
  await endUnwanted(db);
  await all(deliveryDays, deleteOldDeliveries);
  await removePreviousSecrets(db);
  await all(0, deleteOldUploads);
  await all(0, deleteEndedVisits);
  await all(0, () => removeDeleted(db, 'fonts'));
  await all(0, () => removeDeleted(db, 'media'));
  await deleteOldKeys(db);
  await deleteOldSourceUses(db);
  if (sum.tasks + sum.exports + sum.sources + sum.segments > 0) log({ event: 'retention', ...sum });
}
