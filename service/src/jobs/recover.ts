import type { ServiceContext } from '../context.ts';
import { AttemptLost, tables, writeAs, type Attempt } from '../db/worked-rows.ts';
import { failRow } from './fail-row.ts';
import { workKinds } from '../db/queue.ts';
import { interrupted, maxAttempts } from './run-job.ts';
import { sweep } from './sweep.ts';

/** Gives the row a new job; false where another process that starts at this moment was first. */
const sendAgain = (service: ServiceContext, attempt: Attempt): Promise<boolean> =>
  writeAs(service.db, attempt, async (trx) => {
    const { kind, id } = attempt;
    if (await service.queue.isAlive(kind, id, trx)) return false;
    await service.queue.forget(kind, id, trx);
    await trx
      .updateTable(tables[kind] as 'exports')
      .set({ stage: 'queued', share: 0 })
      .where('id', '=', id)
      .execute();
    await service.queue.send(kind, id, trx);
    return true;
  });

/** Takes up the last attempt of a row that has no job. False where it is another's, or has ended meanwhile. */
const takeUp = async (
  service: ServiceContext,
  attempt: Attempt,
  counted: number,
): Promise<boolean> => {
  try {
    if (counted < maxAttempts) return await sendAgain(service, attempt);
    await failRow(service, attempt, interrupted);
    await sweep(service, attempt.kind, attempt.id);
    return true;
  } catch (error) {
    if (error instanceof AttemptLost) return false;
    throw error;
  }
};

/** No job runs for so long: an attempt that was lost then is gone by now. Milliseconds. */
const sweptForMs = 2 * 24 * 60 * 60 * 1000;

/**
 * Finds the work that a crash has left: rows that are being processed, and no job for them.
 * Each gets a new job, or ends in `error` where it has been begun too often. Of rows that were settled in the last two days
 * the files of lost attempts are removed.
 * `exclusive`: no other process works on this database, so that every job there is has lost its worker.
 */
export const recover = async (service: ServiceContext, exclusive: boolean): Promise<void> => {
  for (const kind of workKinds) {
    if (exclusive) await service.queue.forgetAll(kind);
    const rows = await service.db
      .selectFrom(tables[kind] as 'exports')
      .select(['id', 'attempts', 'given_back'])
      .where('status', '=', 'processing')
      .orderBy('created_at')
      .execute();
    for (const { id, attempts, given_back } of rows) {
      if (await service.queue.isAlive(kind, id)) continue;
      const attempt = { kind, id, number: attempts };
      if (await takeUp(service, attempt, attempts - given_back)) {
        service.log({ event: 'recovered', kind, id, attempts });
      }
    }
    // Where one attempt was enough, none was lost.
    const settled = await service.db
      .selectFrom(tables[kind] as 'exports')
      .select('id')
      .where('finished_at', '>', new Date(Date.now() - sweptForMs))
      .where((row) => row.or([row('attempts', '>', 1), row('status', '=', 'error')]))
      .execute();
    for (const { id } of settled) await sweep(service, kind, id);
  }
};
