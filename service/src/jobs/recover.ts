import type { ServiceContext } from '../context.ts';
import { queueNames, type QueueName } from './queue.ts';
import { failRow } from './fail-row.ts';
import { interrupted, maxAttempts, tables } from './run-job.ts';

const sendAgain = async (service: ServiceContext, kind: QueueName, id: string): Promise<void> => {
  await service.queue.forget(kind, id);
  try {
    await service.db.transaction().execute(async (trx) => {
      await trx
        .updateTable(tables[kind] as 'exports')
        .set({ stage: 'queued', share: 0 })
        .where('id', '=', id)
        .execute();
      await service.queue.send(kind, id, trx);
    });
  } catch (error) {
    // Another process that starts at this moment may have been first.
    if (!(await service.queue.isAlive(kind, id))) throw error;
  }
};

/**
 * Finds the work that a crash has left: rows that are being processed, and no job for them.
 * Each gets a new job, or ends in `error` where it has been begun too often.
 * `exclusive`: no other process works on this database, so that every job there is has lost its worker.
 */
export const recover = async (service: ServiceContext, exclusive: boolean): Promise<void> => {
  for (const kind of queueNames) {
    if (exclusive) await service.queue.forgetAll(kind);
    const rows = await service.db
      .selectFrom(tables[kind] as 'exports')
      .select(['id', 'attempts'])
      .where('status', '=', 'processing')
      .orderBy('created_at')
      .execute();
    for (const { id, attempts } of rows) {
      if (await service.queue.isAlive(kind, id)) continue;
      if (attempts >= maxAttempts) await failRow(service, kind, id, interrupted);
      else await sendAgain(service, kind, id);
      service.log({ event: 'recovered', kind, id, attempts });
    }
  }
};
