import type { Export } from '../contract/export.ts';
import type { HostStartExportInput, TokenAnswer } from '../contract/host.ts';
import { getAccount, isAccountNamed, noteAccount } from './account.ts';
import {
  parseJson,
  nextCursor,
  readFailure,
  type Reader,
  readers,
  readWith,
} from './host-answers.ts';
import { ClipError } from './clip-error.ts';
import { type CallName, isOtherAccount, SchemaError, TransportError } from './errors.ts';
import type { SessionSource } from './session.ts';

export interface HostClientOptions {
  /** Absolute URL of the page's own backend, which keeps the host contract. */
  readonly endpoint: string;
  readonly credentials?: RequestCredentials;
  /** Header of the CSRF token. Default: `X-CSRF-Token`. */
  readonly csrfHeader?: string | null;
  readonly csrfToken?: string | null;
  /** Address of a new CSRF token, which is fetched once if the host refuses the current one. */
  readonly csrfUrl?: string | null;
  /** The session of each call. With it, no cookie and no CSRF token is sent. */
  readonly session?: SessionSource | null;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

/** Which clip: the id of its project, and of its folder if it has one. */
export interface ClipAddress {
  readonly project: string;
  readonly folder?: string | null;
}

export interface HostAnswer<T> {
  readonly value: T;
  /** The host's clock minus this one, in milliseconds; 0 if it is not known. */
  readonly skew: number;
  /** Whether the host held the answer as asked (`Preference-Applied`). */
  readonly held: boolean;
  /** The cursor of the next page of a list (`Link`); null if there is none. */
  readonly next: string | null;
}

interface Call {
  readonly path: string;
  readonly query?: URLSearchParams;
  /** If omitted: with a body POST, otherwise GET. */
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly keepalive?: boolean;
  readonly cache?: RequestCache;
  readonly timeoutMs?: number;
  /** Only for the account that the page shows: the host refuses it for another one (409). */
  readonly isOwn?: boolean;
}

interface GetOptions {
  readonly query?: Record<string, string> | URLSearchParams;
  /** Seconds for which the host may hold the answer. */
  readonly wait?: number;
  /** The state that the page knows. */
  readonly after?: string;
  /** Only for the account that the page shows. */
  readonly isOwn?: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface ChangeOptions {
  readonly body?: unknown;
  readonly key?: string;
  readonly signal?: AbortSignal | undefined;
}

const defaultTimeoutMs = 30_000;

const csrfFailures = ['csrf-failed', 'csrf_failed'];

/**
 * The calls of the host contract that the elements need. Every method rejects with a `CallError`,
 * or with the signal's reason.
 */
export class HostClient {
  /** The endpoint, normalised. */
  readonly endpoint: string;
  /** Null if the host knows the user by the page's own cookies. */
  readonly session: SessionSource | null;
  readonly #options: HostClientOptions;
  /** The newest call that runs, until the host has named the account. */
  #running: Promise<unknown> | null = null;
  #csrfToken: string | null;

  /** Throws a `TypeError` for an invalid endpoint, a `ClipError` for an invalid header. */
  constructor(options: HostClientOptions) {
    this.endpoint = normalizeEndpoint(options.endpoint);
    this.#options = options;
    this.session = options.session ?? null;
    this.#csrfToken = (!this.session && options.csrfToken) || null;
    try {
      new Headers(this.#csrfHeaders());
    } catch {
      // Otherwise each call, also a paid start, would look like a lost one. The token is a secret.
      throw new ClipError(
        'invalid-config',
        'csrf-header or csrf-token cannot be sent in a header.',
      );
    }
  }

  /** `POST /token`. `fresh`: the host must not answer with a token that it has kept. */
  token(project: string, signal?: AbortSignal, fresh = false): Promise<HostAnswer<TokenAnswer>> {
    return this.#call(
      // For `no-store` the browser itself adds `Cache-Control: no-cache`, also across origins.
      {
        path: '/token',
        body: { project_id: project },
        cache: fresh ? 'no-store' : 'default',
      },
      readers.token,
      signal,
    );
  }

  /** `POST /exports`: costs money. The host carries out each `key` at most once. */
  startExport(
    body: HostStartExportInput & { confirmed_start?: string },
    key: string,
    signal?: AbortSignal,
  ): Promise<HostAnswer<Export>> {
    return this.change('/exports', readers.export, { body, key, signal });
  }

  /** `GET /exports/{id}` */
  getExport(id: string, clip: ClipAddress, signal?: AbortSignal): Promise<HostAnswer<Export>> {
    const query = makeClipQuery(clip);
    return this.get(`/exports/${encodeURIComponent(id)}`, readers.export, { query, signal });
  }

