import type { ClipError } from './clip-error.ts';
import type { HostClientOptions } from './host-client.ts';
import { pageHost } from './page-host.ts';
import {
  obtainToken,
  TokenKeeper,
  type GetToken,
  type Renewal,
  type TokenSource,
} from './token-keeper.ts';
import { grantOf, isDue, tokenStore, type TokenGrant } from './token-store.ts';

/** Where a clip's token comes from: the page's own function, else the endpoint. */
export interface PageTokenSource {
  readonly project: string;
  readonly getToken: GetToken | null;
  readonly host: HostClientOptions | null;
}

export interface PageTokenListener {
  /** A new token is there. `end`: when it ends, in milliseconds of this page's clock; null where nobody says. */
  renewed(token: string, end: number | null): void;
  failing(error: ClipError): void;
}

/** The token of one embed: obtained, or taken from the page, and renewed for as long as the embed is shown. */
export class PageToken {
  readonly #listener: PageTokenListener;
  /** A grant is good only for the clip and the source that it was given for. */
  #source: TokenSource | null = null;
  #grant: TokenGrant | null = null;
  #keeper: TokenKeeper | null = null;
  #keeping: AbortController | null = null;

  constructor(listener: PageTokenListener) {
    this.#listener = listener;
  }

  /**
   * The token to load with. `given`: one that the page has for this project; used unless it has ended or is `stale`.
   * `keep`: whether it is renewed from now on. Rejects with a {@link ClipError}, or the signal's reason.
   */
  async obtain(
    { project, getToken, host }: PageTokenSource,
    options: { given: string | null; stale: boolean; keep: boolean },
    signal: AbortSignal,
  ): Promise<string> {
    this.end();
    const source = {
      project,
      getToken,
      store: host && !getToken ? tokenStore(pageHost(host)) : null,
    };
    const same = this.#source?.project === project && this.#source.store === source.store;
    const { given } = options;
    if (given) {
      if (given !== this.#grant?.token) {
        this.#grant = grantOf({ token: given, expiresAt: null, skew: null, fresh: false });
      }
    } else if (!same) this.#grant = null;
    this.#source = source;
    const old = this.#grant;
    const grant =
      old && !options.stale && !isDue(old) ? old : await obtainToken(source, signal, old?.token);
    this.#grant = grant;
    if (options.keep) {
      this.#keeping = new AbortController();
      const listener: Renewal = {
        renewed: (fresh) => {
          this.#grant = fresh;
          const { life, age } = fresh;
          this.#listener.renewed(fresh.token, life && Date.now() + life.ms - age());
        },
        failing: (error) => this.#listener.failing(error),
      };
      this.#keeper = new TokenKeeper(source, grant, this.#keeping.signal, listener);
    }
    return grant.token;
  }

  /** Renews at once; false where nothing is being kept. */
  renew(): boolean {
    this.#keeper?.now();
    return !!this.#keeper;
  }

  /** Ends the renewal. */
  end(): void {
    this.#keeping?.abort();
    this.#keeping = this.#keeper = null;
  }
}
