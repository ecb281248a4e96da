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
export const elementOf = (xml: string, name: string): string | undefined =>
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
    const code = elementOf(await response.text().catch(() => ''), 'Code');
    const answer = `${method}: ${status}${code === undefined ? '' : ` (${code})`}`;
    if (isTransient(status)) {
      throw new StorageUnavailable(`The object storage fails. Its answer to ${answer}.`);
    }
    const Refused = isOfAll(status, code) ? StorageClosed : StorageRefused;
    throw new Refused(`The object storage refuses a request. Its answer to ${answer}.`);
  }
}

const firstPauseMs = 100;
const maxPauseMs = 5000;

/** How long a call is tried again. */
export const callPatienceMs = 10_000;

/** How long a transfer is tried again: what is lost with it took minutes to make. */
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
