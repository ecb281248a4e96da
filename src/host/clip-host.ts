import { ServiceClient, type ServiceClientOptions } from '../client/service-client.ts';
import { AccessTokens } from './access-tokens.ts';
import { AuditTrail, type HostAuditEntry } from './audit.ts';
import { crossOriginHeaders, preflightResponse } from './cross-origin.ts';
import { ExportStarts } from './export-starts.ts';
import { ExportWatch, type HoldLimits } from './export-watch.ts';
import { HostProblem } from './host-problem.ts';
import type { HostUser } from './host-user.ts';
import { ManagedUsers } from './managed-users.ts';
import { memoryStore } from './memory-store.ts';
import type { Authorize, ChooseExportOptions, HostAsk } from './policy.ts';
import { memoryRateLimit, type RateKind, type RateLimit, type RateLimits } from './rate-limit.ts';
import { matchRoute } from './routes.ts';
import { isTrustedOrigin } from './same-origin.ts';
import { ServiceVariant, type ServiceVariantOptions } from './service-variant.ts';
import type { HostStore } from './store.ts';
import { upstreamProblem } from './upstream-problem.ts';

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

export interface ClipHostOptions<User extends HostUser = HostUser> {
  /** The service and the organization's key for it, or a ready client. */
  readonly service: ServiceClient | ServiceClientOptions;
  /** Who is logged in, by the site's own session; null for nobody. */
  readonly authenticate: (request: Request) => User | null | Promise<User | null>;
  /** Path at which the host is mounted, such as `/clips`. Requests outside of it are answered 404. */
  readonly basePath: string;
  /** Where managed users and attempt keys are kept; in this process's memory by default, which is said once. */
  readonly store?: HostStore;
  /** Further origins whose pages may call, such as `https://www.example.com`; also the site's public origin behind a proxy that hides it. */
  readonly origins?: readonly string[];
  /** `redirect` (default) sends the browser to the export's public URL, `stream` hands the file through. */
  readonly download?: 'redirect' | 'stream';
  /** May this user do this, with this clip? By default a logged-in user may do everything with what is theirs. */
  readonly authorize?: Authorize<User>;
  /** The watermark or the preset that is sent, whatever the page asked for. By default what it asked for. */
  readonly exportOptions?: ChooseExportOptions<User>;
  /** How much a user may do: rates, a counter of the site's own, or `false` for no limit. By default 600 requests and 30 new exports a minute, bursts aside. */
  readonly rateLimit?: RateLimits | RateLimit | false;
  /** How many requests may be held at a time. */
  readonly held?: HoldLimits;
  /** In what the service's deployment differs from another, where it is known; what is left out is found out. */
  readonly variant?: ServiceVariantOptions;
  /** Gets one entry for everything that costs something or lets something out. */
  readonly audit?: (entry: HostAuditEntry) => void | Promise<void>;
  readonly log?: (entry: HostLogEntry) => void;
  readonly now?: () => number;
}

/** The host's handler. */
export interface ClipHost {
  (request: Request): Promise<Response>;
  /**
   * Ends every held request with what is known, and resolves when all that are being answered have their answer. Requests
   * after it are still answered, unheld.
   */
  close(): Promise<void>;
}

const logToConsole = (entry: HostLogEntry): void => {
  if (entry.level !== 'info') console[entry.level](`clip-kit/host: ${entry.message}`);
};

/**
 * Makes the backend that a site mounts: it answers the host contract for the elements, with the key on this side.
 * Throws a `TypeError` for options that cannot work.
 */
export const createClipHost = <User extends HostUser>(options: ClipHostOptions<User>): ClipHost => {
  const { authenticate, authorize, origins = [], log = logToConsole, now = Date.now } = options;
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
  const users = new ManagedUsers(service, store, now);
  const variant = new ServiceVariant(service, options.variant);
  const watch = new ExportWatch(
    (onBehalfOf) => service.listExports({}, { onBehalfOf }),
    now,
    options.held,
  );
  const limit = rateLimitOf(options.rateLimit, now);
  const parts = {
    service,
    variant,
    users,
    watch,
    tokens: new AccessTokens(users, now),
    starts: new ExportStarts(service, variant, users, store, now),
    download: options.download ?? 'redirect',
    exportOptions: options.exportOptions as ChooseExportOptions | undefined,
  };
  let answering = 0;
  const closing = new Set<() => void>();

  const take = async (user: User, kind: RateKind): Promise<void> => {
    const wait = (await limit?.take(user.id, kind)) ?? 0;
    if (wait > 0) {
      throw new HostProblem('rate-limited', {
        detail: 'Too much at once. Wait a moment.',
        headers: { 'Retry-After': String(Math.ceil(wait / 1000)) },
      });
    }
  };

  const answer = async (request: Request, url: URL, audit: AuditTrail): Promise<Response> => {
    const route = matchRoute(request.method, url.pathname, basePath);
    if (request.method !== 'GET' && !isTrustedOrigin(request, origins)) {
      throw new HostProblem('forbidden', {
        detail: 'The request came from a page of another site.',
      });
    }
    const user = await authenticate(request);
    if (!user) throw new HostProblem('unauthenticated');
    await take(user, 'request');
    return route.answer({
      ...parts,
      request,
      url,
      audit,
      hostUser: user.id,
      ids: route.ids,
      async allow(action, projectId = null, folderId = null): Promise<HostAsk<User>> {
        const ask = { user, action, projectId, folderId, request };
        if (action !== 'read') audit.begin({ user: user.id, action, projectId, folderId });
        if (authorize && !(await authorize(ask))) {
          throw new HostProblem('forbidden', { detail: 'You may not do this.' });
        }
        return ask;
      },
      pay: () => take(user, 'paid'),
    });
  };

  /** A site's own function that fails must not fail the request that is done by then. */
  const tell = async (entry: HostAuditEntry | null): Promise<void> => {
    if (!entry || !options.audit) return;
    try {
      await options.audit(entry);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'no reason known';
      log({ level: 'error', event: 'failure', message: `audit: ${reason}` });
    }
  };

  const handle = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (request.method === 'OPTIONS') return preflightResponse(request, origins);
    const began = now();
    const audit = new AuditTrail();
    let response: Response;
    let problem: HostProblem | null = null;
    try {
      response = await answer(request, url, audit);
    } catch (cause) {
      problem = upstreamProblem(cause, 'clip');
      const { code } = problem;
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
    void tell(audit.entry(now(), problem));
    for (const [name, value] of Object.entries(crossOriginHeaders(request, origins))) {
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
      ...(problem ? { code: problem.code } : {}),
    });
    return response;
  };

  const counted = async (request: Request): Promise<Response> => {
    answering++;
    try {
      return await handle(request);
    } finally {
      if (!--answering) for (const closed of closing) closed();
    }
  };

  return Object.assign(counted, {
    async close(): Promise<void> {
      watch.close();
      if (answering) await new Promise<void>((resolve) => closing.add(resolve));
    },
  });
};

const rateLimitOf = (
  given: ClipHostOptions['rateLimit'],
  now: () => number,
): RateLimit | undefined => {
  if (given === false) return undefined;
  return given && 'take' in given ? given : memoryRateLimit(given, now);
};