  /** `GET /exports?id=…`. The host may hold the answer for `wait` seconds until one changes. */
  exportsById(
    ids: readonly string[],
    options: { wait?: number; signal?: AbortSignal } = {},
  ): Promise<HostAnswer<Export[]>> {
    const query = new URLSearchParams(ids.map((id) => ['id', id]));
    return this.get('/exports', readers.exportList, { ...options, query });
  }

  /**
   * @internal Another `GET`, for parts of the kit that have readers of their own. The host may hold
   * the answer for `wait` seconds, as long as the state is the one that the page knows (`after`).
   */
  get<T>(
    path: string,
    reader: Reader,
    { query, wait = 0, after, isOwn = false, signal }: GetOptions = {},
  ): Promise<HostAnswer<T>> {
    return this.#call(
      {
        path,
        query: new URLSearchParams(query),
        headers: wait ? { Prefer: `wait=${wait}${after ? `; after="${after}"` : ''}` } : {},
        timeoutMs: wait * 1000 + defaultTimeoutMs,
        isOwn,
      },
      reader,
      signal,
    );
  }

  /**
   * @internal A `POST`, or a `DELETE` without a body, for the account that the page shows. The host
   * carries out each `key` at most once.
   */
  change<T>(
    path: string,
    reader: Reader,
    { body, key, signal }: ChangeOptions = {},
  ): Promise<HostAnswer<T>> {
    return this.#call(
      {
        path,
        method: body === undefined ? 'DELETE' : 'POST',
        body,
        // The user may leave the page right after the click.
        ...(key && { headers: { 'Idempotency-Key': key }, keepalive: true }),
        timeoutMs: 60_000,
        isOwn: true,
      },
      reader,
      signal,
    );
  }

  /** @internal The next answer of the host: of a call that runs, or of `GET /account`. */
  nextAnswer(): Promise<unknown> {
    return this.#running ?? this.get('/account', () => undefined);
  }

  /**
   * `POST /exports/{id}/download`: an address of the file for this user and a few minutes, without
   * the session. Only with a session.
   */
  async downloadGrant(id: string, clip: ClipAddress, fileName?: string | null): Promise<string> {
    const body = {
      ...Object.fromEntries(makeClipQuery(clip)),
      ...(fileName && { name: fileName }),
    };
    const path = `/exports/${encodeURIComponent(id)}/download`;
    return (await this.change<{ url: string }>(path, readers.grant, { body })).value.url;
  }

  /** The address of `GET /exports/{id}/download`. Without a name, the file has the clip's name. */
  downloadUrl(id: string, clip: ClipAddress, fileName?: string | null): string {
    const query = makeClipQuery(clip);
    if (fileName) query.set('name', fileName);
    return this.#url(`/exports/${encodeURIComponent(id)}/download`, query).href;
  }

