import { writePreviewProgress } from '../db/previews.ts';
import type { Db } from '../db/schema.ts';
import { writeProgress, type Attempt } from '../db/worked-rows.ts';
import { nextShown, type Shown } from './shown-progress.ts';

/** Time between two writes of the same stage. */
const writeIntervalMs = 500;

/**
 * Keeps the progress of an attempt's row up to date, and writes no more often than anyone can see.
 * Within an attempt it never goes back; a new stage is written at once.
 */
export class RowProgress {
  readonly #db: Db;
  readonly #attempt: Attempt;
  #shown: Shown | null = null;
  #waiting: Shown | null = null;
  #writing: Promise<void> | null = null;
  #written = -Infinity;

  constructor(db: Db, attempt: Attempt) {
    this.#db = db;
    this.#attempt = attempt;
  }

  /** `share` is that of the whole work, 0 to 1. */
  report(stage: string, share: number): void {
    const next = nextShown(this.#waiting ?? this.#shown, { stage, share });
    if (!next) return;
    const soon = performance.now() - this.#written < writeIntervalMs;
    if (soon && next.stage === this.#shown?.stage) return;
    this.#waiting = next;
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    while (this.#waiting) {
      const { stage, share } = (this.#shown = this.#waiting);
      this.#waiting = null;
      this.#written = performance.now();
      // Progress is a courtesy: the work goes on without it, and meets a broken database by itself.
      const write = this.#attempt.kind === 'preview' ? writePreviewProgress : writeProgress;
      await write(this.#db, this.#attempt, { stage, share }).catch(() => {});
    }
    this.#writing = null;
  }

  /** Ends when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#writing;
  }
}
