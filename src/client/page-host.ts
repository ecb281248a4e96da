import { normalEndpoint } from './endpoint.ts';
import { sessionGetters } from './get-session.ts';
import { HostClient, type HostClientOptions } from './host-client.ts';
import { sessionAt, SessionSource } from './session.ts';

/** The settings of a page's calls to its host. */
export interface PageHostOptions extends Omit<HostClientOptions, 'session'> {
  /**
   * Absolute URL at which the site answers with the session of its user, or `getSession`: the
   * page's own function does.
   */
  readonly session?: string | null;
}

const clients = new Map<string, HostClient>();
const sources = new Map<string, SessionSource>();

/** The session that all elements of the page share; null if its host needs none. */
function sessionOf({ endpoint, session }: PageHostOptions): SessionSource | null {
  if (!session) return null;
  const isFunction = session === 'getSession';
  const key = isFunction ? endpoint : session;
  let source = sources.get(key);
  if (!source) {
    source = new SessionSource(
      isFunction ? () => sessionGetters.get(endpoint)!() : sessionAt(session),
    );
    sources.set(key, source);
  }
  return source;
}

/** The client for these settings, shared by the whole page, and so are its tokens and exports. */
export function pageHost(options: PageHostOptions): HostClient {
  const { endpoint, credentials, csrfHeader, csrfToken, csrfUrl, session } = options;
  const key = JSON.stringify([
    normalEndpoint(endpoint),
    credentials,
    csrfHeader,
    csrfToken,
    csrfUrl,
    session,
  ]);
  let client = clients.get(key);
  if (!client) {
    client = new HostClient({ ...options, session: sessionOf(options) });
    clients.set(key, client);
  }
  return client;
}
