import type { ServiceContext } from '../context.ts';
import { machineFault } from '../machine-fault.ts';
import { SourceError } from '../media/source-error.ts';
import { errorText } from '../media/error-text.ts';
import { failRow } from './fail-row.ts';
import { RowProgress } from './progress.ts';
import type { JobHandler, QueueName } from './queue.ts';

/** How often work is begun on a row that keeps bringing the process down, or failing for no known reason. */
export const maxAttempts = 3;

/** Work that cannot succeed by being repeated; `message` is a sentence for a person. */
export class WorkFailure extends Error {
  override name = 'WorkFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** How a row ends that was begun too often. */
export const interrupted = {
  code: 'interrupted',
  message: `The service stopped ${maxAttempts} times while working on this, so it was given up.`,
} as const;

/** The table of each queue's rows; both have the columns of a row that is worked on. */
export const tables = { task: 'tasks', export: 'exports' } as const;

/** What a person is told where only the log can say more. */
const unknownFailures = {
  task: {
    code: 'processing-failed',
    message: 'The video could not be processed. Create a new task to try again.',
  },
  export: {
    code: 'render-failed',
    message: 'The render failed. Start a new export to try again.',
  },
} as const;

interface Failure {
  code: string;
  message: string;
}

/** What the row's owner is told; null where another attempt may go better. */
const failureOf = (error: unknown): Failure | null => {
  if (error instanceof SourceError || error instanceof WorkFailure) {
    return { code: error.code, message: error.message };
  }
  const fault = machineFault(error);
  return fault && !fault.transient ? fault : null;
};

/** What the row's owner is told after the last attempt. */
const lastFailure = (kind: QueueName, error: unknown): Failure => ({
  ...unknownFailures[kind],
  ...machineFault(error),
});

/** Counts an attempt; gives how many there were with it, or null where the row has nothing left to do. */
const begin = async (service: ServiceContext, kind: QueueName, id: string) =>
  (
    await service.db
      .updateTable(tables[kind] as 'exports')
      .set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('id', '=', id)
      .where('status', '=', 'processing')
      .returning('attempts')
      .executeTakeFirst()
  )?.attempts ?? null;

/** The row waits for another attempt. */
const queueAgain = async (service: ServiceContext, kind: QueueName, id: string): Promise<void> => {
  await service.db
    .updateTable(tables[kind] as 'exports')
    .set({ stage: 'queued', share: 0 })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
};

const giveBack = async (service: ServiceContext, kind: QueueName, id: string): Promise<void> => {
  await service.db
    .updateTable(tables[kind] as 'exports')
    .set((row) => ({ attempts: row('attempts', '-', 1), stage: 'queued', share: 0 }))
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
};

/**
 * Makes a job of the work on a row: it always ends with the row `ready` or `error`, or with the job put back
 * (the service stops, or an unexpected failure is worth another attempt).
 */
export const rowJob =
  (
    service: ServiceContext,
    kind: QueueName,
    work: (
      service: ServiceContext,
      id: string,
      progress: RowProgress,
      signal: AbortSignal,
    ) => Promise<void>,
  ): JobHandler =>
  async (id, jobSignal) => {
    const signal = AbortSignal.any([jobSignal, service.closing]);
    if (signal.aborted) throw new Error('The service stops: the job is put back.');
    const attempts = await begin(service, kind, id);
    if (attempts === null) return;
    if (attempts > maxAttempts) return failRow(service, kind, id, interrupted);
    const progress = new RowProgress(service.db, tables[kind], id);
    const began = performance.now();
    try {
      await work(service, id, progress, signal);
      service.log({ event: `${kind}-ready`, id, ms: Math.round(performance.now() - began) });
    } catch (error) {
      await progress.settled();
      if (service.closing.aborted) {
        await giveBack(service, kind, id);
        throw new Error('The service stops: the job is put back.', { cause: error });
      }
      const failure = failureOf(error);
      const message = errorText(error);
      service.log({ event: `${kind}-failed`, id, attempts, known: failure !== null, message });
      if (!failure && attempts < maxAttempts) {
        await queueAgain(service, kind, id);
        throw error;
      }
      await failRow(service, kind, id, failure ?? lastFailure(kind, error));
    } finally {
      await progress.settled();
      service.changes.announce();
    }
  };
