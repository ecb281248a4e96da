import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';

/** Least time between two writes, in milliseconds. */
const interval = 500;

/** Keeps the progress of a row up to date without writing more often than anyone can see. */
export class RowProgress {
  readonly #db: Kysely<Database>;
  readonly #table: 'tasks' | 'exports';
  readonly #id: string;
  #written = -Infinity;
  #writing: Promise<void> = Promise.resolve();
  #busy = false;

  constructor(db: Kysely<Database>, table: 'tasks' | 'exports', id: string) {
    this.#db = db;
    this.#table = table;
    this.#id = id;
  }

  /** `share` is that of the whole work, 0 to 1. `also` goes along with it, for exports. */
  report(stage: string, share: number, also: { estimated_ready_at?: Date } = {}): void {
    if (this.#busy || performance.now() - this.#written < interval) return;
    this.#busy = true;
    this.#written = performance.now();
    // Both tables have these columns.
    this.#writing = this.#db
      .updateTable(this.#table as 'exports')
      .set({ stage, share: Math.min(1, Math.max(0, share)), ...also })
      .where('id', '=', this.#id)
      .where('status', '=', 'processing')
      .execute()
      .then(
        () => undefined,
        // Progress is a courtesy: the work goes on without it, and meets a broken database by itself.
        () => undefined,
      )
      .finally(() => {
        this.#busy = false;
      });
  }

  /** Ends when nothing is being written any more. */
  settled(): Promise<void> {
    return this.#writing;
  }
}
