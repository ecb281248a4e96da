import type { Received, Exchange, Sent } from './exchange.ts';
import { isObject, jsonOf } from './exchange.ts';

export interface CheckOptions {
  /**
   * Where the host is mounted, such as `https://site.example/clips`, without a slash at the end.
   */
  readonly endpoint: string;
  /** The user's `Cookie` header. */
  readonly cookie: string | null;
  /** Sent with every request. If there is no cookie, these headers are the user's login. */
  readonly headers: Readonly<Record<string, string>>;
  /** The second user's login: a cookie, headers, or both, or null. */
  readonly other: {
    readonly cookie: string | null;
    readonly headers: Readonly<Record<string, string>>;
  } | null;
  /** The site's own id of the second user, as an attacker might guess it. */
  readonly otherUser: string | null;
  readonly project: string | null;
  readonly folder: string | null;
  /** Permission to start one export. */
  readonly start: boolean;
  /** How long to watch a started export. */
  readonly maxWatchMs: number;
}

export interface Ask {
  readonly as?: 'user' | 'other' | 'nobody';
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  /** Replace the headers that a page of the site would send; null omits a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** How long to wait for an answer. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /**
   * True for a request that a server in front may refuse itself. The rules about all answers skip
   * it.
   */
  readonly apart?: boolean;
}

/** The fields of an export that the check needs to ask for it. */
export interface Sample {
  readonly id: string;
  readonly project_id: string;
  readonly folder_id: string | null;
  readonly status: string;
}

const defaultTimeoutMs = 30_000;
const maxRetries = 2;
const maxRetryAfterSeconds = 60;

export type Send = (sent: Sent, timeoutMs: number, signal?: AbortSignal) => Promise<Received>;

const sampleOf = (value: unknown): Sample | null =>
  isObject(value) && typeof value['id'] === 'string' && typeof value['project_id'] === 'string'
    ? {
        id: value['id'],
        project_id: value['project_id'],
        folder_id: typeof value['folder_id'] === 'string' ? value['folder_id'] : null,
        status: String(value['status']),
      }
    : null;

/**
 * The host under check. Sends requests as a page of the site would, and remembers the answers and
 * what they showed.
 */
export class CheckWorld {
  readonly options: CheckOptions;
  readonly seen: Exchange[] = [];
  /** The attempt key of the one start. */
  readonly key = `check-${crypto.randomUUID()}`;
  readonly #send: Send;
  readonly #pause: (milliseconds: number) => Promise<void>;
  #started: Promise<Exchange> | null = null;
  #surveyed: Promise<void> | null = null;

  constructor(
    options: CheckOptions,
    send: Send,
    pause = (milliseconds: number) =>
      new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  ) {
    this.options = options;
    this.#send = send;
    this.#pause = pause;
  }

  /**
   * Sends a request to a path below the endpoint. After a 429 with `Retry-After` it waits and tries
   * again, at most twice.
   */
  async ask(method: string, path: string, ask: Ask = {}): Promise<Exchange> {
    const sent = this.#sent(method, path, ask);
    for (let tries = 0; ; tries++) {
      const exchange = {
        sent,
        received: await this.#send(sent, ask.timeoutMs ?? defaultTimeoutMs, ask.signal),
      };
      if (!ask.apart) this.seen.push(exchange);
      const seconds = Number(exchange.received.headers['retry-after'] ?? NaN);
      if (
        exchange.received.status !== 429 ||
        tries === maxRetries ||
        !(seconds <= maxRetryAfterSeconds)
      )
        return exchange;
      await this.#pause(seconds * 1000);
    }
  }

  get(path: string, ask?: Ask): Promise<Exchange> {
    return this.ask('GET', path, ask);
  }

  post(path: string, body: unknown, ask?: Ask): Promise<Exchange> {
    return this.ask('POST', path, { ...ask, body });
  }

