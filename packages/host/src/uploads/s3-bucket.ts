import { HostProblem } from '../http/host-problem.ts';
import type { UploadedPart } from './uploads.ts';

interface SignedInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  aws?: { service?: string; signQuery?: boolean; allHeaders?: boolean; datetime?: string };
}

/** The part of an `AwsClient` of `aws4fetch` that is needed. */
export interface S3Client {
  readonly secretAccessKey: string;
  sign(url: string, init: SignedInit): Promise<Request>;
}

const maxCallMs = 30_000;

/** The text of the first such element of an S3 answer. */
const elementOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];

const aws = { service: 's3' };

/** The address of a bucket without a slash at its end. Throws a `TypeError`. */
function rootOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed && /^https?:$/.test(parsed.protocol) && !parsed.search && !parsed.hash) {
    return parsed.href.replace(/\/+$/, '');
  }
  throw new TypeError(
    `s3Uploads: bucketUrl must be the address of a bucket, such as "https://my-bucket.s3.eu-central-1.amazonaws.com", not ${JSON.stringify(url)}`,
  );
}

/** A bucket that takes files in parts. Its failures never say a key or an address. */
export class S3Bucket {
  readonly #client: S3Client;
  readonly #root: string;

  constructor(client: S3Client, url: string) {
    this.#client = client;
    this.#root = rootOf(url);
  }

  /** The id of a new multipart upload. */
  async begin(key: string): Promise<string> {
    const headers = {
      'Content-Type': 'application/octet-stream',
      // Whoever finds the file in a browser must not get a page of the site's own origin.
      'Content-Disposition': 'attachment',
    };
    const answer = await this.#call('POST', key, { uploads: '' }, { headers });
    const id = elementOf(await answer.text(), 'UploadId');
    if (!id) throw refused('it began no upload');
    return id;
  }

  /** An address that takes one part of exactly so many bytes. */
  signPart(
    key: string,
    part: { multipartId: string; number: number; size: number; seconds: number },
  ): Promise<string> {
    const { multipartId, number, size, seconds } = part;
    const query = { partNumber: String(number), uploadId: multipartId };
    return this.#sign('PUT', key, query, seconds, {
      headers: { 'Content-Length': String(size) },
      aws: { allHeaders: true },
    });
  }

  /** An address that gives the file, as signed at that time: always the same one. */
  signFile(key: string, signedAtMs: number, seconds: number): Promise<string> {
    const datetime = new Date(signedAtMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
    return this.#sign('GET', key, {}, seconds, { aws: { datetime } });
  }

  /** What has arrived, in order; null if the upload is over. */
  async parts(key: string, multipartId: string): Promise<UploadedPart[] | null> {
    const found: UploadedPart[] = [];
    for (let after: string | undefined; ;) {
      const query = { uploadId: multipartId, ...(after && { 'part-number-marker': after }) };
      const answer = await this.#call('GET', key, query, { accept: [404] });
      if (answer.status === 404) return null;
      const xml = await answer.text();
      for (const [, part = ''] of xml.matchAll(/<Part>(.*?)<\/Part>/gs)) {
        found.push({
          number: Number(elementOf(part, 'PartNumber')),
          size: Number(elementOf(part, 'Size')),
          etag: (elementOf(part, 'ETag') ?? '').replaceAll(/&quot;|&#34;|"/g, ''),
        });
      }
      const next = elementOf(xml, 'NextPartNumberMarker');
      if (elementOf(xml, 'IsTruncated') !== 'true' || !next || next === after) return found;
      after = next;
    }
  }

  /** False if the upload is over: completed by another request, or removed. */
  async complete(
    key: string,
    multipartId: string,
    parts: readonly UploadedPart[],
  ): Promise<boolean> {
    const list = parts.map(
      ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
    const query = { uploadId: multipartId };
    const answer = await this.#call('POST', key, query, { body, accept: [404] });
    if (answer.status === 404) return false;
    // The status is sent before the parts are put together: a failure is only in the body.
    const text = await answer.text();
    if (!text.includes('<ETag>')) throw refused(elementOf(text, 'Code') ?? 'it made no file');
    return true;
  }

  /** Bytes of the file; null if there is none. */
  async size(key: string): Promise<number | null> {
    // 403: there is none, for a key that may not list the bucket.
    const { ok, headers } = await this.#call('HEAD', key, {}, { accept: [403, 404] });
    return ok ? Number(headers.get('Content-Length')) : null;
  }

  /** Removes the file and what has arrived of it. */
  async remove(key: string, multipartId: string): Promise<void> {
    await this.#call('DELETE', key, { uploadId: multipartId }, { accept: [404] });
    await this.#call('DELETE', key, {}, { accept: [404] });
  }

  #url(key: string, query: Readonly<Record<string, string>>): URL {
    const url = new URL(`${this.#root}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  async #sign(
    method: string,
    key: string,
    query: Readonly<Record<string, string>>,
    seconds: number,
    init: SignedInit,
  ): Promise<string> {
    const url = this.#url(key, { ...query, 'X-Amz-Expires': String(seconds) });
    const options = { ...init, method, aws: { ...aws, ...init.aws, signQuery: true } };
    return (await this.#client.sign(url.href, options)).url;
  }

  async #call(
    method: string,
    key: string,
    query: Readonly<Record<string, string>>,
    { accept = [], ...init }: SignedInit & { accept?: readonly number[] } = {},
  ): Promise<Response> {
    const signal = AbortSignal.timeout(maxCallMs);
    let response: Response;
    try {
      const url = this.#url(key, query).href;
      // In Node, the signal of a Request is lost once the garbage collector has taken it.
      response = await fetch(await this.#client.sign(url, { ...init, method, aws }), { signal });
    } catch (cause) {
      throw away(new Error('no answer', { cause }));
    }
    if (response.ok || accept.includes(response.status)) return response;
    const code = elementOf(await response.text().catch(() => ''), 'Code');
    const reason = `${method} ${response.status}${code ? ` ${code}` : ''}`;
    throw response.status >= 500 || response.status === 429
      ? away(new Error(reason))
      : refused(reason);
  }
}

const away = (reason: Error): HostProblem =>
  new HostProblem('service-unavailable', {
    detail: 'The storage for files cannot be reached. Try again in a moment.',
    cause: new Error(`the bucket for uploads fails: ${reason.message}`, { cause: reason }),
  });

const refused = (reason: string): HostProblem =>
  new HostProblem('internal-error', {
    cause: new Error(`the bucket for uploads refuses a request: ${reason}`),
  });
