import type { Trx } from './schema.ts';

/** What is worked on. Each kind has a table, and a queue of jobs. */
export type WorkKind = 'task' | 'export';
export const workKinds: readonly WorkKind[] = ['task', 'export'];

/** Gives the row's work; a rejection puts the job back to be tried again. */
export type JobHandler = (id: string, signal: AbortSignal) => Promise<void>;

/** The jobs: one for each row of `tasks` and `exports` that is being processed, with its id. */
export interface Queue {
  /** Adds the row's job within the transaction that makes the row: both are there, or none. */
  send(kind: WorkKind, id: string, trx: Trx): Promise<void>;
  /** Whether a job of the row is waiting or running. */
  isAlive(kind: WorkKind, id: string, trx?: Trx): Promise<boolean>;
  /** Forgets the row's job, whatever its state. */
  forget(kind: WorkKind, id: string, trx: Trx): Promise<void>;
  forgetAll(kind: WorkKind): Promise<void>;
  work(kind: WorkKind, concurrency: number, handler: JobHandler): Promise<void>;
  /** Takes no new jobs and waits for the handlers of the running ones. */
  stop(): Promise<void>;
}
