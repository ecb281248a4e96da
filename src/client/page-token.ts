import { isHurried, computeRenewalDelay } from '../flow/token-renewal.ts';
import { onReturn, Pause, limitTime } from './pause.ts';
import { ClipError } from './clip-error.ts';
import { toClipError } from './errors.ts';
import { makeGrant, isDue, startStopwatch, type TokenGrant } from './session.ts';
import { computeBackoff } from '../flow/poll-schedule.ts';
import { getPageHost, type PageHostOptions } from './page-host.ts';
import type { ClipLinks } from '../contract/links.ts';
import type { TokenAnswer } from '../contract/host.ts';
import { readDateText, readObject, makeOptionalOrNull, readPlain } from './host-answers.ts';
import type { HostAnswer, HostClient } from './host-client.ts';

export type GetToken = (context: { project: string; signal: AbortSignal }) => Promise<
  | string
  | {
      token: string;
      /** When the token ends. */
      expiresAt?: Date | string | number | null;
      /** Seconds until the token ends. Needs no clock, so it wins over `expiresAt`. */
      expiresIn?: number | null;
    }
>;

/** Where a clip's token comes from: the page's own function, otherwise the endpoint. */
export interface TokenSource {
  readonly project: string;
  readonly getToken: GetToken | null;
  readonly host: PageHostOptions | null;
  /** The requested secret: the token of an embed page, or the query that opens a private clip. */
  readonly kind: Kind;
}

export interface TokenListener {
  /** A new token. `end`: when it ends by this page's clock in milliseconds, null if not known. */
  renewed(token: string, end: number | null): void;
  /** Reports that renewal has failed for a while and the token has expired. Retries continue. */
  failing(error: ClipError): void;
}

/** The timeout of `getToken` in milliseconds. */
const getTokenMs = 15_000;

/** Consecutive failures before an error is shown, if the token has ended by then. */
const failuresToShow = 3;

/** The token of one embed: obtained, or given by the page, and renewed while the embed is shown. */
export class PageToken {
  readonly #listener: TokenListener;
  readonly #pause = new Pause();
  #source: TokenSource | null = null;
  #store: TokenStore | null = null;
  /** Only for the project and the store that it came from. */
  #grant: TokenGrant | null = null;
  /** Ends the renewal, or null. */
  #renewal: AbortController | null = null;
  #renewsNow = false;

  constructor(listener: TokenListener) {
    this.#listener = listener;
  }

  /**
   * The token to load with. `given`: one that the page has for this project; used unless it has
   * ended or is `stale`. `keep`: whether to renew it from now on. Rejects with a
   * {@link ClipError}, or the signal's reason.
   */
  async obtainToken(
    source: TokenSource,
    { given, stale, keep }: { given: string | null; stale: boolean; keep: boolean },
    signal: AbortSignal,
  ): Promise<string> {
    this.end();
    const { project, getToken, host, kind } = source;
    const store = host && !getToken ? getTokenStore(getPageHost(host), kind) : null;
    const same = this.#source?.project === project && this.#store === store;
    if (given) {
      if (given !== this.#grant?.token) {
        this.#grant = makeGrant({ token: given, expiresAt: null, skew: null, fresh: false });
      }
    } else if (!same) this.#grant = null;
    this.#source = source;
    this.#store = store;
    const old = this.#grant;
    const grant = old && !stale && !isDue(old) ? old : await this.#ask(signal, old?.token);
    this.#grant = grant;
    if (keep) {
      this.#renewal = new AbortController();
      this.#renewInTime(grant, this.#renewal.signal).catch(() => {});
    }
    return grant.token;
  }

  /** Renews at once; false if nothing is being renewed. */
  renew(): boolean {
    this.#renewsNow = true;
    this.#pause.wake();
    return !!this.#renewal;
  }

  /** Calls `retry` once a user is signed in, unless {@link end} is called before. */
  awaitSignIn(retry: () => void): void {
    const { host } = this.#source!;
    const { signal } = (this.#renewal = new AbortController());
    void getPageHost(host!).session?.signedIn(signal).then(retry);
  }

  /** Ends the renewal, and the wait for a user to sign in. */
  end(): void {
    this.#renewal?.abort();
    this.#renewal = null;
  }

  /** Renews before the end of the token, when the page returns, and on {@link renew}. */
  async #renewInTime(grant: TokenGrant, signal: AbortSignal): Promise<void> {
    onReturn(() => this.#pause.wake(), signal);
    this.#renewsNow = false;
    let failures = 0;
    let hurries = 0;
    let delayMs = computeRenewalDelay(grant.life);
    let waitedMs = grant.age;
    while (!signal.aborted) {
      const isWoken = await this.#pause.for(
        delayMs === null ? null : Math.max(0, Math.ceil(delayMs - waitedMs())),
        signal,
      );
      // After a failure, a return to the page or of the connection is the time to try again.
      const isDueNow = this.#renewsNow || (isWoken && failures > 0);
      if (!isDueNow && (delayMs === null || waitedMs() < delayMs)) continue;
      this.#renewsNow = false;
      try {
        hurries = isHurried(grant.life) ? hurries + 1 : 0;
        grant = await this.#ask(signal, grant.token);
        const { token, life, age } = grant;
        this.#grant = grant;
        failures = 0;
        delayMs = computeRenewalDelay(life, hurries);
        waitedMs = age;
        this.#listener.renewed(token, life && Date.now() + life.ms - age());
      } catch (cause) {
        signal.throwIfAborted();
        failures++;
        delayMs = computeBackoff(failures, Math.random());
        waitedMs = startStopwatch();
        if (failures >= failuresToShow && (!grant.life || grant.age() >= grant.life.ms)) {
          this.#listener.failing(cause as ClipError);
        }
      }
    }
  }

