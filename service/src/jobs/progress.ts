import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';
import { tables, type Attempt } from '../db/worked-rows.ts';
import { nextShown, type Shown } from './shown-progress.ts';

/** Least time between two writes of the same stage, in milliseconds. */
const interval = 500;

/**
 * Keeps the progress of an attempt's row up to date without writing more often than anyone can see. Within an attempt it never goes
 * back; a new stage is written at once.
 */
export class RowProgress {
  readonly #db: Kysely<Database>;
  readonly #attempt: Attempt;
  #shown: Shown | null = null;
  #waiting: Shown | null = null;
  #writing: Promise<void> | null = null;
  #written = -Infinity;

  constructor(db: Kysely<Database>, attempt: Attempt) {
    this.#db = db;
    this.#attempt = attempt;
  }

  /** `share` is that of the whole work, 0 to 1. */
  report(stage: string, share: number): void {
    const next = nextShown(this.#waiting ?? this.#shown, { stage, share });
    if (!next) return;
    const soon = performance.now() - this.#written < interval;
    if (soon && next.stage === this.#shown?.stage) return;
    this.#waiting = next;
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    while (this.#waiting) {
      const { stage, share } = (this.#shown = this.#waiting);
      this.#waiting = null;
      this.#written = performance.now();
      const { kind, id, number } = this.#attempt;
      // Progress is a courtesy: the work goes on without it, and meets a broken database by itself.
      await this.#db
        // Both tables have these columns, but for the exports' `share_at`.
        .updateTable(tables[kind] as 'exports')
        .set({ stage, share, ...(kind === 'export' && { share_at: new Date() }) })
        .where('id', '=', id)
        .where('attempts', '=', number)
        .where('status', '=', 'processing')
        .execute()
        .catch(() => {});
    }
    this.#writing = null;
  }

  /** Ends when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#writing;
  }
}
