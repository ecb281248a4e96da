import { jsonOf, send, type Exchange, type Send } from './http.ts';

type Headers = Readonly<Record<string, string>>;

export interface CheckOptions {
  /** Where the host is mounted, such as `https://site.example/clips`, without a slash at the end. */
  readonly endpoint: string;
  /** Headers of every request, also of nobody: a CSRF token beside the cookie. */
  readonly always: Headers;
  /** The login of a user: a cookie, or other headers. */
  readonly user: Headers;
  readonly other: Headers | null;
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
  readonly leaving?: AbortSignal;
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

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The host under check. Sends requests as a page of the site would, and remembers the answers. */
export class CheckWorld {
  readonly options: CheckOptions;
  readonly seen: Exchange[] = [];
  /** The attempt key and the body of the one start. */
  readonly key = `check-${crypto.randomUUID()}`;
  readonly startBody: string;
  readonly #send: Send;
  #started: Promise<Exchange> | null = null;

  constructor(options: CheckOptions, sendRequest = send) {
    const { project, folder } = options;
    this.options = options;
    this.#send = sendRequest;
    this.startBody = JSON.stringify({ project_id: project, folder_id: folder ?? undefined });
  }

  /** Sends a request. After a 429 with `Retry-After` it waits and tries again, at most twice. */
  async ask(method: string, path: string, ask: Ask = {}): Promise<Exchange> {
    const { as = 'user', body = null, headers, leaving, apart } = ask;
    const { endpoint, always, user, other } = this.options;
    const all: Record<string, string | null> = {
      Accept: 'application/json',
      'User-Agent': 'clip-host-check',
      'Sec-Fetch-Site': 'same-origin',
      ...(!['GET', 'HEAD'].includes(method) && { Origin: new URL(endpoint).origin }),
      ...(body !== null && { 'Content-Type': 'application/json' }),
      ...always,
      ...{ user, other, nobody: {} }[as],
      ...headers,
    };
    const given = Object.entries(all).filter((one): one is [string, string] => one[1] !== null);
    const sent = { method, url: `${endpoint}/${path}`, body, headers: Object.fromEntries(given) };
    for (let tries = 0; ; tries++) {
      const exchange = { sent, received: await this.#send(sent, leaving) };
      if (!apart) this.seen.push(exchange);
      const seconds = Number(exchange.received.headers['retry-after'] ?? NaN);
      const isLimited = exchange.received.status === 429 && seconds <= maxRetryAfterSeconds;
      if (!isLimited || tries === maxRetries) return exchange;
      await pause(seconds * 1000);
    }
  }

  /** The one start, sent on the first call. */
  start(): Promise<Exchange> {
    const headers = { 'Idempotency-Key': this.key };
    return (this.#started ??= this.ask('POST', 'exports', { headers, body: this.startBody }));
  }

  /** The started export, or one from the user's list, in that state if given; null if none. */
  async sample(state?: string): Promise<Sample | null> {
    const started = this.options.start ? samplesOf(await this.start())[0] : undefined;
    if (started && state === undefined) return started;
    const found = samplesOf(await this.ask('GET', 'exports'));
    const fitting = found.filter(({ status }) => state === undefined || status === state);
    return fitting.find(({ id }) => id === started?.id) ?? fitting[0] ?? null;
  }
}

const samplesOf = (exchange: Exchange): Sample[] =>
  [jsonOf(exchange) as Sample].flat().filter((one) => one?.id && one.project_id);
