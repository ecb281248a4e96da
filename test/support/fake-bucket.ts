import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsClient, AwsV4Signer } from 'aws4fetch';
import type { ByteFaults } from './byte-faults.ts';

interface Part {
  readonly bytes: Buffer;
  readonly etag: string;
}

interface Multipart {
  readonly key: string;
  readonly parts: Map<number, Part>;
}

const credentials = {
  accessKeyId: 'test-key',
  secretAccessKey: 'test-secret-4b7e',
  region: 'us-1',
};

/** Parts of a list, at most; S3 has 1000. */
const partsPerPage = 2;

/** An S3 bucket that is strict: each request must be signed, and a part must have its length. */
export class FakeBucket {
  readonly files = new Map<string, Buffer>();
  readonly headers = new Map<string, IncomingMessage['headers']>();
  readonly multiparts = new Map<string, Multipart>();
  /** The method and query of each request. */
  readonly requests: string[] = [];
  /** Answers the next request with this status. */
  failNext: number | null = null;
  /** The next completion fails after its status was sent. */
  failCompletion = false;
  byteFaults: ByteFaults | null = null;
  readonly #server: Server;
  readonly #now: () => number;

  private constructor(server: Server, now: () => number) {
    this.#server = server;
    this.#now = now;
    server.on('request', (request, response) => void this.#handle(request, response));
  }

  static async open(now: () => number = Date.now): Promise<FakeBucket> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FakeBucket(server, now);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/bucket`;
  }

  readonly secret = credentials.secretAccessKey;

  client(): AwsClient {
    return new AwsClient({ ...credentials, service: 's3', retries: 0 });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const { method = '' } = request;
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', 'ETag');
    if (method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Headers', '*');
      response.writeHead(204, { 'Access-Control-Allow-Methods': 'PUT' }).end();
      return;
    }
    const chunks: Buffer[] = [];
    try {
      if (this.byteFaults && !(await this.byteFaults.carry(request))) return;
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    this.requests.push(
      `${method} ${[...url.searchParams.keys()].filter((name) => !name.startsWith('X-Amz')).join('&')}`,
    );
    const fail = (status: number, code: string): void => {
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    };
    if (this.failNext !== null) {
      const status = this.failNext;
      this.failNext = null;
      return fail(status, 'Ordered');
    }
    if (!(await this.#isSigned(request, url))) return fail(403, 'SignatureDoesNotMatch');
    const key = url.pathname.slice('/bucket/'.length);
    const id = url.searchParams.get('uploadId');
    const known = this.multiparts.get(id ?? '');
    if (id !== null && known?.key !== key) return fail(404, 'NoSuchUpload');
    if (method === 'POST' && url.searchParams.has('uploads')) {
      const multipartId = randomUUID();
      this.multiparts.set(multipartId, { key, parts: new Map() });
      this.headers.set(key, request.headers);
      response.end(`<R><UploadId>${multipartId}</UploadId></R>`);
    } else if (method === 'PUT' && known) {
      const etag = createHash('md5').update(body).digest('hex');
      known.parts.set(Number(url.searchParams.get('partNumber')), { bytes: body, etag });
      response.writeHead(200, { ETag: `"${etag}"` }).end();
    } else if (method === 'GET' && known) {
      const after = Number(url.searchParams.get('part-number-marker') ?? 0);
      const all = [...known.parts].toSorted(([a], [b]) => a - b).filter(([at]) => at > after);
      const page = all.slice(0, partsPerPage);
      const parts = page.map(
        ([at, { bytes, etag }]) =>
          `<Part><PartNumber>${at}</PartNumber><ETag>&quot;${etag}&quot;</ETag><Size>${bytes.length}</Size></Part>`,
      );
      response.end(
        `<R><NextPartNumberMarker>${page.at(-1)?.[0] ?? 0}</NextPartNumberMarker><IsTruncated>${all.length > page.length}</IsTruncated>${parts.join('\n')}</R>`,
      );
    } else if (method === 'POST' && known) {
      if (this.failCompletion) {
        this.failCompletion = false;
        return void response.end('<Error><Code>InternalError</Code></Error>');
      }
      const named = [...String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"/g)];
      const parts = named.map(([, at, etag]) => {
        const part = known.parts.get(Number(at));
        return part?.etag === etag ? part : null;
      });
      if (!parts.length || parts.includes(null)) return fail(400, 'InvalidPart');
      this.files.set(key, Buffer.concat(parts.map((part) => part!.bytes)));
      this.multiparts.delete(id!);
      response.end('<R><ETag>"whole"</ETag></R>');
    } else if (method === 'DELETE') {
      if (id === null) this.files.delete(key);
      else this.multiparts.delete(id);
      response.writeHead(204).end();
    } else if (['GET', 'HEAD'].includes(method) && id === null) {
      const file = this.files.get(key);
      if (!file) return fail(404, 'NoSuchKey');
      response.writeHead(200, { 'Content-Length': file.length });
      response.end(method === 'HEAD' ? undefined : file);
    } else {
      fail(405, 'MethodNotAllowed');
    }
  }

  /** By header, or by the query of an address that is still valid. */
  async #isSigned(request: IncomingMessage, url: URL): Promise<boolean> {
    const { headers, method = '' } = request;
    const isQuery = url.searchParams.has('X-Amz-Signature');
    const names = isQuery
      ? (url.searchParams.get('X-Amz-SignedHeaders') ?? '').split(';')
      : (/SignedHeaders=([^,]*)/.exec(headers.authorization ?? '')?.[1] ?? '').split(';');
    if (!names.includes('host')) return false;
    const signed = new URL(url);
    const datetime = isQuery
      ? (url.searchParams.get('X-Amz-Date') ?? '')
      : String(headers['x-amz-date']);
    if (isQuery) {
      const iso = datetime.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
      const age = (this.#now() - Date.parse(iso)) / 1000;
      if (!(age >= -900 && age <= Number(url.searchParams.get('X-Amz-Expires')))) return false;
      for (const name of ['Signature', 'SignedHeaders', 'Credential', 'Algorithm', 'Date']) {
        signed.searchParams.delete(`X-Amz-${name}`);
      }
    }
    const signer = new AwsV4Signer({
      ...credentials,
      service: 's3',
      method,
      url: signed.href,
      datetime,
      signQuery: isQuery,
      allHeaders: true,
      headers: Object.fromEntries(
        names
          .filter((name) => !['host', 'x-amz-date'].includes(name))
          .map((name) => [name, String(headers[name])]),
      ),
    });
    const result = await signer.sign();
    return isQuery
      ? result.url.searchParams.get('X-Amz-Signature') === url.searchParams.get('X-Amz-Signature')
      : result.headers.get('Authorization') === headers.authorization;
  }
}
