import { ServiceClient, type ServiceClientOptions } from '../client/service-client.ts';
import { AccessTokens } from './access-tokens.ts';
import { crossOriginHeaders, preflightResponse } from './cross-origin.ts';
import { ExportStarts } from './export-starts.ts';
import { ExportWatch } from './export-watch.ts';
import { HostProblem } from './host-problem.ts';
import { ManagedUsers } from './managed-users.ts';
import { memoryStore } from './memory-store.ts';
import { matchRoute } from './routes.ts';
import { isTrustedOrigin } from './same-origin.ts';
import type { HostStore } from './store.ts';
import { upstreamProblem } from './upstream-problem.ts';

/** A logged-in user of the site. */
export interface HostUser {
  /** The site's own id of the user: stable, unique, and never taken from the request's body or query. */
  readonly id: string;
}

/** One thing that happened, for the site's log. Holds no key, token, cookie, body or query. */
export interface HostLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: 'request' | 'failure' | 'memory-store';
  readonly message: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly code?: string;
  readonly milliseconds?: number;
}

export interface ClipHostOptions {
  /** The service and the organization's key for it, or a ready client. */
  readonly service: ServiceClient | ServiceClientOptions;
  /** Who is logged in, by the site's own session; null for nobody. */
  readonly authenticate: (request: Request) => HostUser | null | Promise<HostUser | null>;
  /** Path at which the host is mounted, such as `/clips`. Requests outside of it are answered 404. */
  readonly basePath: string;
  /** Where managed users and attempt keys are kept; in this process's memory by default, which is said once. */
  readonly store?: HostStore;
  /** Further origins whose pages may call, such as `https://www.example.com`; also the site's public origin behind a proxy that hides it. */
  readonly origins?: readonly string[];
  /** `redirect` (default) sends the browser to the export's public URL, `stream` hands the file through. */
  readonly download?: 'redirect' | 'stream';
  readonly log?: (entry: HostLogEntry) => void;
  readonly now?: () => number;
}

/** The host's handler. `close` ends every held request with what is known; requests after it are still answered, unheld. */
export interface ClipHost {
  (request: Request): Promise<Response>;
  close(): void;
}

const logToConsole = (entry: HostLogEntry): void => {
  if (entry.level !== 'info') console[entry.level](`clip-kit/host: ${entry.message}`);
};

/**
 * Makes the backend that a site mounts: it answers the host contract for the elements, with the key on this side.
 * Throws a `TypeError` for options that cannot work.
 */
export const createClipHost = (options: ClipHostOptions): ClipHost => {
  const { authenticate, origins = [], log = logToConsole, now = Date.now } = options;
  const basePath = options.basePath.replace(/\/+$/, '');
  if (!/^(?:\/[^/?#]+)*$/.test(basePath)) {
    throw new TypeError('basePath must be a path such as "/clips"');
  }
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new TypeError(`origins: ${JSON.stringify(origin)} is not an origin`);
    }
  }
  const service =
    options.service instanceof ServiceClient ? options.service : new ServiceClient(options.service);
  if (!options.store) {
    log({
      level: 'warn',
      event: 'memory-store',
      message:
        'managed users and attempt keys are kept in memory and end with this process; pass a store to keep them',
    });
  }
  const store = options.store ?? memoryStore(now);
  const users = new ManagedUsers(service, store);
  const watch = new ExportWatch((onBehalfOf) => service.listExports({}, { onBehalfOf }), now);
  const parts = {
    service,
    users,
    watch,
    tokens: new AccessTokens(users, now),
    starts: new ExportStarts(service, users, store, now),
    download: options.download ?? 'redirect',
  };

  const answer = async (request: Request, url: URL): Promise<Response> => {
    const route = matchRoute(request.method, url.pathname, basePath);
    if (request.method !== 'GET' && !isTrustedOrigin(request, origins)) {
      throw new HostProblem('forbidden', {
        detail: 'The request came from a page of another site.',
      });
    }
    const user = await authenticate(request);
    if (!user) throw new HostProblem('unauthenticated');
    return route.answer({ ...parts, request, url, hostUser: user.id, ids: route.ids });
  };

  const handle = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (request.method === 'OPTIONS') return preflightResponse(request, origins);
    const began = now();
    let response: Response;
    let code: string | undefined;
    try {
      response = await answer(request, url);
    } catch (cause) {
      const problem = upstreamProblem(cause, 'clip');
      code = problem.code;
      response = problem.toResponse();
      // Nobody reads the answer of a request whose client has left, and nothing is wrong.
      if (problem.status >= 500 && !request.signal.aborted) {
        const reason = problem.details.cause;
        log({
          level: 'error',
          event: 'failure',
          message: `${problem.code}: ${reason instanceof Error ? reason.message : 'no reason known'}`,
          code,
        });
      }
    }
    for (const [name, value] of Object.entries({
      ...crossOriginHeaders(request, origins),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Cookie, Origin',
    })) {
      response.headers.set(name, value);
    }
    log({
      level: 'info',
      event: 'request',
      message: `${request.method} ${url.pathname} ${response.status}`,
      method: request.method,
      path: url.pathname,
      status: response.status,
      milliseconds: now() - began,
      ...(code ? { code } : {}),
    });
    return response;
  };

  return Object.assign(handle, { close: () => watch.close() });
};
