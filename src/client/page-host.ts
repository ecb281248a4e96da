import { sessionGetters } from './page-state.ts';
import { isAccountNamed } from './account.ts';
import { isClipError } from './clip-error.ts';
import { retryDelay } from '../flow/poll-schedule.ts';
import { onReturn, Pause } from './pause.ts';
import { HostClient, type HostClientOptions, normalizeEndpoint } from './host-client.ts';
import { fetchSessions, SessionSource } from './session.ts';
import { HttpError } from './errors.ts';

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
function getSession({ endpoint, session }: PageHostOptions): SessionSource | null {
  if (!session) return null;
  const isFunction = session === 'getSession';
  const key = isFunction ? endpoint : session;
  let source = sources.get(key);
  if (!source) {
    source = new SessionSource(
      isFunction ? () => sessionGetters.get(endpoint)!() : fetchSessions(session),
    );
    sources.set(key, source);
  }
  return source;
}

/** The client for these settings, shared by the whole page, and so are its tokens and exports. */
export function getPageHost(options: PageHostOptions): HostClient {
  const { endpoint, credentials, csrfHeader, csrfToken, csrfUrl, session } = options;
  const key = JSON.stringify([
    normalizeEndpoint(endpoint),
    credentials,
    csrfHeader,
    csrfToken,
    csrfUrl,
    session,
  ]);
  let client = clients.get(key);
  if (!client) {
    client = new HostClient({ ...options, session: getSession(options) });
    clients.set(key, client);
  }
  return client;
}

/** Callers that wait for an endpoint's host to name the account. */
const waiting = new Map<string, Set<AbortSignal>>();

const isRefusal = (cause: unknown): boolean =>
  cause instanceof HttpError
    ? cause.status < 500 && cause.status !== 429
    : isClipError(cause) && cause.code === 'signed-out';

/** Gets the host to name the account, with one request for the whole page, or none if one runs. */
export async function askAccount(host: HostClient, signal: AbortSignal): Promise<void> {
  const { endpoint } = host;
  const others = waiting.get(endpoint);
  if (others) {
    others.add(signal);
    return;
  }
  const signals = new Set([signal]);
  waiting.set(endpoint, signals);
  const pause = new Pause();
  const life = new AbortController();
  onReturn(() => pause.wake(), life.signal);
  try {
    for (let failures = 1; ; failures++) {
      const cause: unknown = await host.nextAnswer().then(
        () => null,
        (reason: unknown) => reason,
      );
      if (isAccountNamed(endpoint) || [...signals].every(({ aborted }) => aborted)) return;
      const jitter = Math.random();
      const { hidden } = document;
      // While no user is signed in, only a return to the page may change that.
      const delayMs = isRefusal(cause)
        ? null
        : retryDelay({ failures, retryAfter: null, hidden, jitter });
      await pause.for(delayMs, life.signal);
    }
  } finally {
    life.abort();
    waiting.delete(endpoint);
  }
}
