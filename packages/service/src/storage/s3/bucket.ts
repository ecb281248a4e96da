import { openAsBlob } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from '../../config/config.ts';
import { StorageClosed, StorageRefused, StorageUnavailable } from '../storage.ts';

export interface BucketCall {
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Blob | string;
  signal?: AbortSignal;
  /** For a call that carries no file: it counts as unanswered after this time. */
  maxCallMs?: number;
  /** Statuses that are answers and not errors, beside those from 200 to 299. */
  accept?: readonly number[];
}

/** The text of the first such element in an S3 answer. */
export const readElement = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];

const isTransient = (status: number): boolean => status >= 500 || status === 429 || status === 408;

/** Whether every other call would be refused too. */
const isOfAll = (status: number, code: string | undefined): boolean =>
  status === 401 || status === 403 || code === 'NoSuchBucket';

/** One bucket of an S3 server: signed requests by object key, with the bucket in the path. */
export class Bucket {
  readonly #client: AwsClient;
  readonly #root: string;

  constructor({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Config) {
    this.#root = `${endpoint}/${bucket}`;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  }

  /**
   * Sends one request; the key is empty for the bucket itself. Throws {@link StorageUnavailable} or
   * {@link StorageRefused}: neither says the key, which is what makes a public address unguessable.
   */
  async call(method: string, key: string, call: BucketCall = {}): Promise<Response> {
    const { query = {}, accept = [], signal, maxCallMs, headers, body } = call;
    const signals = [signal, maxCallMs && AbortSignal.timeout(maxCallMs)].filter((one) => !!one);
    const url = new URL(key === '' ? this.#root : `${this.#root}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    let response: Response;
    try {
      const request = await this.#client.sign(url, {
        method,
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
      });
      // In Node, the signal of a Request is lost once the garbage collector has taken it.
      response = await fetch(request, { signal: AbortSignal.any(signals) });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new StorageUnavailable('The object storage does not answer.', { cause });
    }
    const { status } = response;
    if (response.ok || accept.includes(status)) return response;
    const code = readElement(await response.text().catch(() => ''), 'Code');
    const answer = `${method}: ${status}${code === undefined ? '' : ` (${code})`}`;
    if (isTransient(status)) {
      throw new StorageUnavailable(`The object storage failed with ${answer}.`);
    }
    const Refused = isOfAll(status, code) ? StorageClosed : StorageRefused;
    throw new Refused(`The object storage refused a request with ${answer}.`);
  }
}

const firstPauseMs = 100;
const maxPauseMs = 5000;

/** The time for which a call is tried again. */
export const callPatienceMs = 10_000;

/** The time for which a transfer is tried again: the work that is lost with it took minutes. */
export const transferPatienceMs = 120_000;

/**
 * Does it again while the storage is unavailable, with growing pauses, for as long as it may take.
 * `progressed` begins that time again. The signal ends a pause, with the last failure.
 */
export async function withRetries<T>(
  patienceMs: number,
  signal: AbortSignal,
  work: (progressed: () => void) => Promise<T>,
): Promise<T> {
  let began = performance.now();
  let pauseMs = firstPauseMs;
  const progressed = (): void => {
    began = performance.now();
    pauseMs = firstPauseMs;
  };
  for (;;) {
    try {
      return await work(progressed);
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || signal.aborted) throw error;
      if (performance.now() - began + pauseMs > patienceMs) throw error;
      await setTimeout(pauseMs * (0.5 + Math.random() / 2), null, { signal }).catch(() => {
        throw error;
      });
      pauseMs = Math.min(maxPauseMs, pauseMs * 2);
    }
  }
}

/** Larger files are sent in parts of this size, each with its own retries. */
const minPartBytes = 16 * 1024 ** 2;
export const maxParts = 10_000;
const partsAtOnce = 3;

interface Upload {
  bucket: Bucket;
  key: string;
  headers: Readonly<Record<string, string>>;
  /** Ends the pauses between tries. */
  closing: AbortSignal;
  /** The time for which a store that does not answer is tried. */
  maxMs: number | undefined;
}

/** Sends a file. The object is there whole, or not at all. */
export async function uploadFile(upload: Upload, file: string): Promise<void> {
  const content = await openAsBlob(file);
  if (content.size > minPartBytes) return uploadParts(upload, content);
  const { bucket, key, headers, closing, maxMs } = upload;
  const limit = maxMs === undefined ? {} : { maxCallMs: maxMs };
  await withRetries(maxMs ?? transferPatienceMs, closing, () =>
    bucket.call('PUT', key, { headers, body: content, ...limit }),
  );
}

async function uploadParts(upload: Upload, content: Blob): Promise<void> {
  const { bucket, key, headers, closing, maxMs = transferPatienceMs } = upload;
  const call = <T>(work: () => Promise<T>): Promise<T> => withRetries(maxMs, closing, work);
  const uploadId = await call(() => beginParts(bucket, key, headers));
  try {
    const partBytes = Math.max(minPartBytes, Math.ceil(content.size / maxParts));
    const etags: string[] = Array(Math.ceil(content.size / partBytes));
    const parts = etags.keys();
    const stop = new AbortController();
    const sendParts = async (): Promise<void> => {
      for (const part of parts) {
        const body = content.slice(part * partBytes, (part + 1) * partBytes);
        const query = { partNumber: String(part + 1), uploadId };
        const sent = await call(() =>
          bucket.call('PUT', key, { query, body, signal: stop.signal }),
        );
        etags[part] = sent.headers.get('etag') ?? '';
      }
    };
    const senders = Array.from({ length: partsAtOnce }, sendParts);
    try {
      await Promise.all(senders);
    } finally {
      stop.abort();
      await Promise.allSettled(senders);
    }
    await call(() => completeParts(bucket, key, uploadId, etags));
  } catch (error) {
    // Otherwise the store would keep the parts, and charge for them.
    await bucket.call('DELETE', key, { query: { uploadId } }).catch(() => {});
    throw error;
  }
}

/** Begins a multipart upload, and returns its id. */
export async function beginParts(
  bucket: Bucket,
  key: string,
  headers: Upload['headers'] = {},
): Promise<string> {
  const begun = await bucket.call('POST', key, { query: { uploads: '' }, headers });
  const uploadId = readElement(await begun.text(), 'UploadId');
  if (uploadId === undefined)
    throw new StorageUnavailable('The object storage did not start an upload.');
  return uploadId;
}

/** Puts the parts of a multipart upload together. */
export async function completeParts(
  bucket: Bucket,
  key: string,
  uploadId: string,
  etags: readonly string[],
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
  const answer = await bucket.call('POST', key, { query: { uploadId }, body });
  // The status is sent before the parts are put together: a failure is only in the body.
  const text = await answer.text();
  if (!text.includes('<ETag>')) {
    throw new StorageUnavailable(
      `The object storage could not complete an upload: ${readElement(text, 'Code') ?? 'no answer'}.`,
    );
  }
}