  /** The first byte of a file on any origin, without the login. */
  async publicFile(url: string): Promise<Exchange> {
    const headers = { Range: 'bytes=0-0', 'User-Agent': 'clip-host-check' };
    const sent = { method: 'GET', url, headers, body: null };
    return { sent, received: await this.#send(sent, defaultTimeoutMs) };
  }

  /** An id that does not exist. */
  nothing(): string {
    return crypto.randomUUID();
  }

  /**
   * A start that must be refused. Its clip does not exist, so a host that accepts it starts nothing
   * either.
   */
  badStart(body: object = {}, ask: Ask = {}): Promise<Exchange> {
    return this.post(
      'exports',
      { project_id: this.nothing(), ...body },
      { ...ask, headers: { 'Idempotency-Key': `check-${crypto.randomUUID()}`, ...ask.headers } },
    );
  }

  /** The body of the one start. */
  get startBody(): Readonly<Record<string, string>> {
    const { project, folder } = this.options;
    return { project_id: project ?? '', ...(folder === null ? {} : { folder_id: folder }) };
  }

  /** The one start, sent on the first call. */
  start(): Promise<Exchange> {
    this.#started ??= this.post('exports', this.startBody, {
      headers: { 'Idempotency-Key': this.key },
      timeoutMs: 120_000,
    });
    return this.#started;
  }

  /**
   * The started export, or one from the user's list, preferably in that state; null if there is
   * none.
   */
  async sample(state?: string): Promise<Sample | null> {
    const started = this.options.start ? sampleOf(jsonOf(await this.start())) : null;
    if (started && state === undefined) return started;
    const body = jsonOf(await this.get('exports'));
    const found = (Array.isArray(body) ? body : []).flatMap((item) => sampleOf(item) ?? []);
    const fitting = found.filter((sample) => state === undefined || sample.status === state);
    return fitting.find(({ id }) => id === started?.id) ?? fitting[0] ?? null;
  }

  /** A clip of the user: the given one, or that of an export. */
  async clip(): Promise<{ project_id: string; folder_id: string | null } | null> {
    const { project, folder } = this.options;
    return project === null ? this.sample() : { project_id: project, folder_id: folder };
  }

  /** Sends one request of each kind, to have answers to look at. */
  survey(): Promise<void> {
    this.#surveyed ??= (async () => {
      await this.get('exports');
      await this.get('exports', { as: 'nobody' });
      await this.post('token', {});
      await this.post('token', { clip_host_check: true });
      await this.get(`exports/${this.nothing()}`, { query: { project_id: this.nothing() } });
      await this.get('clip-host-check');
      await this.badStart();
    })();
    return this.#surveyed;
  }

  pause(milliseconds: number): Promise<void> {
    return this.#pause(milliseconds);
  }

  #sent(method: string, path: string, { as = 'user', query = {}, body, headers }: Ask): Sent {
    const { endpoint, cookie, other } = this.options;
    const values = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((item) => [name, item] as [string, string]),
    );
    const search = values.length ? `?${new URLSearchParams(values).toString()}` : '';
    const logIn: Record<string, string> =
      as === 'user'
        ? { ...this.options.headers, ...(cookie === null ? {} : { Cookie: cookie }) }
        : {
            // Without a cookie, the headers are the login itself.
            ...(cookie === null ? {} : this.options.headers),
            ...(as === 'other' && other?.cookie ? { Cookie: other.cookie } : {}),
            ...(as === 'other' ? other?.headers : {}),
          };
    const all: Record<string, string | null> = {
      Accept: 'application/json',
      'User-Agent': 'clip-host-check',
      'Sec-Fetch-Site': 'same-origin',
      ...(method === 'GET' || method === 'HEAD' ? {} : { Origin: new URL(endpoint).origin }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...logIn,
      ...headers,
    };
    return {
      method,
      url: `${endpoint}/${path}${search}`,
      headers: Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
      ),
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    };
  }
}
