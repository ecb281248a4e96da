import { isObject, jsonOf, send, type Exchange, type Sent } from './http.ts';

/** The login of a user: a cookie, headers, or both. */
interface Login {
  readonly cookie: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** If there is no cookie, the headers are the user's login; they are sent with every request. */
export interface CheckOptions extends Login {
  /** Where the host is mounted, such as `https://site.example/clips`, without a slash at the end. */
  readonly endpoint: string;
  readonly other: Login | null;
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
  readonly body?: string;
  /** Replace the headers that a page of the site would send; null omits a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** True for a request that the rules about all answers skip. */
  readonly apart?: boolean;
}

/** The fields of an export that the check needs to ask for it. */
export interface Sample {
  readonly id: string;
  readonly project_id: string;
  readonly folder_id: string | null;
  readonly status: string;
}

const maxRetries = 2;
const maxRetryAfterSeconds = 60;
/** Longer than any host waits for its service. */
export const startTimeoutMs = 120_000;

const isSample = (value: unknown): value is Sample =>
  isObject(value) && typeof value['id'] === 'string' && typeof value['project_id'] === 'string';

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The host under check. Sends requests as a page of the site would, and remembers the answers. */
export class CheckWorld {
  readonly options: CheckOptions;
  readonly seen: Exchange[] = [];
  /** The attempt key of the one start. */
  readonly key = `check-${crypto.randomUUID()}`;
  #started: Promise<Exchange> | null = null;

  constructor(options: CheckOptions) {
    this.options = options;
  }

  /**
   * Sends a request to a path below the endpoint. After a 429 with `Retry-After` it waits and tries
   * again, at most twice.
   */
  async ask(method: string, path: string, ask: Ask = {}): Promise<Exchange> {
    const sent = this.#sent(method, path, ask);
    for (let tries = 0; ; tries++) {
      const exchange = { sent, received: await send(sent, ask.timeoutMs ?? 30_000, ask.signal) };
      if (!ask.apart) this.seen.push(exchange);
      const { status, headers } = exchange.received;
      const seconds = Number(headers['retry-after'] ?? NaN);
      if (status !== 429 || tries === maxRetries || !(seconds <= maxRetryAfterSeconds)) {
        return exchange;
      }
      await pause(seconds * 1000);
    }
  }

  /** `POST /exports` with an attempt key. */
  postStart(key: string, body: object, ask: Ask = {}): Promise<Exchange> {
    return this.ask('POST', 'exports', {
      timeoutMs: startTimeoutMs,
      ...ask,
      headers: { 'Idempotency-Key': key, ...ask.headers },
      body: JSON.stringify(body),
    });
  }

  /** The body of the one start. */
  get startBody(): Readonly<Record<string, string>> {
    const { project, folder } = this.options;
    return { project_id: project ?? '', ...(folder !== null && { folder_id: folder }) };
  }

  /** The one start, sent on the first call. */
  start(): Promise<Exchange> {
    return (this.#started ??= this.postStart(this.key, this.startBody));
  }

  /** The started export, or one from the user's list, in that state if given; null if none. */
  async sample(state?: string): Promise<Sample | null> {
    const started = this.options.start ? jsonOf(await this.start()) : null;
    if (isSample(started) && state === undefined) return started;
    const found = [jsonOf(await this.ask('GET', 'exports'))].flat().filter(isSample);
    const fitting = found.filter(({ status }) => state === undefined || status === state);
    return fitting.find(({ id }) => isSample(started) && id === started.id) ?? fitting[0] ?? null;
  }

  #sent(method: string, path: string, { as = 'user', body, headers }: Ask): Sent {
    const { endpoint, cookie, other, headers: always } = this.options;
    const login = as === 'user' ? this.options : as === 'other' ? other : null;
    const all: Record<string, string | null> = {
      Accept: 'application/json',
      'User-Agent': 'clip-host-check',
      'Sec-Fetch-Site': 'same-origin',
      ...(!['GET', 'HEAD'].includes(method) && { Origin: new URL(endpoint).origin }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      // Without a cookie, the headers are the login itself.
      ...(cookie !== null && always),
      ...login?.headers,
      ...(login?.cookie && { Cookie: login.cookie }),
      ...headers,
    };
    const given = Object.entries(all).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
    const url = `${endpoint}/${path}`;
    return { method, url, headers: Object.fromEntries(given), body: body ?? null };
  }
}
