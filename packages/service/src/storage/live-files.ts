import { isDatabaseGone } from '../db/connections.ts';
import { RowCache } from '../db/live-rows.ts';

/** The time for which a file is served while the database is away. */
const awayMs = 5 * 60_000;

const maxCachedRows = 5000;
/** The limit of cached names of a row: wrong names must not fill the memory. */
const maxFilesOfRow = 20;

/** A stored file that is not about to be removed. */
export interface LiveFile {
  /** The setting of the organization that it belongs to; null: none. */
  privateClips: boolean | null;
}

interface Served {
  file: LiveFile;
  /** Milliseconds. */
  at: number;
  /** The trust of {@link LiveFiles}: while it is the same, every removal has been noticed. */
  trust: symbol | null;
}

/** Which stored files may be served, without a query for each request. */
export class LiveFiles {
  readonly #read: (key: string) => Promise<LiveFile | null>;
  readonly #now: () => number;
  /** By `kind/id`, then by key. Used while notices may be missed, too: but only for a while. */
  readonly #served = new RowCache<Map<string, Served>>(maxCachedRows);
  #trust: symbol | null = null;

  /**
   * @param read the file of a key, in a query; null if it is about to be removed
   * @param now milliseconds, never backwards
   */
  constructor(read: (key: string) => Promise<LiveFile | null>, now = () => performance.now()) {
    this.#read = read;
    this.#now = now;
    this.#served.setTrusted(true);
  }

  /**
   * Returns the file; null if it is about to be removed, and must not be served. While the database
   * is away, a file that was served in the last five minutes is as it was. Throws as the database
   * does.
   */
  async find(key: string): Promise<LiveFile | null> {
    const row = getRowKey(key);
    const known = this.#served.get(row)?.get(key);
    const trust = this.#trust;
    if (known && trust && known.trust === trust) {
      known.at = this.#now();
      return known.file;
    }
    const { age } = this.#served;
    let file: LiveFile | null;
    try {
      file = await this.#read(key);
    } catch (error) {
      if (!isDatabaseGone(error) || !known || this.#now() - known.at > awayMs) throw error;
      return known.file;
    }
    if (!file) {
      this.removed(row);
      return null;
    }
    const files = this.#served.get(row) ?? new Map<string, Served>();
    if (files.size >= maxFilesOfRow) files.clear();
    files.set(key, { file, at: this.#now(), trust });
    this.#served.set(row, files, age);
    return file;
  }

  /** A file is about to be removed, or all of `kind/id`. */
  removed(prefix: string): void {
    this.#served.invalidate(getRowKey(prefix));
  }

  /** Forgets the cached answers about files. */
  clear(): void {
    this.setTrusted(this.#trust !== null);
  }

  /** Whether every removal is noticed from now on. */
  setTrusted(state: boolean): void {
    this.#trust = state ? Symbol('trust') : null;
  }
}

/** The `kind/id` of a key. */
const getRowKey = (key: string): string => key.split('/', 2).join('/');
