import assert from 'node:assert/strict';
import {
  createClipHost,
  memoryStore,
  type ClipHost,
  type ClipHostOptions,
  type HostLogEntry,
  type HostStore,
} from '../host/src/index.ts';
import { HostRecords } from '../host/src/stores/records.ts';
import type { Project, Problem } from 'clip-kit/contract';
import { hostOpenApi } from '../../tools/host-openapi.ts';
import { DescribedAnswers } from './described-answers.ts';
import { FakeService, type FakeServiceOptions } from './fake-service.ts';

/** The part of a test's context that ends what it has opened. */
export interface Ending {
  after(end: () => unknown): void;
}

export const site = 'https://site.example';

export const described = new DescribedAnswers(hostOpenApi('1.2.3'));

export interface HostWorldOptions {
  readonly service?: FakeServiceOptions;
  readonly host?: Partial<Omit<ClipHostOptions, 'service' | 'log' | 'store' | 'now'>>;
  readonly store?: HostStore;
  readonly now?: () => number;
}

export interface Sent {
  /** The logged-in user; null for nobody. */
  readonly user?: string | null;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  /** `Idempotency-Key` */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly signal?: AbortSignal;
}

/** The store as a process sees it: after the process was killed, no call comes back. */
const makeMortal = (store: HostStore, isDead: () => boolean): HostStore =>
  new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...values: unknown[]) => Promise<unknown>;
      return (...values: unknown[]) =>
        isDead() ? new Promise(() => {}) : method.apply(target, values);
    },
  });

/**
 * A host with a fake service. Each answer must be as `openapi.json` says. At the end of the test it
 * checks that no key or token is in a log or a problem. With a service that does not listen, it
 * runs in virtual time.
 */
export class HostWorld {
  readonly service: FakeService;
  host!: ClipHost;
  readonly store: HostStore;
  readonly records: HostRecords;
  readonly log: HostLogEntry[] = [];
  readonly #options: HostWorldOptions;
  readonly #problems: string[] = [];
  #kill = () => {};
  #inFlight = 0;

  constructor(service: FakeService, options: HostWorldOptions = {}) {
    this.service = service;
    this.store = options.store ?? memoryStore(options.now);
    this.records = new HostRecords(this.store, options.now ?? Date.now);
    this.#options = options;
    this.restart();
  }

  static async open(t: Ending, options: HostWorldOptions = {}): Promise<HostWorld> {
    const now = options.now ?? Date.now;
    const world = new HostWorld(await FakeService.open({ now, ...options.service }), options);
    t.after(() => world.close());
    return world;
  }

  /** Kills the host's process and starts another. What it has sent to the service goes on there. */
  restart(): void {
    const { service } = this;
    const { host, now = Date.now } = this.#options;
    this.#kill();
    let isDead = false;
    this.#kill = () => (isDead = true);
    this.host = createClipHost({
      service: {
        baseUrl: service.baseUrl,
        apiKey: service.apiKey,
        fetch: (input, init) => this.#fetch(input, init),
      },
      ...(!host?.sessions && {
        authenticate: (request) => {
          const id = /user=([^;]+)/.exec(request.headers.get('Cookie') ?? '')?.[1];
          return id === undefined ? null : { id };
        },
      }),
      basePath: '/clips',
      ...host,
      store: makeMortal(this.store, () => isDead),
      now,
      log: (entry) => this.log.push(entry),
    });
  }

  async close(): Promise<void> {
    this.host.close();
    await this.service.close();
    const output = JSON.stringify([this.log, this.#problems]);
    assert.ok(!output.includes(this.service.apiKey), 'the key is in a log entry or a problem');
    assert.ok(!/eyJ|opaque-token/.test(output), 'a token is in a log entry or a problem');
  }

  /** A request of the kit's client on a page. */
  async fetch(path: string, init: RequestInit): Promise<Response> {
    const { method = 'GET', headers, body, signal } = init;
    const response = await this.#send(method, path, {
      headers: Object.fromEntries(new Headers(headers)),
      ...(body ? { body } : {}),
      ...(signal ? { signal } : {}),
    });
    await this.#compare(method, path, body, response);
    return response;
  }

  /** A request as a page of the site sends it. */
  async call(method: string, path: string, sent: Sent = {}): Promise<Response> {
    const response = await this.#send(method, path, sent);
    assert.equal(response.headers.get('Cache-Control'), 'no-store');
    await this.#compare(method, path, sent.body, response);
    if (response.status >= 400) this.#problems.push(await response.clone().text());
    return response;
  }

  #send(method: string, path: string, sent: Sent): Promise<Response> {
    const { user = 'ann', body, key, signal } = sent;
    const headers = new Headers({ 'Sec-Fetch-Site': 'same-origin' });
    if (user !== null) headers.set('Cookie', `user=${user}`);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (key !== undefined) headers.set('Idempotency-Key', key);
    for (const [name, value] of Object.entries(sent.headers ?? {})) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return this.host(
      new Request(`${site}${path}`, {
        method,
        headers,
        ...(signal ? { signal } : {}),
        ...(text === undefined ? {} : { body: text }),
      }),
    );
  }

  async #compare(method: string, path: string, body: unknown, response: Response): Promise<void> {
    const { status, headers } = response;
    const isJson = headers.get('Content-Type')?.includes('json');
    const json = isJson ? ((await response.clone().json()) as { code?: string }) : null;
    // An id that cannot be read is none.
    if (!path.startsWith('/clips/') || json?.code === 'endpoint-not-found') return;
    described.check(method, path.slice('/clips'.length), { status, headers, json }, body);
  }

  /** A call that must be answered with this status; returns its JSON. */
  async json<T>(status: number, method: string, path: string, sent: Sent = {}): Promise<T> {
    const response = await this.call(method, path, sent);
    const text = await response.text();
    assert.equal(response.status, status, text);
    assert.equal(response.headers.get('Content-Type'), 'application/json');
    return JSON.parse(text) as T;
  }

  /** A call that must be answered with this problem. */
  async problem(
    status: number,
    code: string,
    method: string,
    path: string,
    sent: Sent = {},
  ): Promise<Problem & { readonly headers: Headers }> {
    const response = await this.call(method, path, sent);
    const problem = JSON.parse(await response.text()) as Problem;
    assert.deepEqual([response.status, problem.code], [status, code], JSON.stringify(problem));
    assert.equal(problem.status, status);
    assert.ok(problem.title);
    assert.equal(response.headers.get('Content-Type'), 'application/problem+json');
    return { ...problem, headers: response.headers };
  }

  /** The managed user of a user of the site; created if needed. */
  async managed(user = 'ann'): Promise<string> {
    const known = await this.records.managedUser(user);
    if (known !== null) return known;
    await this.json(200, 'GET', '/clips/exports', { user });
    return (await this.records.managedUser(user))!;
  }

  /** A clip of a user of the site. */
  async clip(
    user = 'ann',
    folder: string | null = null,
    more: Partial<Project> = {},
  ): Promise<string> {
    return this.service.world.addProject(await this.managed(user), folder, more).id;
  }

  /** Resolves when no call to the service is running and none follows from the last one. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 5; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#inFlight) turns = 0;
    }
  }

  async #fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    this.#inFlight++;
    try {
      const response = await this.service.fetch(input, init);
      if (!response.headers.get('Content-Type')?.startsWith('application/json')) return response;
      // Read here, so that the whole call counts as running.
      const { status, headers } = response;
      return new Response(await response.arrayBuffer(), { status, headers });
    } finally {
      this.#inFlight--;
    }
  }
}
