import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ByteFaults } from './byte-faults.ts';
import { sendFile } from './fake-file.ts';
import { Held, type Failure, type Fault, type Order } from './fake-service-failures.ts';
import {
  answerOf,
  type Answer,
  type ServiceVariant,
  type RecordedRequest,
} from './fake-service-routes.ts';
import { answerTus } from './fake-service-tus.ts';
import { FakeWorld } from './fake-service-world.ts';

export interface FakeServiceOptions extends Partial<ServiceVariant> {
  readonly now?: () => number;
}

async function pause(ms: number): Promise<void> {
  if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * A service that implements the specification over HTTP, in all its variants, and renders nothing:
 * a render ends when the test says so. It records its requests, and fails on request. One that does
 * not listen is called with its {@link fetch}.
 */
export class FakeService {
  readonly apiKey = 'test-api-key-5f1c0e7a';
  readonly requests: RecordedRequest[] = [];
  /** The requests for the files at `src_url`. */
  readonly fileRequests: Pick<RecordedRequest, 'method' | 'headers'>[] = [];
  /** Answers them in another way than a plain file server. */
  answerFile: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  /** The requests for the addresses of uploads. */
  readonly tusRequests: Pick<RecordedRequest, 'method' | 'path' | 'headers'>[] = [];
  /** After how many bytes of each `PATCH` of an upload the connection ends; null: it does not. */
  cutAfterBytes: number | null = null;
  /** How else they fail. */
  byteFaults: ByteFaults | null = null;
  /** Its own answers that do not match the contract's schemas. */
  readonly misfits: string[] = [];
  /** Is told of each request, and may return its fault. */
  onRequest: ((request: RecordedRequest) => Fault | void) | null = null;
  readonly variant: ServiceVariant;
  readonly world: FakeWorld;
  readonly #server = createServer();
  readonly #orders: Order[] = [];
  readonly #awaiting: (() => void)[] = [];

  constructor(options: FakeServiceOptions = {}) {
    const { now = Date.now } = options;
    this.world = new FakeWorld(now, (id) => `${this.origin}/files/${id}.mp4`);
    this.variant = {
      legacy: false,
      folderBody: 'A',
      folderForm: true,
      start: 'export',
      foreignClip: 404,
      lists: 'bare',
      pages: 'yes',
      tokenLife: 3600,
      tokenPermissions: false,
      extensions: true,
      keepsKeys: false,
      listLateMs: 0,
      hidesWatermark: false,
      maxUploadBytes: 1_000_000_000,
      origin: () => this.origin,
      now,
      ...options,
    };
    this.#server.on('request', (request, response) => void this.#handle(request, response));
  }

  static async open(options: FakeServiceOptions = {}): Promise<FakeService> {
    const service = new FakeService(options);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get origin(): string {
    const address = this.#server.address() as AddressInfo | null;
    return address ? `http://127.0.0.1:${address.port}` : 'https://service.test';
  }

  get baseUrl(): string {
    return `${this.origin}/v2`;
  }

  /** Makes the next matching request fail; orders are carried out one after the other. */
  order(...orders: Order[]): void {
    this.#orders.push(...orders);
  }

  forgetOrders(): void {
    this.#orders.length = 0;
  }

  /** Holds the next matching request. */
  hold(method: Order['method'], path: RegExp, acts = false): Held {
    const how = new Held();
    this.order({ method, path, acts, how });
    return how;
  }

  /** The requests with this method and a matching path. */
  sent(method: string, path: RegExp): RecordedRequest[] {
    return this.requests.filter((one) => one.method === method && path.test(one.path));
  }

  /**
   * Resolves when the next request has arrived and, unless it was ordered to fail, is being carried
   * out.
   */
  received(): Promise<void> {
    return new Promise((resolve) => this.#awaiting.push(resolve));
  }

  /** Throws when the service itself broke the contract. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    if (this.misfits.length) throw new Error(`fake service: ${this.misfits.join('; ')}`);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    if (url.pathname.startsWith('/uploads/') && this.variant.extensions) {
      const { method = '', headers } = request;
      this.tusRequests.push({ method, path: url.pathname, headers });
      return answerTus(request, response, this.world, this.cutAfterBytes, this.byteFaults);
    }
    let text = '';
    try {
      for await (const chunk of request) text += String(chunk);
    } catch {
      return;
    }
    if (url.pathname.startsWith('/files/')) {
      // Public, and without a name: a browser that is led here plays it.
      this.fileRequests.push({ method: request.method ?? '', headers: request.headers });
      if (this.answerFile) this.answerFile(request, response);
      else sendFile(request, response, `mp4 of ${url.pathname.slice(7, -4)}`);
      return;
    }
    await this.#answer(request.method ?? '', url, request.headers, text, response);
  }

  /** Over HTTP, or in this process: then in virtual time, and it does not notice who leaves. */
  readonly fetch: typeof fetch = async (input, init = {}) => {
    if (this.#server.listening) return fetch(input, init);
    const { method = 'GET', headers, body, signal } = init;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    let head: ResponseInit = {};
    const response = {
      writeHead(status: number, fields: Record<string, string>) {
        head = { status, headers: fields };
        return this;
      },
      end: (text: string | null = null) => resolve(new Response(text, head)),
      destroy: () => reject(new TypeError('connection lost')),
    };
    const sent = Object.fromEntries(new Headers(headers));
    const text = (body ?? '') as string;
    const url = new URL(String(input));
    void this.#answer(method, url, sent, text, response as unknown as ServerResponse);
    return promise;
  };

  async #answer(
    method: string,
    url: URL,
    { authorization, ...headers }: IncomingMessage['headers'],
    text: string,
    response: ServerResponse,
  ): Promise<void> {
    const recorded: RecordedRequest = {
      method,
      path: url.pathname.replace(/^\/v2/, ''),
      query: url.search,
      keyWasRight: authorization === `Bearer ${this.apiKey}`,
      onBehalfOf: (headers['x-on-behalf-of'] as string | undefined) ?? null,
      headers,
      body: text ? JSON.parse(text) : undefined,
    };
    this.requests.push(recorded);
    for (const resolve of this.#awaiting.splice(0)) resolve();
    const found = this.#orders.findIndex(
      (one) => one.method === recorded.method && one.path.test(recorded.path),
    );
    const order = this.#orders[found];
    if (order && !order.lasts) this.#orders.splice(found, 1);
    const fault = this.onRequest?.(recorded);
    const { how, acts = !how, workMs = 0, answerMs = 0 } = order ?? fault ?? {};
    const act = (): Promise<Answer> => this.#act(recorded, url);
    const work = acts ? (workMs ? pause(workMs).then(act) : act()) : null;
    // A status comes before the work is done; a broken connection after it.
    const answer = how === undefined || how === 'drop' ? work : null;
    await Promise.all([answer, pause(answerMs)]);
    if (how) await this.#fail(how, response, () => work ?? act());
    else (await work!).send(response);
  }

  async #act(request: RecordedRequest, url: URL): Promise<Answer> {
    const answer = await answerOf(request, url.searchParams, this.world, this.variant);
    if (answer.misfit) this.misfits.push(`${request.method} ${request.path}: ${answer.misfit}`);
    return answer;
  }

  async #fail(
    how: Failure,
    response: ServerResponse,
    answer: () => Answer | Promise<Answer>,
  ): Promise<void> {
    if (how === 'drop') {
      response.destroy();
    } else if (how === 'truncate') {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
      response.write('{"id":', () => response.destroy());
    } else if (how === 'malformed') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id": ');
    } else if (how === 'unknown-status') {
      const { body, status } = await answer();
      response
        .writeHead(status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(body, (key, value) => (key === 'status' ? 'paused' : value)));
    } else if (how instanceof Held) {
      await how.hold(response);
      if (!response.destroyed) (await answer()).send(response);
    } else {
      response
        .writeHead(how.status, { 'Content-Type': 'application/json', ...how.headers })
        .end(typeof how.body === 'string' ? how.body : JSON.stringify(how.body ?? {}));
    }
  }
}