  #csrfHeaders(): Record<string, string> {
    return this.#csrfToken ? { [this.#options.csrfHeader || 'X-CSRF-Token']: this.#csrfToken } : {};
  }

  #accountHeader(): Record<string, string> {
    const account = getAccount(this.endpoint);
    return account ? { 'Clip-Account': account } : {};
  }

  #url(path: string, query?: URLSearchParams): URL {
    const url = new URL(this.endpoint);
    url.pathname = url.pathname.replace(/\/$/, '') + path;
    query?.forEach((value, key) => url.searchParams.append(key, value));
    return url;
  }

  async #call<T>(call: Call, reader: Reader, signal?: AbortSignal): Promise<HostAnswer<T>> {
    const method = call.method ?? (call.body === undefined ? 'GET' : 'POST');
    const name: CallName = { method, path: call.path };
    const now = this.#options.now ?? Date.now;
    const exchange = this.#exchange(call, name, signal);
    if (!isAccountNamed(this.endpoint)) this.#running = exchange;
    const { response, body } = await exchange.finally(() => {
      if (this.#running === exchange) this.#running = null;
    });
    const { status } = response;
    const account = response.headers.get('Clip-Account');
    // Without a tag, a refusal or an error does not mean that the host has no accounts.
    if (account || (status < 500 && ![401, 403, 408, 429].includes(status))) {
      noteAccount(this.endpoint, account);
    }
    const failure = response.ok
      ? null
      : readFailure(name, status, body, response.headers.get('Retry-After'), now());
    // The page may have stopped to ask, because its question was another account's. That a start
    // was refused for it is still news.
    if (!isOtherAccount(failure)) signal?.throwIfAborted();
    if (failure) throw failure;
    const answer = readWith<T>(reader, body);
    if ('error' in answer) throw new SchemaError(name, [answer.error]);
    return {
      value: answer.value,
      skew: measureClockSkew(response.headers.get('Date'), now()),
      held: /\bwait\b/.test(response.headers.get('Preference-Applied') ?? ''),
      next: nextCursor(response.headers.get('Link')),
    };
  }

  async #exchange(
    call: Call,
    name: CallName,
    signal?: AbortSignal,
  ): Promise<{ response: Response; body: unknown }> {
    const { session } = this;
    const sent = await session?.get();
    signal?.throwIfAborted();
    const first = await this.#send(call, name, signal, sent);
    if (session && isSessionRefused(first.response.status, first.body)) {
      const fresh = await session.get(sent);
      // Refused before anything was done: sent once again, with the same key.
      return fresh === sent ? first : this.#send(call, name, signal, fresh);
    }
    const { csrfUrl } = this.#options;
    const code = (first.body as { code?: unknown } | null)?.code;
    if (
      session ||
      first.response.status !== 403 ||
      !csrfUrl ||
      !csrfFailures.includes(String(code))
    ) {
      return first;
    }
    const fresh = await this.#fetch(
      csrfUrl,
      { cache: 'no-store' },
      { method: 'GET', path: 'csrf-url' },
      defaultTimeoutMs,
      signal,
    );
    this.#csrfToken = readCsrfToken(fresh.body, fresh.text) ?? this.#csrfToken;
    return this.#send(call, name, signal);
  }

  #send(call: Call, name: CallName, signal?: AbortSignal, session?: string) {
    // Undefined without a body.
    const body = JSON.stringify(call.body) as string | undefined;
    return this.#fetch(
      this.#url(call.path, call.query).href,
      {
        method: name.method,
        headers: {
          Accept: 'application/json',
          ...call.headers,
          ...(call.isOwn && this.#accountHeader()),
          ...(body && { 'Content-Type': 'application/json' }),
          ...(name.method !== 'GET' && this.#csrfHeaders()),
          ...(session && { Authorization: `Bearer ${session}` }),
        },
        keepalive: !!call.keepalive,
        cache: call.cache ?? 'no-store',
        ...(body && { body }),
      },
      name,
      call.timeoutMs ?? defaultTimeoutMs,
      signal,
    );
  }

  async #fetch(
    url: string,
    init: RequestInit,
    name: CallName,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<{ response: Response; text: string; body: unknown }> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await (this.#options.fetch ?? fetch)(url, {
        ...init,
        // The address of a CSRF token is only asked without a session.
        credentials: this.session ? 'omit' : (this.#options.credentials ?? 'same-origin'),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const text = await response.text();
      return { response, text, body: parseJson(text) };
    } catch (cause) {
      signal?.throwIfAborted();
      throw new TransportError(name, timeout.aborted, { cause });
    }
  }
}

/** Whether the host has refused the session of a call, before it did anything. */
const isSessionRefused = (status: number, problem: unknown): boolean =>
  status === 401 &&
  /^(session-expired|session-refused|unauthenticated)$/.test(
    String((problem as { code?: unknown } | null)?.code),
  );

/** A smaller difference may come from whole seconds in `Date` and the time in transit. */
const clockNoiseMs = 2000;

/** Returns the milliseconds by which an answer's `Date` is ahead of `now`; 0 if not known. */
function measureClockSkew(date: string | null, now: number): number {
  const difference = Date.parse(date ?? '') - now;
  return Math.abs(difference) > clockNoiseMs ? difference : 0;
}

const makeClipQuery = ({ project, folder }: ClipAddress): URLSearchParams =>
  new URLSearchParams(
    folder ? { project_id: project, folder_id: folder } : { project_id: project },
  );

/**
 * The token in an answer of `csrf-url`: JSON `{token}`, `{csrf_token}`, `{csrfToken}` or `{nonce}`,
 * a JSON string, or plain text.
 */
function readCsrfToken(body: unknown, text: string): string | null {
  const found =
    typeof body === 'object' && body !== null
      ? ['token', 'csrf_token', 'csrfToken', 'nonce']
          .map((key) => (body as Record<string, unknown>)[key])
          .find((value) => typeof value === 'string')
      : // A text of digits only is valid JSON, too.
        typeof body === 'string'
        ? body
        : text;
  // A text that cannot be a header's value is not a token but, for example, an HTML page.
  return typeof found === 'string' && /^[\x21-\x7e]{1,4096}$/.test(found.trim())
    ? found.trim()
    : null;
}

/**
 * An endpoint in one spelling. Addresses that differ only in a final slash or question mark are one
 * backend, where an export must not be paid for again under the other spelling.
 */
export function normalizeEndpoint(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  url.hash = '';
  // Assigning the empty search removes a final "?".
  url.search = `${url.search}`;
  return url.href;
}
