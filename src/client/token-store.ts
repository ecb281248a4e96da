import type { HostClient } from './host-client.ts';
import { grantOf, isDue, type TokenGrant } from './token-grant.ts';

interface Pending {
  readonly grant: Promise<TokenGrant>;
  readonly request: AbortController;
  users: number;
}

/** The tokens of one host: one request for everyone who waits, kept in memory until due. */
export class TokenStore {
  readonly #client: HostClient;
  readonly #grants = new Map<string, TokenGrant>();
  readonly #pending = new Map<string, Pending>();

  constructor(client: HostClient) {
    this.#client = client;
  }

  /**
   * The token for a project's embed. `stale`: a token that must be replaced. A failure is not
   * remembered. The request is aborted when nobody waits for it any longer.
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
    const grant = this.#client.token(project, request.signal, replaces).then(({ value, skew }) => {
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
export function tokenStore(client: HostClient): TokenStore {
  let store = stores.get(client);
  if (!store) stores.set(client, (store = new TokenStore(client)));
  return store;
}
