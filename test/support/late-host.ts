import { BrokenConnection } from './late-service.ts';
import { createClipHost, type ClipHost, type HostStore } from '../../packages/host/src/index.ts';

/** A service in this process, such as a `LateService`. */
interface AnsweringService {
  /** Throws a {@link BrokenConnection} instead of some answers. */
  answer(request: Request): Promise<Response>;
}

/** The store as a process sees it: after the process was killed, no call comes back. */
function storeOf(store: HostStore, isDead: () => boolean): HostStore {
  return new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...values: unknown[]) => Promise<unknown>;
      return (...values: unknown[]) =>
        isDead() ? new Promise(() => {}) : method.apply(target, values);
    },
  });
}

/** The real host over a {@link AnsweringService}, in one process after the other. */
export class LateHost {
  readonly #service: AnsweringService;
  readonly #apiKey: string;
  readonly #store: HostStore;
  readonly #now: () => number;
  #host!: ClipHost;
  #kill = () => {};

  constructor(
    service: AnsweringService,
    apiKey: string,
    store: HostStore,
    now: () => number = Date.now,
  ) {
    this.#service = service;
    this.#apiKey = apiKey;
    this.#store = store;
    this.#now = now;
    this.restart();
  }

  /** Kills the process and starts another one. What it has sent to the service goes on there. */
  restart(): void {
    this.#kill();
    let dead = false;
    this.#kill = () => (dead = true);
    this.#host = createClipHost({
      service: {
        baseUrl: 'https://service.test/v2',
        apiKey: this.#apiKey,
        fetch: (url, init) => this.#fetch(String(url), init ?? {}),
      },
      basePath: '/clips',
      authenticate: (request) => {
        const id = request.headers.get('X-User');
        return id ? { id } : null;
      },
      store: storeOf(this.#store, () => dead),
      now: this.#now,
      log: () => {},
    });
  }

  /** A request of a user's page. The host notices only a `left` page. */
  answer(
    user: string,
    path: string,
    init: RequestInit = {},
    left: AbortSignal | null = null,
  ): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('X-User', user);
    headers.set('Sec-Fetch-Site', 'same-origin');
    if (init.body) headers.set('Content-Type', 'application/json');
    const { method = 'GET', body = null } = init;
    return this.#host(
      new Request(`https://site.test${path}`, { method, headers, body, signal: left }),
    );
  }

  async #fetch(url: string, { signal, ...init }: RequestInit): Promise<Response> {
    // The service does not notice that a caller leaves.
    const answer = this.#service.answer(new Request(url, init));
    answer.catch(() => {});
    const left = Promise.withResolvers<never>();
    left.promise.catch(() => {});
    signal?.addEventListener('abort', () => left.reject(signal.reason as Error), { once: true });
    try {
      return await Promise.race([answer, left.promise]);
    } catch (cause) {
      throw cause instanceof BrokenConnection ? new TypeError('connection lost') : cause;
    }
  }
}
