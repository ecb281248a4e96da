/** One stored object. */
export interface StoredFile {
  bytes: number;
  modified: Date;
  /** A strong validator, with its quotes. */
  etag: string;
}

/** A stored object as a file on this machine. */
export interface LocalFile {
  readonly path: string;
  /** The path is not read any more. */
  release(): void;
}

/** Where files are kept. Keys are `kind/id/name`: A-Z a-z 0-9 . _ - with no dot at the start. */
export interface Storage {
  /**
   * Moves a finished local file into the store. It is there whole, or not at all. `keepLocal`: this
   * machine is the first to read it again. `maxMs`: how long a store that does not answer is tried;
   * if omitted, long, as what made the file took minutes.
   */
  put(key: string, file: string, options?: { keepLocal?: boolean; maxMs?: number }): Promise<void>;
  /** Null if nothing is stored under the key. */
  stat(key: string): Promise<StoredFile | null>;
  /** The bytes from `start` to `end`, both included. */
  read(key: string, range: { start: number; end: number }): ReadableStream<Uint8Array>;
  /** The object as a file that programs can read until it is released. */
  openLocal(key: string, signal: AbortSignal): Promise<LocalFile>;
  /**
   * Keeps the text if nothing is kept under the key yet. Gives the text that is kept. Of several
   * who ask at once, one is the first on a disk, and the last may win in a bucket.
   */
  putOnce(key: string, text: string): Promise<string>;
  /** The ids of a kind under which something may be kept. */
  ids(kind: string): AsyncIterable<string>;
  /** The keys of all that is kept under `kind/id`. */
  list(prefix: string): Promise<string[]>;
  /** Removes one object. Nothing there is no error. */
  remove(key: string): Promise<void>;
  /** Ends what has begun to arrive under `kind/id` and is no object yet. */
  endArrivals(prefix: string): Promise<void>;
}

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** Whether the text is a key that the store takes. */
export function isStorageKey(key: string): boolean {
  const segments = key.split('/');
  return segments.length === 3 && segments.every((part) => segment.test(part));
}

/** The object's text; null if nothing is stored under the key. */
export async function readText(
  storage: Pick<Storage, 'stat' | 'read'>,
  key: string,
): Promise<string | null> {
  const file = await storage.stat(key);
  if (!file?.bytes) return file && '';
  return new Response(storage.read(key, { start: 0, end: file.bytes - 1 })).text();
}
