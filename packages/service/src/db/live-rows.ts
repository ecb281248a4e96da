import type { Status } from 'clip-kit/contract';
import { isId } from './id.ts';
import { isDatabaseGone } from './unavailable.ts';
import { Batch } from './batch.ts';
import { Kept } from './kept.ts';
import { Watchers, type Watcher } from './watchers.ts';

/** How long a request waits, and for whom. */
export interface Wait {
  ms: number;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
}

/** A hold outlives a database that is away for a moment. */
const retryMs = 1000;

/** About 1 kB each. */
const keptRows = 5000;

/** Rows that are worked on: settled ones are kept, and the others can be waited for. */
export class LiveRows<Row extends { id: string; status: Status }> {
  readonly #batch: Batch<Row>;
  readonly #settled = new Kept<Row>(keptRows);
  readonly #watchers = new Watchers();

  /** @param read all of the rows that are there, in one query */
  constructor(read: (ids: string[]) => Promise<readonly Row[]>) {
    this.#batch = new Batch(async (ids) => {
      const { age } = this.#settled;
      const rows = await read(ids);
      for (const row of rows) {
        if (row.status !== 'processing') this.#settled.keep(row.id, row, age);
      }
      return new Map(rows.map((row) => [row.id, row]));
    });
  }

  async #read(id: string, own: (row: Row) => boolean): Promise<Row | undefined> {
    const row = this.#settled.get(id) ?? (isId(id) ? await this.#batch.read(id) : undefined);
    return row && own(row) ? row : undefined;
  }

  /**
   * The row once it is settled, or as it is when the wait is over, or undefined, or
   * not the one that is meant. Throws as the read does.
   */
  async settled(id: string, own: (row: Row) => boolean, wait: Wait): Promise<Row | undefined> {
    if (wait.ms <= 0) return this.#read(id, own);
    const end = performance.now() + wait.ms;
    const watcher = this.#watchers.watch(id);
    try {
      let row = await this.#read(id, own);
      for (let pause = Infinity; ;) {
        const left = end - performance.now();
        // A timer may fire a fraction of a millisecond early.
        if (row?.status !== 'processing' || left < 1 || wait.signal.aborted) return row;
        await watcher.next(Math.min(left, pause), wait.signal);
        try {
          row = await this.#read(id, own);
          pause = Infinity;
        } catch (error) {
          if (!isDatabaseGone(error) || performance.now() >= end) throw error;
          pause = retryMs;
        }
      }
    } finally {
      watcher.close();
    }
  }

  /** Listeners to the row's changes, also before it is settled. */
  watch(id: string): Watcher {
    return this.#watchers.watch(id);
  }

  /** Those who wait for the row read it again. */
  changed(id: string): void {
    this.#settled.forget(id);
    this.#watchers.wake(id);
  }

  /** Every row is read again. */
  forget(): void {
    this.#settled.forgetAll();
  }

  /** Whether every change is noticed from now on. */
  trust(state: boolean): void {
    this.#settled.trust(state);
  }

  /** How many wait for rows. */
  get waiting(): number {
    return this.#watchers.size;
  }

  /** The ids of the rows that are waited for. */
  watched(): string[] {
    return this.#watchers.keys();
  }
}
