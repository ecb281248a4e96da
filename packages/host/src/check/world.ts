import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** One request of the check, as it is sent. */
interface Sent {
  readonly method: string;
  /** The whole URL. The path is sent exactly as written here. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The answer. `status` is 0 if there was no answer; `failure` then says why. */
interface Received {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** About the first 256 kB. */
  readonly text: string;
  readonly failure: string | null;
  /** From sending to the end of the answer. */
  readonly milliseconds: number;
}

export interface Exchange {
  readonly sent: Sent;
  readonly received: Received;
}

export type Send = (sent: Sent, leaving?: AbortSignal) => Promise<Received>;

/** The body as JSON, or undefined if it is not JSON. */
export function jsonOf({ received }: Exchange): unknown {
  try {
    return JSON.parse(received.text) as unknown;
  } catch {
    return undefined;
  }
}

const maxTextLength = 256 * 1024;
/** Longer than any host waits for its service. */
const timeoutMs = 120_000;

/**
 * Sends a request with its path exactly as written (`fetch` would normalise it) and follows no
 * redirect. Never throws: a connection that fails or takes too long gives an answer with status 0.
 */
export const send: Send = async ({ method, url, headers, body }, leaving) => {
  const began = performance.now();
  let received = { status: 0, headers: {} };
  let text = '';
  let failure = null;
  try {
    const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      path: url.slice(url.indexOf('/', url.indexOf('//') + 2)),
      method,
      headers: {
        ...headers,
        ...(body !== null && { 'Content-Length': Buffer.byteLength(body) }),
      },
      // A new connection, so that a host that closes one early does not disturb the next request.
      agent: false,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(leaving ? [leaving] : [])]),
    });
    // One that breaks off during its answer is told by the answer too.
    request.on('error', () => {});
    const [response] = (await once(request.end(body ?? ''), 'response')) as [IncomingMessage];
    const all = Object.entries(response.headers).map(([name, value]) => [name, `${value}`]);
    received = { status: response.statusCode ?? 0, headers: Object.fromEntries(all) };
    for await (const part of response.setEncoding('utf8')) {
      text += part as string;
      if (text.length > maxTextLength) break;
    }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    failure = message || code || 'the connection failed';
  }
  return { ...received, text, failure, milliseconds: performance.now() - began };
};

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
