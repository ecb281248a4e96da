import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { formatError, SourceError } from 'clip-engine';
import { addToRequestContext } from '../telemetry/tracing.ts';
import type { Log } from '../config/config.ts';
import type { Changes } from '../operations/changes.ts';
import type { MachineHealth } from '../operations/machine-health.ts';
import type { Db } from '../db/schema.ts';
import { isDatabaseGone, findMachineFault } from '../db/connections.ts';
import { type JobHandler, WorkFailure, type WorkKind } from '../queue/queue.ts';
import {
  type JobAttempt,
  AttemptLost,
  beginAttempt,
  type Begun,
  failAttempt,
  type Failure,
  releaseAttempt,
  isOwn,
  queueAgain,
  queueChanged,
  tables,
  writeProgress,
} from '../queue/attempt-queries.ts';
import { isStorageGone } from '../storage/storage.ts';
import { RowProgress, type WriteProgress } from './progress.ts';
import { removeLeftLater } from '../storage/queries.ts';

/** A kind of rows that jobs work on: what its noun decides. */
export interface RowKind<Kind extends WorkKind> {
  kind: Kind;
  /** The first part of its log events, as in `task-failed`. */
  logName: string;
  /** The log event of its success. */
  doneEvent: string;
  /** The failure of a row if only the log has the reason. */
  unknownFailure: Failure;
  /** Whether an unknown failure is final: another attempt would fail the same way. */
  failsAtOnce?: boolean;
  /** Why a row that no attempt could claim is to be tried again; null if nothing is left to do. */
  putBackReason?(db: Db, id: string): Promise<string | null>;
  /** Marks the attempt's row as failed. Throws `AttemptLost`. */
  fail(service: { db: Db; log: Log }, attempt: JobAttempt, failure: Failure): Promise<void>;
  writeProgress: WriteProgress;
}

/** The behaviour of the kinds of rows that belong to no other row. */
export const ownRows: Pick<RowKind<WorkKind>, 'fail' | 'writeProgress'> = {
  fail: async ({ db }, attempt, failure) => void (await failAttempt(db, attempt, failure)),
  writeProgress,
};

/**
 * The number of times that work begins on a row that ends the process, or fails for no known
 * reason.
 */
const maxAttempts = 3;

/** A job that this many machines could not do, in turn, is at fault, and not they. */
const maxMachines = 3;

/** The failure of a row that was begun too often. */
const interrupted = {
  code: 'interrupted',
  message: `The service stopped ${maxAttempts} times while working on this, so it stopped trying.`,
} as const;

/** The failure for the row's owner; null if another attempt may succeed. */
function findFailure(
  { failsAtOnce, unknownFailure }: RowKind<WorkKind>,
  error: unknown,
): Failure | null {
  if (error instanceof SourceError || error instanceof WorkFailure) {
    return { code: error.code, message: error.message };
  }
  const fault = findMachineFault(error);
  if (fault) return fault.transient ? null : fault;
  return failsAtOnce ? unknownFailure : null;
}

/** The failure for the row's owner after the last attempt. */
const makeLastFailure = ({ unknownFailure }: RowKind<WorkKind>, error: unknown): Failure => ({
  ...unknownFailure,
  ...findMachineFault(error),
});

/**
 * Ends a failed attempt. `isTaken`: the queue has taken its job from this process, whose sign of
 * life came too late. Rejects if the job is put back, or the row is another attempt's.
 */
async function endFailed(
  service: JobDependencies,
  rows: RowKind<WorkKind>,
  { attempt, counted, row }: Begun<WorkKind>,
  error: unknown,
  isTaken: boolean,
): Promise<void> {
  if (error instanceof AttemptLost) throw error;
  // None of these is the work's fault: this attempt does not count.
  const fault = findMachineFault(error);
  const isOutdated = await service.machine.noteFailure(fault);
  const isMachines = fault !== null && !fault.transient && row.releases < maxMachines - 1;
  const isPutBack =
    service.closing.aborted || isOutdated || isStorageGone(error) || isDatabaseGone(error);
  if (isPutBack || isMachines) {
    await releaseAttempt(service.db, attempt, !isPutBack);
    const why = service.closing.aborted ? 'The service stops' : formatError(error);
    throw new Error(`${why}: the job is put back.`, { cause: error });
  }
  const failure = isTaken ? null : findFailure(rows, error);
  const again = !failure && counted < maxAttempts;
  if (again) await queueAgain(service.db, attempt);
  else await rows.fail(service, attempt, failure ?? makeLastFailure(rows, error));
  const message = formatError(error);
  const event = `${rows.logName}-failed`;
  const { code } = failure ?? makeLastFailure(rows, error);
  const known = failure !== null;
  service.log({ event, id: attempt.id, attempts: counted, known, code, message });
  if (again) throw error;
}

