import type { Trx } from '../db/schema.ts';

/** The work that there is, each kind with a queue of jobs: each job works on one row. */
export const workKinds = ['ingest', 'scan', 'preview', 'export', 'proxy'] as const;
/**
 * `ingest`: the download of a task's source. `scan`: from the source of a task to its clips.
 * `preview`: the preview of a clip. `export`: an export. `proxy`: the editor's media of a clip's
 * source.
 */
export type WorkKind = (typeof workKinds)[number];

/** A row's job. Jobs of a kind begin in the order of their turns (`takeTurns`). */
export interface QueuedJob {
  /** The row's id. */
  id: string;
  turn: number;
  /** The user that it is done for. */
  author_id: string;
}

/** Jobs of which some may be slow: how many of them a process works on at the same time. */
export interface Group {
  concurrency: number;
  /** The number of jobs that may be one user's. */
  perUser: number;
  /** A job that takes longer frees its slot, so that others need not wait for it. */
  slotMs: number;
}

/** Does the row's work; a rejection has the job retried. `isUrgent`: a person waits for it. */
export type JobHandler = (id: string, signal: AbortSignal, isUrgent?: boolean) => Promise<void>;

/** The jobs: one for each row that is being processed, with its id. */
export interface Queue {
  /**
   * Adds the row's job within the transaction that makes the row: both are there, or none. It
   * begins `afterSeconds` later.
   */
  send(kind: WorkKind, job: QueuedJob, trx: Trx, afterSeconds?: number): Promise<void>;
  /** Prioritizes the job of a row that a user waits for. */
  prioritize(kind: WorkKind, id: string): Promise<void>;
  /** Whether a job of the row is waiting or running. */
  isAlive(kind: WorkKind, id: string): Promise<boolean>;
  /** `urgent`: how many more jobs begin beside those, if a person waits for them. */
  work(
    kind: WorkKind,
    slots: Group | { concurrency: number; urgent?: number },
    handler: JobHandler,
  ): Promise<void>;
  /** Counts the jobs of each kind that this process works on. */
  slots(): { kind: WorkKind; all: number; inUse: number }[];
  /** Works in one process of the installation at a time, by a schedule of cron. */
  every(cron: string, name: string, work: () => Promise<void>): Promise<void>;
  /** Takes no new jobs for `ms`, and then until `isOver` resolves to true. */
  backOff(ms: number, isOver: () => Promise<boolean>): Promise<void>;
  /** Stops taking new jobs, and resolves when the running ones have ended. */
  drain(): Promise<void>;
  /** Takes no new jobs and waits for the handlers of the running ones. */
  stop(): Promise<void>;
}

/** Work that cannot succeed by being repeated; `message` is a sentence for a person. */
export class WorkFailure extends Error {
  override name = 'WorkFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
