import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isStorageKey, type LocalFile } from './storage.ts';

interface CachedFile {
  readonly bytes: number;
  users: number;
}

/** A file on its way into the cache. */
interface Load {
  readonly bytes: number;
  readonly done: Promise<void>;
  readonly stop: AbortController;
  waiting: number;
}

/** Writes the file to the path. */
type Fetch = (path: string, signal: AbortSignal) => Promise<void>;

/**
 * Copies of stored files on this machine, by storage key. If they take more than `maxBytes`, the
 * least recently used go; a file in use stays, even if that is too much. Only one process may use
 * the directory.
 */
export class FileCache {
  readonly #directory: string;
  readonly #drafts: string;
  readonly #maxBytes: number;
  /** The least recently used first. */
  readonly #files = new Map<string, CachedFile>();
  readonly #loads = new Map<string, Load>();
  /** When a file was used last, in milliseconds. */
  #usedAt = 0;

  private constructor(directory: string, drafts: string, maxBytes: number) {
    this.#directory = directory;
    this.#drafts = drafts;
    this.#maxBytes = maxBytes;
  }

  /** Opens the cache with what an earlier process left there. `drafts`: on the same disk. */
  static async open(
    directory: string,
    { drafts, maxBytes }: { drafts: string; maxBytes: number },
  ): Promise<FileCache> {
    await mkdir(directory, { recursive: true });
    const cache = new FileCache(directory, drafts, maxBytes);
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const found = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async (entry) => {
          const path = join(entry.parentPath, entry.name);
          const { size: bytes, mtimeMs } = await stat(path);
          return { key: relative(directory, path).split(sep).join('/'), bytes, mtimeMs };
        }),
    );
    for (const { key, bytes, mtimeMs } of found.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      cache.#usedAt = mtimeMs;
      if (isStorageKey(key)) cache.#files.set(key, { bytes, users: 0 });
    }
    for (const entry of entries.filter((one) => one.isDirectory()).toReversed()) {
      // Only if it is empty.
      await rmdir(join(entry.parentPath, entry.name)).catch(() => {});
    }
    cache.#makeRoom();
    return cache;
  }

  /** Returns the cached file, fetched if missing. Concurrent callers share a fetch. */
  async hold(key: string, bytes: number, fetch: Fetch, signal: AbortSignal): Promise<LocalFile> {
    for (;;) {
      signal.throwIfAborted();
      const file = this.#files.get(key);
      // One of another size was cut off by a crash, or replaced in the store.
      if (file?.bytes === bytes) return this.#use(key, file);
      await this.#arrive(key, bytes, fetch, signal);
    }
  }

  /** Takes a file that is also in the store. */
  async adopt(key: string, file: string): Promise<void> {
    const { size: bytes } = await stat(file);
    await this.#place(key, file, bytes);
    this.#makeRoom();
  }

  /** Removes the file, unless it is in use. */
  forget(key: string): void {
    if (this.#files.get(key)?.users === 0) this.#evict(key);
  }

  #pathOf(key: string): string {
    return join(this.#directory, key);
  }

  #use(key: string, file: CachedFile): LocalFile {
    const path = this.#pathOf(key);
    file.users += 1;
    this.#files.delete(key);
    this.#files.set(key, file);
    // The order after a restart, also of files that are used in the same millisecond.
    this.#usedAt = Math.max(Date.now(), this.#usedAt + 0.01);
    const seconds = this.#usedAt / 1000;
    utimes(path, seconds, seconds).catch(() => {});
    let released = false;
    return {
      path,
      release: () => {
        if (released) return;
        released = true;
        file.users -= 1;
        this.#makeRoom();
      },
    };
  }

  /** Waits until the file is here. The fetch ends if all who wait for it give up. */
  async #arrive(key: string, bytes: number, fetch: Fetch, signal: AbortSignal): Promise<void> {
    const load = this.#loads.get(key) ?? this.#begin(key, bytes, fetch);
    load.waiting += 1;
    const gone = Promise.withResolvers<never>();
    const giveUp = (): void => gone.reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await Promise.race([load.done, gone.promise]);
    } finally {
      signal.removeEventListener('abort', giveUp);
      load.waiting -= 1;
      if (load.waiting === 0) {
        // The next caller starts a new fetch.
        if (this.#loads.get(key) === load) this.#loads.delete(key);
        load.stop.abort();
      }
    }
  }

  #begin(key: string, bytes: number, fetch: Fetch): Load {
    const stop = new AbortController();
    const draft = join(this.#drafts, randomUUID());
    const run = async (): Promise<void> => {
      try {
        await fetch(draft, stop.signal);
        stop.signal.throwIfAborted();
        await this.#place(key, draft, bytes);
      } finally {
        await rm(draft, { force: true });
        if (this.#loads.get(key) === load) this.#loads.delete(key);
      }
    };
    const load: Load = { bytes, stop, waiting: 0, done: Promise.resolve().then(run) };
    load.done.catch(() => {});
    this.#loads.set(key, load);
    this.#makeRoom();
    return load;
  }

  async #place(key: string, file: string, bytes: number): Promise<void> {
    const path = this.#pathOf(key);
    await mkdir(dirname(path), { recursive: true });
    await rename(file, path);
    this.#files.delete(key);
    this.#files.set(key, { bytes, users: 0 });
  }

  #makeRoom(): void {
    const all = new Map<string, { bytes: number }>([...this.#loads, ...this.#files]);
    let total = [...all.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [key, { bytes, users }] of this.#files) {
      if (total <= this.#maxBytes) return;
      if (users > 0 || this.#loads.has(key)) continue;
      this.#evict(key);
      total -= bytes;
    }
  }

  #evict(key: string): void {
    this.#files.delete(key);
    const removed = join(this.#drafts, randomUUID());
    // At once, so that the same file can arrive again while this one is removed.
    renameSync(this.#pathOf(key), removed);
    rm(removed, { force: true }).catch(() => {});
  }
}