export interface JobDependencies {
  changes: Pick<Changes, 'watchRow'>;
  closing: AbortSignal;
  db: Db;
  log: Log;
  machine: Pick<MachineHealth, 'noteFailure'>;
  workDirectory: string;
}

/**
 * Makes a job of the work on a row. In the end the row is `ready` or in `error`, the job is put
 * back (the service stops, or the failure is worth another attempt), or a later attempt has the
 * row.
 */
export const makeRowJob =
  <Kind extends WorkKind, Service extends JobDependencies>(
    service: Service,
    rows: RowKind<Kind>,
    work: (
      service: Service,
      begun: Begun<Kind> & { isUrgent: boolean },
      progress: RowProgress,
      signal: AbortSignal,
    ) => Promise<void>,
  ): JobHandler =>
  async (id, jobSignal, isUrgent = false) => {
    const lost = new AbortController();
    const signal = AbortSignal.any([jobSignal, service.closing, lost.signal]);
    if (signal.aborted) throw new Error('The service stops: the job is put back.');
    const { kind } = rows;
    const begun = await beginAttempt(service.db, kind, id);
    if (!begun) {
      const reason = (await rows.putBackReason?.(service.db, id)) ?? null;
      if (reason !== null) throw new Error(`${reason}: the job is put back.`);
      return;
    }
    const { attempt, counted, row, organization } = begun;
    addToRequestContext({ user: row.author_id, organization });
    const unwatch = watchRow(service, attempt, (reason) => lost.abort(reason));
    const progress = new RowProgress(service.db, attempt, rows.writeProgress, (stage, ms) =>
      service.log({ event: 'stage', level: 'debug', kind, id, stage, ms }),
    );
    const began = performance.now();
    let isClean = attempt.number === 1;
    try {
      if (counted > maxAttempts) return await rows.fail(service, attempt, interrupted);
      await work(service, { ...begun, isUrgent }, progress, signal);
      service.log({ event: rows.doneEvent, id, ms: Math.round(performance.now() - began) });
    } catch (error) {
      isClean = false;
      await progress.settled();
      try {
        lost.signal.throwIfAborted();
        await endFailed(service, rows, begun, error, jobSignal.aborted);
      } catch (ended) {
        if (!(ended instanceof AttemptLost)) throw ended;
        service.log({ event: `${rows.logName}-superseded`, id, attempt: attempt.number });
        // Its job is that of the newer revision.
        if (await queueChanged(service.db, attempt)) throw ended;
      }
    } finally {
      unwatch();
      await progress.settled();
      if (!isClean) await removeLeft(service, attempt);
    }
  };

/**
 * Removes what lost attempts at a row have left: from this disk at once, from the store as soon as
 * it is available and no attempt is at work. Errors there must not make finished work fail.
 */
export async function removeLeft(
  { db, workDirectory, log }: Pick<JobDependencies, 'db' | 'workDirectory' | 'log'>,
  { kind, id, number }: JobAttempt,
): Promise<void> {
  try {
    const table = tables[kind];
    await removeLeftLater(db, table === 'proxies' ? 'projects' : table, id);
    const attempt = new RegExp(`-${id}-(\\d+)`);
    for (const name of await readdir(workDirectory)) {
      // One that is still at work, in a process that was stopped for a while, fails for it.
      if (Number(attempt.exec(name)?.[1] ?? number) >= number) continue;
      await rm(join(workDirectory, name), { recursive: true, force: true });
    }
  } catch (error) {
    log({ event: 'files-not-removed', level: 'warn', message: formatError(error) });
  }
}

/** The time that an attempt has to end after it has settled its row. */
const settleMs = 500;

/** A notice may be missed. */
const pollIntervalMs = 60_000;

/** Calls `onLost` when the attempt has lost its row. Returns a function that ends the watch. */
function watchRow(
  { db, changes }: JobDependencies,
  attempt: JobAttempt,
  onLost: (reason: AttemptLost) => void,
): () => void {
  const ended = new AbortController();
  const watcher = changes.watchRow(tables[attempt.kind], attempt.id);
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await watcher.next(pollIntervalMs, ended.signal);
      // Usually the attempt itself has settled the row, and ends in a moment.
      await setTimeout(settleMs, null, { signal: ended.signal }).catch(() => {});
      // A database that is away says nothing about the row.
      const own = ended.signal.aborted || (await isOwn(db, attempt).catch(() => true));
      if (!own) return onLost(new AttemptLost(attempt));
    }
  };
  void watch();
  return () => {
    ended.abort();
    watcher.close();
  };
}
