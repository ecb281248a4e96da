import { rm } from 'node:fs/promises';
import type { FileCache } from '../file-cache.ts';
import { contentTypeOf } from '../content-type.ts';
import { fileCacheControl } from '../public-files.ts';
import { StorageRefused } from '../unavailable.ts';
import { isStorageKey, readText, type Storage, type StoredFile } from '../storage.ts';
import { elementOf, type Bucket, type BucketCall } from './bucket.ts';
import { downloadFile } from './download.ts';
import { callPatienceMs, transferPatienceMs, withRetries } from './retry.ts';
import { uploadFile } from './upload.ts';

/** How long an answer without a file may take. */
const maxCallMs = 30_000;

function checked(key: string): string {
  if (!isStorageKey(key)) throw new RangeError(`not a storage key: ${key}`);
  return key;
}

/**
 * Files in a bucket of an S3 server. Programs read copies in the cache. While the server does not
 * answer, calls are tried again, and end with `StorageUnavailable`.
 */
export function s3Storage(bucket: Bucket, cache: FileCache, closing: AbortSignal): Storage {
  const call = (method: string, key: string, options: BucketCall = {}): Promise<Response> =>
    withRetries(callPatienceMs, closing, () => bucket.call(method, key, { ...options, maxCallMs }));
  const head = async (key: string): Promise<StoredFile | null> => {
    const { status, headers } = await call('HEAD', key, { accept: [404] });
    if (status === 404) return null;
    return {
      bytes: Number(headers.get('content-length')),
      modified: new Date(headers.get('last-modified') ?? 0),
      etag: headers.get('etag') ?? '',
    };
  };
  /** The pages of a list, as XML. */
  async function* pages(wanted: Record<string, string>): AsyncGenerator<string> {
    let after: string | undefined;
    do {
      const query = {
        'list-type': '2',
        ...wanted,
        ...(after !== undefined && { 'continuation-token': after }),
      };
      const xml = await (await call('GET', '', { query })).text();
      yield xml;
      after = elementOf(xml, 'NextContinuationToken');
    } while (after !== undefined);
  }
  const storage: Storage = {
    async put(key, file, { keepLocal = false, maxMs } = {}) {
      const headers = { 'Content-Type': contentTypeOf(key), 'Cache-Control': fileCacheControl };
      await uploadFile({ bucket, key: checked(key), headers, closing, maxMs }, file);
      if (keepLocal) await cache.adopt(key, file);
      else await rm(file);
    },
    async putOnce(key, text) {
      const kept = await readText(storage, checked(key));
      if (kept !== null) return kept;
      await call('PUT', key, { body: text, headers: { 'Content-Type': 'text/plain' } });
      return text;
    },
    stat: async (key) => (isStorageKey(key) ? head(key) : null),
    read(key, { start, end }) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const headers = { Range: `bytes=${start}-${end}` };
      withRetries(callPatienceMs, closing, () => bucket.call('GET', checked(key), { headers }))
        .then(({ body }) => body!.pipeTo(writable))
        .catch((error: unknown) => writable.abort(error).catch(() => {}));
      return readable;
    },
    async openLocal(key, signal) {
      const file = await withRetries(transferPatienceMs, signal, () => head(checked(key)));
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
      checked(`${kind}/x/x`);
      for await (const xml of pages({ prefix: `${kind}/`, delimiter: '/' })) {
        for (const [, id = ''] of xml.matchAll(/<Prefix>[^<]*?([^</]+)\/<\/Prefix>/g)) {
          if (id !== kind && isStorageKey(`${kind}/${id}/x`)) yield id;
        }
      }
    },
    async list(prefix) {
      checked(`${prefix}/x`);
      const keys: string[] = [];
      for await (const xml of pages({ prefix: `${prefix}/` })) {
        keys.push(...[...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key));
      }
      return keys.filter(isStorageKey);
    },
    async remove(key) {
      await call('DELETE', checked(key), { accept: [404] });
      cache.forget(key);
    },
    async endArrivals(prefix) {
      checked(`${prefix}/x`);
      const xml = await (
        await call('GET', '', { query: { uploads: '', prefix: `${prefix}/` } })
      ).text();
      for (const [, one = ''] of xml.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
        const [key, uploadId] = [elementOf(one, 'Key') ?? '', elementOf(one, 'UploadId') ?? ''];
        if (!isStorageKey(key) || !key.startsWith(`${prefix}/`)) continue;
        await call('DELETE', key, { query: { uploadId }, accept: [404] });
      }
    },
  };
  return storage;
}
