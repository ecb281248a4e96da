import { SourceError, errorText } from 'clip-engine';
import { learnCause } from '../operations/cause.ts';
import type { ServiceContext } from '../context.ts';
import { machineFault } from '../operations/machine-fault.ts';
import { isDatabaseGone } from '../db/unavailable.ts';
import type { JobHandler, WorkKind } from './queue.ts';
import {
  AttemptLost,
  beginAttempt,
  giveBack,
  isPreviewLater,
  queueAgain,
  queueChanged,
  writeAs,
  type Attempt,
  type Begun,
  type Failure,
} from './attempt-queries.ts';
import { isStorageGone } from '../storage/unavailable.ts';
import { WorkFailure } from './work-failure.ts';
import { noPreview } from '../clips/after-preview.ts';
import { failRow } from './fail-row.ts';
import { RowProgress } from './progress.ts';
import { removeLeft } from './left-files.ts';
import { watchRow } from './watch-row.ts';

/** How often work is begun on a row that ends the process, or fails for no known reason. */
const maxAttempts = 3;

/** How a row ends that was begun too often. */
const interrupted = {
  code: 'interrupted',
  message: `The service stopped ${maxAttempts} times while working on this, so it was given up.`,
} as const;

/** The message if only the log has the reason. */
const taskFailure: Failure = {
  code: 'processing-failed',
  message: 'The video could not be processed. Create a new task to try again.',
};
const unknownFailures: Readonly<Record<WorkKind, Failure>> = {
  ingest: taskFailure,
  scan: taskFailure,
  preview: noPreview,
  film: {
    code: 'render-failed',
    message: 'The film of the editor could not be made. Try again.',
  },
  export: {
    code: 'render-failed',
    message: 'The render failed. Start a new export to try again.',
  },
};

/** Whose work it is, for the log. */
const workOf = {
  ingest: 'task',
  scan: 'task',
  preview: 'preview',
  export: 'export',
  film: 'film',
} as const;

/** How the log names the end of a job; a task is ready with the last of its previews. */
const doneEvents = {
  ingest: 'task-fetched',
  scan: 'task-scanned',
  preview: 'preview-ready',
  export: 'export-ready',
  film: 'film-ready',
} as const;

/** The failure for the row's owner; null if another attempt may succeed. */
function failureOf(kind: WorkKind, error: unknown): Failure | null {
  if (error instanceof SourceError || error instanceof WorkFailure) {
    return { code: error.code, message: error.message };
  }
  const fault = machineFault(error);
  if (fault) return fault.transient ? null : fault;
  // A clip that cannot be drawn once will not be drawn later, and has others beside it.
  return kind === 'preview' ? noPreview : null;
}

/** The failure for the row's owner after the last attempt. */
const lastFailure = (kind: WorkKind, error: unknown): Failure => ({
  ...unknownFailures[kind],
  ...machineFault(error),
});

/**
 * Ends a failed attempt. `isTaken`: the queue has taken its job from this process, whose sign of
 * life came too late. Rejects if the job is put back, or the row is another attempt's.
 */
async function endFailed(
  service: Pick<ServiceContext, 'closing' | 'db' | 'log' | 'machine'>,
  { attempt, counted }: { attempt: Attempt; counted: number },
  error: unknown,
  isTaken: boolean,
): Promise<void> {
  if (error instanceof AttemptLost) throw error;
  // None of these is the work's fault: this attempt does not count.
  const isToBlame = await service.machine.isToBlame(machineFault(error));
  if (service.closing.aborted || isToBlame || isStorageGone(error) || isDatabaseGone(error)) {
    await giveBack(service.db, attempt);
    const why = service.closing.aborted ? 'The service stops' : errorText(error);
    throw new Error(`${why}: the job is put back.`, { cause: error });
  }
  const { kind, id } = attempt;
  const failure = isTaken ? null : failureOf(kind, error);
  const again = !failure && counted < maxAttempts;
  if (again) await writeAs(service.db, attempt, (trx) => queueAgain(trx, attempt));
  else await failRow(service, attempt, failure ?? lastFailure(kind, error));
  const message = errorText(error);
  const event = `${workOf[kind]}-failed`;
  const { code } = failure ?? lastFailure(kind, error);
  const known = failure !== null;
  service.log({ event, id, attempts: counted, known, code, message });
  if (again) throw error;
}

/**
 * Makes a job of the work on a row. In the end the row is `ready` or in `error`, the job is put
 * back (the service stops, or the failure is worth another attempt), or a later attempt has the
 * row.
 */
export const rowJob =
  <Kind extends WorkKind>(
    service: ServiceContext,
    kind: Kind,
    work: (
      service: ServiceContext,
      begun: Begun<Kind>,
      progress: RowProgress,
      signal: AbortSignal,
    ) => Promise<void>,
  ): JobHandler =>
  async (id, jobSignal) => {
    const lost = new AbortController();
    const signal = AbortSignal.any([jobSignal, service.closing, lost.signal]);
    if (signal.aborted) throw new Error('The service stops: the job is put back.');
    const begun = await beginAttempt(service.db, kind, id);
    if (!begun) {
      const isLater = kind === 'preview' && (await isPreviewLater(service.db, id));
      if (isLater) throw new Error('The clip is still being changed: the job is put back.');
      return;
    }
    const { attempt, counted, row, organization } = begun;
    learnCause({ user: row.author_id, organization });
    const unwatch = watchRow(service, attempt, (reason) => lost.abort(reason));
    const progress = new RowProgress(service.db, attempt, (stage, ms) =>
      service.log({ event: 'stage', level: 'debug', kind, id, stage, ms }),
    );
    const began = performance.now();
    let isClean = attempt.number === 1;
    try {
      if (counted > maxAttempts) return await failRow(service, attempt, interrupted);
      await work(service, begun, progress, signal);
      service.log({ event: doneEvents[kind], id, ms: Math.round(performance.now() - began) });
    } catch (error) {
      isClean = false;
      await progress.settled();
      try {
        lost.signal.throwIfAborted();
        await endFailed(service, begun, error, jobSignal.aborted);
      } catch (ended) {
        if (!(ended instanceof AttemptLost)) throw ended;
        service.log({ event: `${workOf[kind]}-superseded`, id, attempt: attempt.number });
        // Its job is that of the newer revision.
        if (await queueChanged(service.db, attempt)) throw ended;
      }
    } finally {
      unwatch();
      await progress.settled();
      if (!isClean) await removeLeft(service, attempt);
    }
  };
