import { open, rm } from 'node:fs/promises';
import type { FileCache } from '../file-cache.ts';
import { fileCacheControl } from '../public-files.ts';
import {
  isStorageKey,
  readText,
  requireKey,
  type Storage,
  StorageRefused,
  StorageUnavailable,
  type StoredFile,
} from '../storage.ts';
import {
  type Bucket,
  type BucketCall,
  callPatienceMs,
  readElement,
  transferPatienceMs,
  uploadFile,
  withRetries,
} from './bucket.ts';

/** The time limit for an answer without a file. */
const maxCallMs = 30_000;

type Call = (method: string, key: string, options?: BucketCall) => Promise<Response>;

/** The pages of a list, as XML. */
async function* listPages(call: Call, wanted: Record<string, string>): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const query = {
      'list-type': '2',
      ...wanted,
      ...(after !== undefined && { 'continuation-token': after }),
    };
    const xml = await (await call('GET', '', { query })).text();
    yield xml;
    after = readElement(xml, 'NextContinuationToken');
  } while (after !== undefined);
}

/** Lists the ids that have files of the kind. */
async function* listIds(call: Call, kind: string): AsyncGenerator<string> {
  for await (const xml of listPages(call, { prefix: `${kind}/`, delimiter: '/' })) {
    for (const [, id = ''] of xml.matchAll(/<Prefix>(?:[^</]*\/)*([^</]+)\/<\/Prefix>/g)) {
      if (id !== kind && isStorageKey(`${kind}/${id}/x`)) yield id;
    }
  }
}

/** Lists the keys of stored files that begin so. */
async function listKeys(call: Call, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const xml of listPages(call, { prefix })) {
    keys.push(...[...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key));
  }
  return keys.filter(isStorageKey);
}

/** Returns the facts of a file; null if it is missing. */
async function readFacts(call: Call, key: string): Promise<StoredFile | null> {
  const { status, headers } = await call('HEAD', key, { accept: [404] });
  if (status === 404) return null;
  return {
    bytes: Number(headers.get('content-length')),
    modified: new Date(headers.get('last-modified') ?? 0),
    etag: headers.get('etag') ?? '',
  };
}

/** Ends the uploads of parts whose keys begin so. */
async function abortUploads(call: Call, prefix: string): Promise<void> {
  const xml = await (await call('GET', '', { query: { uploads: '', prefix } })).text();
  for (const one of xml.split('<Upload>').slice(1)) {
    const [key, uploadId] = [readElement(one, 'Key') ?? '', readElement(one, 'UploadId') ?? ''];
    if (!isStorageKey(key) || !key.startsWith(prefix)) continue;
    await call('DELETE', key, { query: { uploadId }, accept: [404] });
  }
}

/**
 * Files in a bucket of an S3 server. Programs read copies in the cache. While the server does not
 * answer, calls are tried again, and end with `StorageUnavailable`.
 */
export function createS3Storage(bucket: Bucket, cache: FileCache, closing: AbortSignal): Storage {
  const call: Call = (method, key, options = {}) =>
    withRetries(callPatienceMs, closing, () => bucket.call(method, key, { ...options, maxCallMs }));
  const storage: Storage = {
    async put(key, file, { keepLocal = false, maxMs } = {}) {
      const headers = { 'Content-Type': getContentType(key), 'Cache-Control': fileCacheControl };
      await uploadFile({ bucket, key: requireKey(key), headers, closing, maxMs }, file);
      if (keepLocal) await cache.adopt(key, file);
      else await rm(file);
    },
    async putOnce(key, text) {
      const kept = await readText(storage, requireKey(key));
      if (kept !== null) return kept;
      await call('PUT', key, { body: text, headers: { 'Content-Type': 'text/plain' } });
      return text;
    },
    stat: async (key) => (isStorageKey(key) ? readFacts(call, key) : null),
    read(key, { start, end }) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const headers = { Range: `bytes=${start}-${end}` };
      withRetries(callPatienceMs, closing, () => bucket.call('GET', requireKey(key), { headers }))
        .then(({ body }) => body!.pipeTo(writable))
        .catch((error: unknown) => writable.abort(error).catch(() => {}));
      return readable;
    },
    async openLocal(key, signal) {
      const file = await withRetries(transferPatienceMs, signal, () =>
        readFacts(call, requireKey(key)),
      );
      if (!file) {
        // So answers a missing bucket too, and a list of it says so.
        await storage.list(key.slice(0, key.lastIndexOf('/')));
        throw new StorageRefused('A file is missing in the object storage.');
      }
      const { etag, bytes } = file;
      const fetch = (path: string, stop: AbortSignal) =>
        downloadFile(bucket, { key, etag, bytes, path }, stop);
      return cache.hold(key, bytes, fetch, signal);
    },
    async *ids(kind) {
      requireKey(`${kind}/x/x`);
      yield* listIds(call, kind);
    },
    async list(prefix) {
      requireKey(`${prefix}/x`);
      return listKeys(call, `${prefix}/`);
    },
    async remove(key) {
      await call('DELETE', requireKey(key), { accept: [404] });
      cache.forget(key);
    },
    async abortIncoming(prefix) {
      requireKey(`${prefix}/x`);
      await abortUploads(call, `${prefix}/`);
    },
  };
  return storage;
}

const types: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  json: 'application/json',
};

/** Returns the media type of a stored file, by the end of its key. */
const getContentType = (key: string): string =>
  types[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** The next bytes of an answer; null at its end. */
async function next(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    return (await reader.read()).value ?? null;
  } catch (cause) {
    signal.throwIfAborted();
    throw new StorageUnavailable('A download from the object storage broke off.', { cause });
  }
}

/** Writes an object to a new file. A broken transfer is resumed. */
async function downloadFile(
  bucket: Bucket,
  { key, etag, bytes, path }: { key: string; etag: string; bytes: number; path: string },
  signal: AbortSignal,
): Promise<void> {
  const file = await open(path, 'wx');
  let position = 0;
  const readOn = async (progressed: () => void): Promise<void> => {
    const headers = { Range: `bytes=${position}-`, 'If-Match': etag };
    const { body } = await bucket.call('GET', key, { headers, signal });
    const reader = body!.getReader();
    try {
      for (let chunk = await next(reader, signal); chunk; chunk = await next(reader, signal)) {
        await file.appendFile(chunk);
        position += chunk.length;
        progressed();
      }
    } finally {
      reader.cancel().catch(() => {});
    }
    if (position < bytes) throw new StorageUnavailable('A download was cut off.');
  };
  try {
    if (bytes > 0) await withRetries(transferPatienceMs, signal, readOn);
    // The copy may be used after a power cut.
    await file.sync();
  } finally {
    await file.close();
  }
}
