import { isDatabaseGone } from '../db/connections.ts';
import { RowCache } from '../db/live-rows.ts';

/** How long a file is served while the database is away. */
const awayMs = 5 * 60_000;

const maxCachedRows = 5000;
/** Nobody knows whether a file of this name exists: wrong names must not fill the memory. */
const maxFilesOfRow = 20;

interface Served {
  /** Milliseconds. */
  at: number;
  /** Of {@link LiveFiles}: while it is the same, every removal has been noticed. */
  trust: symbol | null;
}

/** Which stored files may be served, without a query for each request. */
export class LiveFiles {
  readonly #read: (key: string) => Promise<boolean>;
  readonly #now: () => number;
  /** By `kind/id`, then by key. Used while notices may be missed, too: but only for a while. */
  readonly #served = new RowCache<Map<string, Served>>(maxCachedRows);
  #trust: symbol | null = null;

  /**
   * @param read whether the file of a key is about to be removed, in a query
   * @param now milliseconds, never backwards
   */
  constructor(read: (key: string) => Promise<boolean>, now = () => performance.now()) {
    this.#read = read;
    this.#now = now;
    this.#served.trust(true);
  }

  /**
   * Returns whether the file is about to be removed, and must not be served. While the database is
   * away, a file that was served in the last five minutes is not. Throws as the database does.
   */
  async isRemoved(key: string): Promise<boolean> {
    const row = rowOf(key);
    const known = this.#served.get(row)?.get(key);
    const trust = this.#trust;
    if (known && trust && known.trust === trust) {
      known.at = this.#now();
      return false;
    }
    const { age } = this.#served;
    try {
      if (await this.#read(key)) {
        this.removed(row);
        return true;
      }
    } catch (error) {
      if (!isDatabaseGone(error) || !known || this.#now() - known.at > awayMs) throw error;
      return false;
    }
    const files = this.#served.get(row) ?? new Map<string, Served>();
    if (files.size >= maxFilesOfRow) files.clear();
    files.set(key, { at: this.#now(), trust });
    this.#served.keep(row, files, age);
    return false;
  }

  /** A file is about to be removed, or all of `kind/id`. */
  removed(prefix: string): void {
    this.#served.forget(rowOf(prefix));
  }

  /** The database is asked again for each file. */
  forget(): void {
    this.trust(this.#trust !== null);
  }

  /** Whether every removal is noticed from now on. */
  trust(state: boolean): void {
    this.#trust = state ? Symbol('trust') : null;
  }
}

/** The `kind/id` of a key. */
const rowOf = (key: string): string => key.split('/', 2).join('/');
