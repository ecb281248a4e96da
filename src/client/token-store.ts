import type { TokenAnswer } from '../contract/host.ts';
import {
  renewalDelay,
  tokenLife,
  type ReceivedToken,
  type TokenLife,
} from '../flow/token-renewal.ts';
import type { HostAnswer, HostClient } from './host-client.ts';
import { stopwatch } from './stopwatch.ts';

export interface TokenGrant {
  readonly token: string;
  /** As of its receipt; null if nobody says. */
  readonly life: TokenLife | null;
  /** Milliseconds since its receipt. */
  readonly age: () => number;
}

/** A grant for a token received now. */
export const grantOf = (received: Omit<ReceivedToken, 'now'>): TokenGrant => ({
  token: received.token,
  life: tokenLife({ ...received, now: Date.now() }),
  age: stopwatch(),
});

/** Whether it is time to replace it. */
export const isDue = ({ life, age }: TokenGrant): boolean => {
  const delay = renewalDelay(life);
  return delay !== null && age() >= delay;
};

interface Pending {
  readonly grant: Promise<TokenGrant>;
  readonly request: AbortController;
  users: number;
}

type Ask = (
  project: string,
  signal: AbortSignal,
  fresh: boolean,
) => Promise<HostAnswer<TokenAnswer>>;

/** Tokens of one endpoint: one request for everybody who waits, kept in memory until it is time for another. */
export class TokenStore {
  readonly #ask: Ask;
  readonly #grants = new Map<string, TokenGrant>();
  readonly #pending = new Map<string, Pending>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /**
   * The token for a project's embed. `stale`: a token that is no good any more. A rejection is not remembered; the request
   * is aborted when nobody waits for it any longer.
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
    const grant = this.#ask(project, request.signal, replaces).then(({ value, skew }) => {
      const { external_access_token: token, expires_at: end } = value;
      const grant = grantOf({
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

const stores = new WeakMap<HostClient, TokenStore>();

/** The store that all embeds of the page share for a host. */
export const tokenStore = (client: HostClient): TokenStore => {
  let store = stores.get(client);
  if (!store) {
    store = new TokenStore((project, signal, fresh) => client.token(project, signal, fresh));
    stores.set(client, store);
  }
  return store;
};
