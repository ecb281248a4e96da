import type { HostClientOptions } from './host-client.ts';
import { pageHost } from './page-host.ts';
import { obtainToken, TokenKeeper, type GetToken, type TokenSource } from './token-keeper.ts';
import { grantOf, tokenStore } from './token-store.ts';

export { grantOf, obtainToken, TokenKeeper };

/** Where tokens come from: the page's own function, else the endpoint. */
export const tokenSource = (
  project: string,
  getToken: GetToken | null,
  options: HostClientOptions | null,
): TokenSource => ({
  project,
  getToken,
  store: options && !getToken ? tokenStore(pageHost(options)) : null,
});
