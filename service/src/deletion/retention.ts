import { errorText } from 'clip-engine';
import type { Log, Retention } from '../config/config.ts';
import {
  deleteOldExports,
  deleteOldTasks,
  forgetOldSources,
  forgetOldStretches,
  type Deleted,
} from '../db/deletion.ts';
import { forgetOldKeys } from '../db/idempotency-keys.ts';
import type { Db } from '../db/schema.ts';
import { removeUnder, type Storage } from '../storage/storage.ts';
import { removeFiles } from './remove-files.ts';

interface Needs {
  db: Db;
  storage: Storage;
  log: Log;
}

const countOf = ({ tasks, exports }: Deleted): number => tasks.length + exports.length;

/** Deletes what is older than the operator wants to keep it. Ends between two batches. */
export async function retain(
  service: Needs,
  { sourceDays, stretchDays, exportDays, taskDays }: Retention,
  signal: AbortSignal,
): Promise<void> {
  const { db, storage, log } = service;
  const sum = { tasks: 0, exports: 0, sources: 0, stretches: 0 };
  const batches = async (next: () => Promise<Deleted>): Promise<void> => {
    for (let count = 1; count > 0 && !signal.aborted;) {
      const deleted = await next();
      count = countOf(deleted);
      sum.tasks += deleted.tasks.length;
      sum.exports += deleted.exports.length;
      await removeFiles(storage, deleted);
    }
  };
  if (taskDays !== undefined) await batches(() => deleteOldTasks(db, taskDays));
  if (exportDays !== undefined) await batches(() => deleteOldExports(db, exportDays));
  while (sourceDays !== undefined && !signal.aborted) {
    const tasks = await forgetOldSources(db, sourceDays);
    if (tasks.length === 0) break;
    sum.sources += tasks.length;
    for (const id of tasks) await removeUnder(storage, `sources/${id}`);
  }
  while (stretchDays !== undefined && !signal.aborted) {
    const keys = await forgetOldStretches(db, stretchDays);
    if (keys.length === 0) break;
    sum.stretches += keys.length;
    for (const key of keys) await storage.remove(key);
  }
  await forgetOldKeys(db);
  if (sum.tasks + sum.exports + sum.sources + sum.stretches > 0)
    log({ event: 'retention', ...sum });
}

const intervalMs = 60 * 60 * 1000;

/** Does so at once and every hour. Gives the function that stops it. */
export function retainHourly(service: Needs, retention: Retention): () => Promise<void> {
  const stopped = new AbortController();
  let running = Promise.resolve();
  const run = (): void => {
    running = retain(service, retention, stopped.signal).catch((error: unknown) =>
      service.log({ event: 'retention-failed', level: 'error', message: errorText(error) }),
    );
  };
  run();
  const timer = setInterval(run, intervalMs);
  return () => {
    clearInterval(timer);
    stopped.abort();
    return running;
  };
}