  /** A new grant. `stale`: the token that it replaces. */
  async #ask(signal: AbortSignal, stale?: string): Promise<TokenGrant> {
    const { project, getToken } = this.#source!;
    try {
      if (!getToken) return await this.#store!.get(project, signal, stale);
      const answer = await limitTime(getToken({ project, signal }), getTokenMs);
      signal.throwIfAborted();
      const given = typeof answer === 'string' ? { token: answer } : answer;
      const { token, expiresAt = null, expiresIn } = given;
      if (typeof token !== 'string' || !token) throw new TypeError('getToken gave no token');
      if (expiresIn! > 0)
        return { token, life: { ms: expiresIn! * 1000, sure: true }, age: startStopwatch() };
      const end = expiresAt === null ? NaN : new Date(expiresAt).getTime();
      return makeGrant({
        token,
        expiresAt: Number.isNaN(end) ? null : end,
        skew: null,
        fresh: stale !== undefined && token !== stale,
      });
    } catch (cause) {
      signal.throwIfAborted();
      const error = toClipError(cause);
      throw getToken && error.code === 'load-failed'
        ? new ClipError('token-failed', 'Access to this clip could not be obtained.', {
            cause,
            retryable: true,
          })
        : error;
    }
  }
}

interface Pending {
  readonly grant: Promise<TokenGrant>;
  readonly request: AbortController;
  users: number;
}

type Kind = 'token' | 'link';

type Ask = (
  client: HostClient,
  project: string,
  signal: AbortSignal,
  isFresh: boolean,
) => Promise<HostAnswer<TokenAnswer>>;

const linksReader = readObject<Pick<ClipLinks, 'player_url' | 'expires_at'>>({
  player_url: readPlain('string', (url: string) => URL.canParse(url)),
  expires_at: makeOptionalOrNull(readDateText),
});

const asks: Readonly<Record<Kind, Ask>> = {
  token: (client, ...call) => client.token(...call),
  link: async (client, project, signal) => {
    const path = `/projects/${encodeURIComponent(project)}/links`;
    const { value, ...answer } = await client.change<ClipLinks>(path, linksReader, {
      body: {},
      signal,
    });
    const { player_url, expires_at } = value;
    const external_access_token = new URL(player_url).search.slice(1);
    return { ...answer, value: { external_access_token, expires_at } };
  },
};

/** The tokens of one host: one request for everyone who waits, kept in memory until due. */
export class TokenStore {
  readonly #client: HostClient;
  readonly #ask: Ask;
  readonly #grants = new Map<string, TokenGrant>();
  readonly #pending = new Map<string, Pending>();

  constructor(client: HostClient, kind: Kind = 'token') {
    this.#client = client;
    this.#ask = asks[kind];
  }

  /**
   * The token for a project's embed. `stale`: a token that must be replaced. A failure is not
   * remembered. The request is aborted when its last caller has left.
   */
  async get(project: string, signal: AbortSignal, stale?: string): Promise<TokenGrant> {
    signal.throwIfAborted();
    const kept = this.#grants.get(project);
    if (kept && kept.token !== stale && !isDue(kept)) return kept;
    const pending = this.#pending.get(project) ?? this.#request(project, stale);
    pending.users++;
    const leave = () => {
      if (!--pending.users) pending.request.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      const grant = await pending.grant;
      signal.throwIfAborted();
      return grant;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #request(project: string, stale?: string): Pending {
    const request = new AbortController();
    const replaces = stale !== undefined;
    const asked = this.#ask(this.#client, project, request.signal, replaces);
    const grant = asked.then(({ value, skew }) => {
      const { external_access_token: token, expires_at: end } = value;
      const grant = makeGrant({
        token,
        expiresAt: end === null ? null : Date.parse(end),
        skew,
        fresh: replaces && token !== stale,
      });
      this.#grants.set(project, grant);
      return grant;
    });
    const pending = { grant, request, users: 0 };
    this.#pending.set(project, pending);
    const done = () => {
      if (this.#pending.get(project) === pending) this.#pending.delete(project);
    };
    grant.then(done, done);
    request.signal.addEventListener('abort', done);
    return pending;
  }
}

const stores: Readonly<Record<Kind, WeakMap<HostClient, TokenStore>>> = {
  token: new WeakMap(),
  link: new WeakMap(),
};

/** The store that all elements of the page share for a host. */
function getTokenStore(client: HostClient, kind: Kind): TokenStore {
  let store = stores[kind].get(client);
  if (!store) stores[kind].set(client, (store = new TokenStore(client, kind)));
  return store;
}
