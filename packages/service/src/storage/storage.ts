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
  /** The path is no longer used. */
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
   * Stores the text if nothing is stored under the key yet. Returns the stored text. Of several
   * who ask at once, one is the first on a disk, and the last may win in a bucket.
   */
  putOnce(key: string, text: string): Promise<string>;
  /** The ids of a kind under which something may be kept. */
  ids(kind: string): AsyncIterable<string>;
  /** The keys of all that is kept under `kind/id`. */
  list(prefix: string): Promise<string[]>;
  /** Removes one object. A missing one is not an error. */
  remove(key: string): Promise<void>;
  /** Aborts the uploads under `kind/id` that are not complete. */
  abortIncoming(prefix: string): Promise<void>;
}

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** Whether the text is a key that the store takes. */
export function isStorageKey(key: string): boolean {
  const segments = key.split('/');
  return segments.length === 3 && segments.every((part) => segment.test(part));
}

/** Throws for a text that is no key. */
export function requireKey(key: string): string {
  if (!isStorageKey(key)) throw new RangeError(`not a storage key: ${key}`);
  return key;
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

/** A file that arrives in pieces, as far as it is written down. */
export interface IncomingFile {
  readonly key: string;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly received: number;
  /** In a bucket: its multipart upload, the parts of it, and what came after the last one. */
  readonly multipart: string | null;
  readonly parts: readonly { etag: string; bytes: number }[];
  readonly tail: string | null;
}

/** Records what is stored. Each rejects if the writer has lost its lock. */
interface IncomingNotes {
  received(bytes: number): Promise<unknown>;
  begun(multipart: string): Promise<unknown>;
  part(part: { number: number; etag: string; bytes: number }, received: number): Promise<unknown>;
  tail(key: string, received: number): Promise<unknown>;
}

/**
 * Keeps files that arrive in pieces, over many connections. One writer at a time: the caller sees
 * to that.
 */
export interface IncomingFiles {
  /** Bytes of the file that are stored, whatever has happened to the process that stored them. */
  received(file: IncomingFile): Promise<number>;
  /** Bytes that may still be stored; null if no limit is known. */
  room(): Promise<number | null>;
  /**
   * Adds pieces to the end of the file. If they break off, what has come is stored all the same.
   * Rejects as the pieces do, or as `mayWrite` throws, which is asked before each write.
   */
  append(
    file: IncomingFile,
    pieces: AsyncIterable<Uint8Array>,
    options: { notes: IncomingNotes; mayWrite: () => void },
  ): Promise<number>;
  /** Completes the file: from now on the key has all of it. May be called again. */
  complete(file: IncomingFile): Promise<void>;
  /** Removes the incoming bytes, so that the upload can start again. */
  clear(file: IncomingFile): Promise<void>;
}

/** The error of a disk without room, with the code of a full disk. */
export const makeNoRoomError = (): Error =>
  Object.assign(new Error('no room on the disk'), { code: 'ENOSPC' });

/** The object storage does not answer, or answers that it cannot at the moment. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

/** The object storage refuses a request: its settings do not fit. */
export class StorageRefused extends Error {
  override name = 'StorageRefused';
}

/**
 * The object storage refuses every request: the bucket is missing, or the keys are wrong. A server
 * that has just started may say so for a moment.
 */
export class StorageClosed extends StorageRefused {
  override name = 'StorageClosed';
}

/**
 * Whether an error, or its cause, means that the storage is away or closed, maybe for a moment: it
 * says nothing of the work that needs it.
 */
export function isStorageGone(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof StorageUnavailable || at instanceof StorageClosed) return true;
  }
  return false;
}
