import type { ServiceContext } from '../context.ts';
import { settleLeftTasks } from '../db/previews.ts';
import { workKinds, type QueuedJob } from '../db/queue.ts';
import {
  AttemptLost,
  listProcessing,
  listSettledSince,
  queueAgain,
  writeAs,
  type Attempt,
} from '../db/worked-rows.ts';
import { afterPreview, noPreview } from './after-preview.ts';
import { failRow } from './fail-row.ts';
import { interrupted, maxAttempts } from './run-job.ts';
import { sweep } from './sweep.ts';

/** Gives the row a new job; false if another process that starts at this moment was first. */
const sendAgain = (
  { db, queue }: ServiceContext,
  attempt: Attempt,
  job: QueuedJob,
): Promise<boolean> =>
  writeAs(db, attempt, async (trx) => {
    const { kind, id } = attempt;
    if (await queue.isAlive(kind, id, trx)) return false;
    await queue.forget(kind, id, trx);
    await queueAgain(trx, attempt);
    await queue.send(kind, job, trx);
    return true;
  });

/** Takes up the last attempt of a row without a job. False if it is another's, or has ended. */
async function takeUp(
  service: ServiceContext,
  attempt: Attempt,
  counted: number,
  job: QueuedJob,
): Promise<boolean> {
  try {
    if (counted < maxAttempts) return await sendAgain(service, attempt, job);
    await failRow(service, attempt, interrupted);
    await sweep(service, attempt.kind, attempt.id);
    return true;
  } catch (error) {
    if (error instanceof AttemptLost) return false;
    throw error;
  }
}

/** No job runs for so long: an attempt that was lost then is gone by now. */
const sweptForMs = 2 * 24 * 60 * 60 * 1000;

/**
 * Finds the work that a crash has left: rows that are being processed, and no job for them. Each
 * gets a new job, or ends in `error` if it has been begun too often. For rows that were settled in
 * the last two days, the files of lost attempts are removed.
 * `exclusive`: no other process works on this database, so every job there has lost its worker.
 */
export async function recover(service: ServiceContext, exclusive: boolean): Promise<void> {
  const { db, queue } = service;
  for (const task of await settleLeftTasks(db, noPreview)) await afterPreview(service, task);
  for (const kind of workKinds) {
    if (exclusive) await queue.forgetAll(kind);
    for (const { attempts, given_back, ...job } of await listProcessing(db, kind)) {
      const { id } = job;
      if (await queue.isAlive(kind, id)) continue;
      const attempt = { kind, id, number: attempts };
      if (await takeUp(service, attempt, attempts - given_back, job)) {
        service.log({ event: 'recovered', kind, id, attempts });
      }
    }
  }
  const since = new Date(Date.now() - sweptForMs);
  for (const kind of ['scan', 'export'] as const) {
    for (const { id } of await listSettledSince(db, kind, since)) await sweep(service, kind, id);
  }
}
