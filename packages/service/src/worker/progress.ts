import type { Db, StageDetail } from '../db/schema.ts';
import type { JobAttempt } from '../queue/attempt-queries.ts';

/** Writes how far an attempt is, if the row is still its own. */
export type WriteProgress = (db: Db, attempt: JobAttempt, progress: Shown) => Promise<unknown>;

/** Time between two writes of the same stage. */
const writeIntervalMs = 1000;

/**
 * Keeps the progress of an attempt's row up to date, and writes no more often than anyone can see.
 * Within an attempt it never goes back; a new stage is written at once.
 */
export class RowProgress {
  readonly #db: Db;
  readonly #attempt: JobAttempt;
  readonly #writeRow: WriteProgress;
  #shown: Shown | null = null;
  #waiting: Shown | null = null;
  #writing: Promise<void> | null = null;
  #written = -Infinity;
  readonly #stageEnded: (stage: string, ms: number) => void;
  #stageBegan = performance.now();
  #stage: string | null = null;

  constructor(
    db: Db,
    attempt: JobAttempt,
    write: WriteProgress,
    stageEnded: (stage: string, ms: number) => void = () => {},
  ) {
    this.#stageEnded = stageEnded;
    this.#db = db;
    this.#attempt = attempt;
    this.#writeRow = write;
  }

  /** `share` is the progress of the whole work, 0 to 1. */
  report(stage: string, share: number, detail?: StageDetail): void {
    if (stage !== this.#stage) this.#endStage(stage);
    const reported = { stage, share, ...(detail && { detail }) };
    const next = nextShown(this.#waiting ?? this.#shown, reported);
    if (!next) return;
    const soon = performance.now() - this.#written < writeIntervalMs;
    if (soon && next.stage === this.#shown?.stage) return;
    this.#waiting = next;
    this.#writing ??= this.#write();
  }

  #endStage(next: string | null): void {
    const now = performance.now();
    if (this.#stage !== null) this.#stageEnded(this.#stage, Math.round(now - this.#stageBegan));
    this.#stage = next;
    this.#stageBegan = now;
  }

  async #write(): Promise<void> {
    while (this.#waiting) {
      const shown = (this.#shown = this.#waiting);
      this.#waiting = null;
      this.#written = performance.now();
      // Progress is a courtesy: the work goes on without it, and finds out itself that the database
      // is away.
      await this.#writeRow(this.#db, this.#attempt, shown).catch(() => {});
    }
    this.#writing = null;
  }

  /** Resolves when the last write has ended. */
  async settled(): Promise<void> {
    this.#endStage(null);
    await this.#writing;
  }
}

/** The progress of work: its stage, and the share of the whole that is done, 0 to 1. */
export interface Shown {
  stage: string;
  share: number;
  detail?: StageDetail;
}

/** The smallest step of a share that can be seen. */
const minVisibleShare = 0.002;

/**
 * Returns the progress to show after the one shown before; null if nothing that can be seen has
 * changed. A share never goes back, and is held between 0 and 1.
 */
export function nextShown(before: Shown | null, reported: Shown): Shown | null {
  const within = Number.isFinite(reported.share) ? Math.min(1, Math.max(0, reported.share)) : 0;
  if (!before) return { ...reported, share: within };
  const share = Math.max(before.share, within);
  const isSame = reported.stage === before.stage && !reported.detail;
  if (isSame && share - before.share < minVisibleShare) return null;
  return { ...reported, share };
}
