/** A file that arrives in pieces, as far as it is written down. */
export interface ArrivingFile {
  readonly key: string;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly received: number;
  /** In a bucket: its multipart upload, the parts of it, and what came after the last one. */
  readonly multipart: string | null;
  readonly parts: readonly { etag: string; bytes: number }[];
  readonly tail: string | null;
}

/** Writes down what is stored. Each rejects if the writer may not write any more. */
export interface ArrivalNotes {
  received(bytes: number): Promise<unknown>;
  begun(multipart: string): Promise<unknown>;
  part(part: { number: number; etag: string; bytes: number }, received: number): Promise<unknown>;
  tail(key: string, received: number): Promise<unknown>;
}

/**
 * Keeps files that arrive in pieces, over many connections. One writer at a time: the caller sees
 * to that.
 */
export interface Arrivals {
  /** Bytes of the file that are stored, whatever has happened to the process that stored them. */
  received(file: ArrivingFile): Promise<number>;
  /** Bytes that may still be stored; null if nobody knows of a limit. */
  room(): Promise<number | null>;
  /**
   * Adds pieces to the end of the file. If they break off, what has come is stored all the same.
   * Rejects as the pieces do, or as `mayWrite` throws, which is asked before each write.
   */
  append(
    file: ArrivingFile,
    pieces: AsyncIterable<Uint8Array>,
    options: { notes: ArrivalNotes; mayWrite: () => void },
  ): Promise<number>;
  /** All bytes are here: from now on the key has the whole file. May be called again. */
  complete(file: ArrivingFile): Promise<void>;
  /** Removes what has arrived: the file may begin again. */
  clear(file: ArrivingFile): Promise<void>;
}

/** The disk has no room for more. The code is that of a disk that is really full. */
export const noRoom = (): Error =>
  Object.assign(new Error('no room on the disk'), { code: 'ENOSPC' });
