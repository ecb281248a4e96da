import type { TokenAnswer } from '../contract/host.ts';
import { renewalDelay, tokenEnd } from '../flow/token-renewal.ts';
import type { HostAnswer, HostClient } from './host-client.ts';

export interface TokenGrant {
  readonly token: string;
  /** When it ends, in milliseconds of this page's clock; null where nobody says. */
  readonly end: number | null;
  /** When it is to be renewed, likewise. */
  readonly renewAt: number | null;
}

/** A grant for a token received now. `expiresAt` in milliseconds of the server's clock; `skew`: that clock minus this one. */
export const grantOf = (token: string, expiresAt: number | null, skew: number): TokenGrant => {
  const now = Date.now();
  const end = tokenEnd(token, expiresAt, skew, now);
  const delay = renewalDelay(end, now);
  return { token, end, renewAt: delay === null ? null : now + delay };
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
    if (kept && kept.token !== stale && (kept.renewAt === null || Date.now() < kept.renewAt)) {
      return kept;
    }
    const pending = this.#pending.get(project) ?? this.#request(project, stale !== undefined);
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

  #request(project: string, fresh: boolean): Pending {
    const request = new AbortController();
    const grant = this.#ask(project, request.signal, fresh).then(({ value, skew }) => {
      const { external_access_token: token, expires_at: end } = value;
      const fresh = grantOf(token, end === null ? null : Date.parse(end), skew);
      this.#grants.set(project, fresh);
      return fresh;
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
