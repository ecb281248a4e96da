import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { IncomingFile, IncomingFiles } from '../storage.ts';
import {
  beginParts,
  type Bucket,
  callPatienceMs,
  completeParts,
  maxParts,
  transferPatienceMs,
  withRetries,
} from './bucket.ts';

/** A part of a multipart upload, unless the file is so large that there would be too many. */
const minPartBytes = 8 * 1024 ** 2;

const computePartBytes = (size: number): number =>
  Math.max(minPartBytes, Math.ceil(size / maxParts));

const sum = (parts: IncomingFile['parts']): number =>
  parts.reduce((bytes, part) => bytes + part.bytes, 0);

/** The file that is being filled with the next part. */
class Draft {
  readonly #path: string;
  #file: FileHandle | null = null;
  #bytes = 0;

  constructor(workDirectory: string) {
    this.#path = join(workDirectory, `upload-${randomUUID()}`);
  }

  get bytes(): number {
    return this.#bytes;
  }

  async add(piece: Uint8Array): Promise<void> {
    this.#file ??= await open(this.#path, 'w', 0o600);
    await this.#file.appendFile(piece);
    this.#bytes += piece.length;
  }

  content(): Promise<Blob> {
    return openAsBlob(this.#path);
  }

  async empty(): Promise<void> {
    this.#bytes = 0;
    await this.#file?.close();
    this.#file = null;
    await rm(this.#path, { force: true });
  }
}

interface Place {
  bucket: Bucket;
  workDirectory: string;
  closing: AbortSignal;
}

const call = (
  { bucket, closing }: Place,
  ...given: Parameters<Bucket['call']>
): Promise<Response> => withRetries(transferPatienceMs, closing, () => bucket.call(...given));

/** The writing of one connection. */
async function append(
  place: Place,
  ...[file, pieces, { notes, mayWrite }]: Parameters<IncomingFiles['append']>
): Promise<number> {
  const { bucket, closing } = place;
  const { key, size } = file;
  const partBytes = computePartBytes(size);
  const draft = new Draft(place.workDirectory);
  let { multipart, tail } = file;
  let count = file.parts.length;
  let stored = sum(file.parts);
  const removeTail = async (): Promise<void> => {
    if (tail !== null) await call(place, 'DELETE', tail, { accept: [404] });
    tail = null;
  };
  const sendPart = async (): Promise<void> => {
    if (multipart === null) {
      multipart = await withRetries(transferPatienceMs, closing, () => beginParts(bucket, key));
      await notes.begun(multipart);
    }
    const body = await draft.content();
    count += 1;
    const query = { partNumber: String(count), uploadId: multipart };
    const sent = await call(place, 'PUT', key, { query, body });
    const etag = sent.headers.get('etag') ?? '';
    stored += body.size;
    await notes.part({ number: count, etag, bytes: body.size }, stored);
    await draft.empty();
    await removeTail();
  };
  const sendTail = async (): Promise<void> => {
    const own = `${key.slice(0, key.lastIndexOf('/'))}/tail-${randomUUID()}`;
    await call(place, 'PUT', own, { body: await draft.content() });
    try {
      await notes.tail(own, stored + draft.bytes);
    } catch (error) {
      await call(place, 'DELETE', own, { accept: [404] });
      throw error;
    }
    await removeTail();
  };
  try {
    const begunWith = file.received - stored;
    if (tail !== null) {
      const kept = await withRetries(callPatienceMs, closing, () => bucket.call('GET', tail!));
      for await (const piece of kept.body!) await draft.add(piece);
    }
    try {
      for await (const piece of pieces) {
        for (let from = 0; from < piece.length;) {
          mayWrite();
          const next = piece.subarray(from, from + partBytes - draft.bytes);
          await draft.add(next);
          from += next.length;
          if (draft.bytes === partBytes) await sendPart();
        }
      }
    } finally {
      const received = stored + draft.bytes;
      if (draft.bytes > 0 && received === size) await sendPart();
      else if (draft.bytes > 0 && (count > file.parts.length || draft.bytes > begunWith)) {
        await sendTail();
      }
    }
    return stored + draft.bytes;
  } finally {
    await draft.empty();
  }
}

/**
 * Stores incoming files in a bucket: whole parts in a multipart upload, and the rest of a
 * connection as an object, with which the next connection begins.
 */
export function createS3IncomingFiles(
  bucket: Bucket,
  options: { workDirectory: string; closing: AbortSignal },
): IncomingFiles {
  const place = { bucket, ...options };
  return {
    append: (...given) => append(place, ...given),
    received: async ({ received }) => received,
    // The capacity of a bucket is not known.
    room: async () => null,
    async complete({ key, size, multipart, parts }) {
      const there = await call(place, 'HEAD', key, { accept: [404] });
      if (there.ok && Number(there.headers.get('content-length')) === size) return;
      const etags = parts.map(({ etag }) => etag);
      await withRetries(transferPatienceMs, options.closing, () =>
        completeParts(bucket, key, multipart ?? '', etags),
      );
    },
    async clear({ key, multipart, tail }) {
      if (multipart !== null) {
        await call(place, 'DELETE', key, { query: { uploadId: multipart }, accept: [404] });
      }
      for (const one of [key, tail]) {
        if (one !== null) await call(place, 'DELETE', one, { accept: [404] });
      }
    },
  };
}
