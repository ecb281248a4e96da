import type { Status } from 'clip-kit/contract';
import { isId } from './id.ts';
import { isDatabaseGone } from './connections.ts';

/** The time for which a request waits, and the request's signal. */
export interface Wait {
  ms: number;
  /** Aborted when no request waits any longer. */
  signal: AbortSignal;
}

/** A hold outlives a database that is away for a moment. */
const retryMs = 1000;

/** About 1 kB each. */
const keptRows = 5000;

/** Rows that are worked on: settled ones are kept, and the others can be waited for. */
export class LiveRows<Row extends { id: string; status: Status }> {
  readonly #batch: Batch<Row>;
  readonly #settled = new RowCache<Row>(keptRows);
  readonly #watchers = new Watchers();

  /** @param read all of the rows that are there, in one query */
  constructor(read: (ids: string[]) => Promise<readonly Row[]>) {
    this.#batch = new Batch(async (ids) => {
      const { age } = this.#settled;
      const rows = await read(ids);
      for (const row of rows) {
        if (row.status !== 'processing') this.#settled.set(row.id, row, age);
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

  /** Has the requests that wait for the row read it again. */
  invalidateRow(id: string): void {
    this.#settled.invalidate(id);
    this.#watchers.wake(id);
  }

  /** Forgets the cached rows. */
  clear(): void {
    this.#settled.clear();
  }

  /** Whether every change is noticed from now on. */
  setTrusted(state: boolean): void {
    this.#settled.setTrusted(state);
  }

  /** The number of those who wait for rows. */
  get waiting(): number {
    return this.#watchers.size;
  }

  /** The ids of the rows that are waited for. */
  watched(): string[] {
    return this.#watchers.keys();
  }
}

/** A reader that waits for changes of a key. */
export interface Watcher {
  /**
   * Ends at a change (at once if there has been one since the last call), or after `ms`, or when
   * the signal is aborted.
   */
  next(ms: number, signal: AbortSignal): Promise<void>;
  /** Must be called at the end. */
  close(): void;
}

/** Pending requests by the key that they watch: a change wakes only the requests for its key. */
export class Watchers {
  readonly #byKey = new Map<string, Set<() => void>>();
  #size = 0;

  /** The number of those who wait. */
  get size(): number {
    return this.#size;
  }

  /** Watches a key: rows that are read after this call and before `next` are up to date. */
  watch(key: string): Watcher {
    let changed = false;
    let wake: (() => void) | null = null;
    const notice = (): void => {
      changed = true;
      wake?.();
    };
    const own = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, own.add(notice));
    this.#size += 1;
    return {
      next: (ms, signal) =>
        new Promise((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            wake = null;
            changed = false;
            resolve();
          };
          const timer = setTimeout(done, ms);
          signal.addEventListener('abort', done);
          wake = done;
          if (changed || signal.aborted) done();
        }),
      close: () => {
        if (own.delete(notice)) this.#size -= 1;
        if (own.size === 0 && this.#byKey.get(key) === own) this.#byKey.delete(key);
      },
    };
  }

  wake(key: string): void {
    for (const notice of this.#byKey.get(key) ?? []) notice();
  }

  wakeAll(): void {
    for (const key of this.keys()) this.wake(key);
  }

  keys(): string[] {
    return [...this.#byKey.keys()];
  }
}

/**
 * Values that were read from the database and need not be read again until a notice says that it
 * has changed. Caches nothing while notifications may be missed. Evicts the oldest row when it is
 * full.
 */
export class RowCache<Value> {
  readonly #room: number;
  readonly #values = new Map<string, Value>();
  #trusted = false;
  #forgotten = 0;

  constructor(room: number) {
    this.#room = room;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Read this before a read of rows: what is invalidated meanwhile must not be cached. */
  get age(): number {
    return this.#forgotten;
  }

  /** @param age as it was before the value was read */
  set(key: string, value: Value, age: number): void {
    if (!this.#trusted || age !== this.#forgotten) return;
    const [oldest] = this.#values.size >= this.#room ? this.#values.keys() : [];
    if (oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
  }

  invalidate(key: string): void {
    this.#forgotten += 1;
    this.#values.delete(key);
  }

  clear(): void {
    this.#forgotten += 1;
    this.#values.clear();
  }

  /** Whether every change is noticed from now on; nothing that was kept before is trusted. */
  setTrusted(state: boolean): void {
    this.#trusted = state;
    this.clear();
  }
}

interface Asked<Value> {
  promise: Promise<Value | undefined>;
  resolve: (value: Value | undefined) => void;
  reject: (reason: unknown) => void;
}

/**
 * Reads values by key. All keys that are requested in one turn of the event loop share one query.
 */
export class Batch<Value> {
  readonly #read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>;
  #asked: Map<string, Asked<Value>> | null = null;

  constructor(read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#read = read;
  }

  /** Undefined if nothing is there. */
  read(key: string): Promise<Value | undefined> {
    if (!this.#asked) {
      this.#asked = new Map();
      setImmediate(() => void this.#send());
    }
    const known = this.#asked.get(key);
    if (known) return known.promise;
    const asked: Asked<Value> = Promise.withResolvers<Value | undefined>();
    this.#asked.set(key, asked);
    return asked.promise;
  }

  async #send(): Promise<void> {
    const asked = this.#asked ?? new Map<string, Asked<Value>>();
    this.#asked = null;
    try {
      const found = await this.#read([...asked.keys()]);
      for (const [key, { resolve }] of asked) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  }
}

/** Reads each key on its own, but once for all callers of the same tick. */
export const readOnce = <Value>(read: (key: string) => Promise<Value>): Batch<Value> =>
  new Batch(async (keys) => {
    const found = keys.map(async (key): Promise<[string, Value]> => [key, await read(key)]);
    return new Map(await Promise.all(found));
  });
