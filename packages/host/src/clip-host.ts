import { ServiceClient, type ServiceClientOptions } from 'clip-kit/client';
import { AccessTokens, createTokenCall } from './users/access-tokens.ts';
import {
  accountHeader,
  makeAccountTag,
  checkAccount,
  checkUser,
  type HostUser,
} from './users/account-tag.ts';
import {
  AuditTrail,
  type Authorize,
  type ChooseExportOptions,
  type HostAction,
  type HostAsk,
  type HostAuditEntry,
} from './policy.ts';
import {
  getBrowserOrigin,
  checkOrigin,
  makeCrossOriginHeaders,
  isTrustedOrigin,
  mayBringSession,
  answerPreflight,
} from './http/cross-origin.ts';
import { ExportWatch } from './exports/export-watch.ts';
import { HeldReads, Holds } from './holds.ts';
import { HostProblem, makeUpstreamProblem } from './http/host-problem.ts';
import { ManagedUsers } from './users/managed-users.ts';
import { DownloadGrants, type GrantedDownload } from './sessions/download-grant.ts';
import {
  Sessions,
  type Session,
  type SessionOptions,
  type SessionPermission,
} from './sessions/sessions.ts';
import { countExportsSince } from './exports/export-call.ts';
import { type Permission, getTaskState, type ViewBatch } from 'clip-kit/contract';
import { memoryStore } from './stores/memory-store.ts';
import { PaidStarts } from './attempts/paid-starts.ts';
import { type RateKind, RateLimit } from './rate-limit.ts';
import { downloadExport } from './routes/download.ts';
import { matchRoute } from './routes/routes.ts';
import { ServiceVariant } from './service-variant.ts';
import type { HostStore } from './stores/store.ts';
import { isMovingPage, describePage, TaskList, type TaskPageQuery } from './tasks/task-list.ts';
import { Uploads } from './uploads.ts';
import { ViewsRoute } from './routes/views.ts';
import { WebhookRoute } from './routes/webhook.ts';

/** One event for the site's log. Contains no key, token, cookie, body or query. */
export interface HostLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: 'request' | 'refused' | 'failure' | 'memory-store' | 'user-replaced';
  readonly message: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly code?: string;
  readonly milliseconds?: number;
}

export interface ClipHostOptions<User extends HostUser = HostUser> {
  /** The service and the organization's key for it, or an existing client. */
  readonly service: ServiceClient | ServiceClientOptions;
  /**
   * The logged-in user according to the site's own cookie; null if no user is logged in. For a host
   * in the site's own process; otherwise `sessions`.
   */
  readonly authenticate?: (request: Request) => User | null | Promise<User | null>;
  /**
   * Takes the user from a session that the site signs, instead of `authenticate`. Cookies are not
   * read then, and pages of `origins` may call the host without them.
   */
  readonly sessions?: SessionOptions;
  /** Path at which the host is mounted, such as `/clips`. Requests outside of it get 404. */
  readonly basePath: string;
  /**
   * Where managed users and attempt keys are stored. By default in this process's memory; a warning
   * is logged once.
   */
  readonly store?: HostStore;
  /**
   * Other origins whose pages may call the host, such as `https://www.example.com`. Add the site's
   * public origin here if a proxy hides it.
   */
  readonly origins?: readonly string[];
  /**
   * Decides whether a user may do an action with a clip. By default a logged-in user may do
   * everything with their own clips.
   */
  readonly authorize?: Authorize<User>;
  /**
   * Chooses the watermark or preset to send, whatever the page requested. By default the page's own
   * options.
   */
  readonly exportOptions?: ChooseExportOptions<User>;
  /**
   * Decides whether a user may watch a private clip of another user, such as one of the site's own.
   * By default users may watch their own. `authorize` is called before, with the action `read`.
   */
  readonly mayWatch?: Authorize<User>;
  /**
   * Permissions of the embed tokens for the service's own pages, which do not apply the host's
   * policies; must contain `view`. By default only `view` beside `authorize`, `exportOptions` or
   * `audit`, otherwise all that the service gives.
   */
  readonly tokenPermissions?: readonly Permission[];
  /**
   * The secrets with which the service signs its webhooks, such as `whsec_…`. With them, the host
   * receives webhooks at `POST {basePath}/webhook`, and held requests end with the service's
   * notice. Pass several while you replace a secret.
   */
  readonly webhookSecrets?: readonly string[];
  /**
   * Receives the views of visitors from pages that set `views`: `POST {basePath}/views`. No user
   * need be signed in. With our service: `(batch) => service.sendViews(batch)`. Without it the
   * answer is 501.
   */
  readonly onViews?: (batch: ViewBatch) => void | Promise<void>;
  /** Receives one entry for every action that costs something or gives something out. */
  readonly audit?: (entry: HostAuditEntry) => void | Promise<void>;
  readonly log?: (entry: HostLogEntry) => void;
  readonly now?: () => number;
}

/** The part of a runtime's context of a request that the host uses. */
interface AnswerContext {
  waitUntil(work: Promise<unknown>): void;
  /** The IP address of the client. */
  readonly clientAddress: string;
}

/** The host's handler. */
export interface ClipHost {
  /**
   * Answers a request. `context`: of a runtime that ends with the answer, such as a Worker's. Its
   * `waitUntil` waits until the audit entry is written; its `clientAddress` is the address of the
   * visitor. Both are optional.
   */
  (request: Request, context?: unknown): Promise<Response>;
  /**
   * Ends every held request with the current state, and resolves when all open requests are
   * answered and all audit entries are written. Later requests are still answered, but not held.
   */
  close(): Promise<void>;
}

/** In a Worker, a request that touches a timer or a signal of another request fails. */
const sharesNothing = globalThis.navigator?.userAgent === 'Cloudflare-Workers';

function logToConsole(entry: HostLogEntry): void {
  if (entry.level !== 'info') console[entry.level](`clip-host: ${entry.message}`);
}

/** Cloudflare writes the address into each request to a Worker, whatever the visitor has sent. */
const getVisitorAddress = (request: Request, { clientAddress }: Partial<AnswerContext>) =>
  clientAddress ?? (sharesNothing ? request.headers.get('CF-Connecting-IP') : null);

/** A path or message for the log: the id of an upload is an address that takes its bytes. */
const hideUploadIds = (text: string): string => text.replaceAll(/(\/uploads\/)[^\s/?:]+/g, '$1*');

/**
 * Creates the backend that a site mounts. It implements the host contract for the elements and
 * keeps the key on the server. Throws a `TypeError` for invalid options.
 */
export function createClipHost<User extends HostUser = HostUser>(
  options: ClipHostOptions<User>,
): ClipHost {
  const { authenticate, authorize, origins = [], log = logToConsole, now = Date.now } = options;
  if (Boolean(authenticate) === Boolean(options.sessions)) {
    throw new TypeError('Give either sessions, or authenticate, to say who is logged in');
  }
  const sessions = options.sessions ? new Sessions(options.sessions, now) : null;
  const basePath = options.basePath.replace(/(?<!\/)\/+$/, '');
  if (!/^(?:\/[^/?#]+)*$/.test(basePath)) {
    throw new TypeError('basePath must be a path such as "/clips"');
  }
  for (const origin of origins) checkOrigin('origins', origin);
  const service =
    options.service instanceof ServiceClient ? options.service : new ServiceClient(options.service);
  if (!options.store) {
    log({
      level: 'warn',
      event: 'memory-store',
      message:
        'managed users and attempt keys are kept in memory and are lost when this process ends; pass a store to keep them',
    });
  }
  const store = options.store ?? memoryStore(now);
  const users = new ManagedUsers(service, store, {
    now,
    createToken: createTokenCall(service, {
      permissions: options.tokenPermissions,
      hasPolicies: Boolean(authorize ?? options.exportOptions ?? options.audit),
    }),
    replaced: (from, to) =>
      log({
        level: 'warn',
        event: 'user-replaced',
        message: `the service says that it has no user ${from}; ${to} was created instead, without its clips`,
      }),
  });
  const variant = new ServiceVariant(service);
  const holds = new Holds();
  const taskList = new TaskList({ service, store, now });
  const watches = (signal: AbortSignal) => ({
    watch: new ExportWatch(
      (onBehalfOf, ids) => variant.listExportsWith(ids, { onBehalfOf }),
      now,
      holds,
      signal,
    ),
    taskWatch: new HeldReads(
      {
        read: (onBehalfOf, id) => service.getTask(id, { onBehalfOf }),
        stateOf: getTaskState,
        isMoving: ({ status }) => status === 'processing',
      },
      holds,
      signal,
    ),
    taskListWatch: new HeldReads(
      {
        read: (managedUser, query) =>
          taskList.read(managedUser, JSON.parse(query) as TaskPageQuery),
        stateOf: describePage,
        isMoving: isMovingPage,
      },
      holds,
      signal,
    ),
  });
  const crossOrigin = { origins, withCookies: !sessions };
  const closing = new AbortController();
  const shared = watches(closing.signal);
  const limit = new RateLimit(now);
  const webhook = options.webhookSecrets?.length
    ? new WebhookRoute(options.webhookSecrets, now, (event) =>
        event.type === 'task.ready' || event.type === 'task.error'
          ? shared.taskWatch.notify(event.data.id, event.data)
          : shared.watch.notify(event.data),
      )
    : null;
  const parts = {
    service,
    variant,
    taskList,
    users,
    tokens: new AccessTokens(users, now),
    starts: new PaidStarts(users, store, now),
    store,
    now,
    uploads: new Uploads(service, users),
    exportOptions: options.exportOptions as ChooseExportOptions | undefined,
    mayWatch: options.mayWatch as Authorize | undefined,
  };
  const views = new ViewsRoute({
    onViews: options.onViews,
    secret: makeVisitorSecret(options),
    now,
    take: (visitor) => take(`visitor ${visitor}`, 'request'),
  });
  const grants = options.sessions ? new DownloadGrants(grantSecrets(options), now) : null;
  let answering = 0;
  const closed = new Set<() => void>();

  const signedIn = async (
    request: Request,
    url: URL,
    { answer, ids: [id = ''] }: ReturnType<typeof matchRoute>,
  ): Promise<{ user: User; session: Session | null; granted: GrantedDownload | null }> => {
    const grant = url.searchParams.get('grant');
    if (grants && grant !== null && answer === downloadExport) {
      const granted = await grants.open(grant, id);
      return { user: { id: granted.hostUser } as User, session: null, granted };
    }
    const session = (await sessions?.read(request)) ?? null;
    const user = session ? ({ id: session.userId } as User) : await authenticate!(request);
    if (!user) throw new HostProblem('unauthenticated');
    return { user, session, granted: null };
  };

  const take = (who: string, kind: RateKind): void => {
    const waitMs = limit.take(who, kind);
    if (waitMs > 0) {
      throw new HostProblem('rate-limited', {
        detail: 'Too many requests at once. Wait a moment, then try again.',
        headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
      });
    }
  };

  const answer = async (
    request: Request,
    url: URL,
    audit: AuditTrail,
    seen: (hostUser: string) => void,
    context: Partial<AnswerContext>,
  ): Promise<Response> => {
    // The service sends it: its signature takes the place of a user and an origin.
    if (webhook && url.pathname === `${basePath}/webhook`) return webhook.answer(request);
    const isViews = url.pathname === `${basePath}/views`;
    const route = isViews ? null : matchRoute(request.method, url.pathname, basePath);
    const isWrite = !['GET', 'HEAD'].includes(request.method);
    if (
      sessions && route
        ? !mayBringSession(request, origins)
        : isWrite && !isTrustedOrigin(request, origins)
    ) {
      throw new HostProblem('forbidden', {
        detail: `The request came from a page of another site${readOriginText(request)}. Its origin must be among those of this host.`,
      });
    }
    if (!route) {
      return views.answer(request, getVisitorAddress(request, context));
    }
    const { user, session, granted } = await signedIn(request, url, route);
    checkUser(user);
    seen(user.id);
    checkAccount(request, user.id);
    take(user.id, 'request');
    return route.answer({
      ...parts,
      ...(sharesNothing ? watches(new AbortController().signal) : shared),
      request,
      url,
      audit,
      hostUser: user.id,
      session,
      granted,
      grants,
      ofDownload: (id, grant) =>
        `${getBrowserOrigin(request)}${basePath}/exports/${encodeURIComponent(id)}/download?grant=${grant}`,
      ids: route.ids,
      async allow(action, projectId = null, folderId = null): Promise<HostAsk<User>> {
        const ask = { user, action, projectId, folderId, request };
        if (action !== 'read') audit.begin({ user: user.id, action, projectId, folderId });
        if (session && !session.permissions.has(permissionFor[action])) {
          throw new HostProblem('forbidden', {
            detail: `The session does not have the permission "${permissionFor[action]}".`,
          });
        }
        if (authorize && !(await authorize(ask))) {
          throw new HostProblem('forbidden', { detail: 'You are not allowed to do this.' });
        }
        return ask;
      },
      async pay(kind) {
        take(user.id, 'paid');
        const limit = session?.exportsPerDay ?? null;
        if (kind !== 'export' || limit === null) return;
        // The one to be started is among them.
        if ((await countExportsSince(store, user.id, now() - dayMs)) <= limit) return;
        throw new HostProblem('export-limit', {
          detail: `You have used your ${limit} exports of the last 24 hours.`,
        });
      },
    });
  };

  /** Entries that are being written. */
  const audits = new Set<Promise<void>>();

  /** The request is already done, so an error in the site's audit function must not fail it. */
  const writeAudit = async (entry: HostAuditEntry | null): Promise<void> => {
    if (!entry || !options.audit) return;
    try {
      await options.audit(entry);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'no reason known';
      log({ level: 'error', event: 'failure', message: `audit: ${reason}` });
    }
  };

  const handle: (...call: Parameters<ClipHost>) => Promise<Response> = async (request, context) => {
    const url = new URL(request.url);
    if (request.method === 'OPTIONS') return answerPreflight(request, crossOrigin);
    const began = now();
    const audit = new AuditTrail();
    const given = (context ?? {}) as Partial<AnswerContext>;
    let response: Response;
    let problem: HostProblem | null = null;
    let hostUser: string | null = null;
    try {
      response = await answer(request, url, audit, (id) => (hostUser = id), given);
    } catch (cause) {
      problem = makeUpstreamProblem(cause, 'clip');
      const { code } = problem;
      response = problem.toResponse();
      // What the developer of the site has to know: the page gets no detail of it.
      if (sessions && ['session-refused', 'forbidden'].includes(code)) {
        log({ level: 'warn', event: 'refused', message: hideUploadIds(problem.message), code });
      }
      // Without a cause, it is an answer that any user can have again. If the client has
      // disconnected, nobody reads it.
      const { cause: reason } = problem.details;
      if (problem.status >= 500 && reason !== undefined && !request.signal.aborted) {
        log({
          level: 'error',
          event: 'failure',
          message: hideUploadIds(
            `${problem.code}: ${reason instanceof Error ? reason.message : 'no reason known'}`,
          ),
          code,
        });
      }
    }
    const written = writeAudit(audit.entry(now(), problem));
    const { waitUntil } = given;
    if (typeof waitUntil === 'function') waitUntil.call(context, written);
    audits.add(written);
    void written.then(() => audits.delete(written));
    if (hostUser !== null) response.headers.set(accountHeader, makeAccountTag(hostUser));
    for (const [name, value] of Object.entries(makeCrossOriginHeaders(request, crossOrigin))) {
      response.headers.set(name, value);
    }
    const path = hideUploadIds(url.pathname);
    log({
      level: 'info',
      event: 'request',
      message: `${request.method} ${path} ${response.status}`,
      method: request.method,
      path,
      status: response.status,
      milliseconds: now() - began,
      ...(problem ? { code: problem.code } : {}),
    });
    return response;
  };

  const counted = async (...call: Parameters<ClipHost>): Promise<Response> => {
    answering++;
    try {
      return await handle(...call);
    } finally {
      if (!--answering) for (const resolve of closed) resolve();
    }
  };

  return Object.assign(counted, {
    async close(): Promise<void> {
      closing.abort();
      if (answering) await new Promise<void>((resolve) => closed.add(resolve));
      await Promise.all(audits);
    },
  });
}

const dayMs = 24 * 60 * 60 * 1000;

const permissionFor: Readonly<Record<HostAction, SessionPermission>> = {
  token: 'view',
  read: 'view',
  edit: 'edit',
  export: 'export',
  download: 'export',
  upload: 'upload',
  task: 'upload',
  delete: 'delete',
};

/**
 * Returns the secrets that sign the addresses of downloads. Throws a `TypeError` if there are none.
 */
function grantSecrets({ sessions, service }: Pick<ClipHostOptions, 'sessions' | 'service'>) {
  if (sessions?.secrets?.length) return sessions.secrets;
  if (!(service instanceof ServiceClient)) return [service.apiKey];
  throw new TypeError(
    'With publicKeys, give the service as {baseUrl, apiKey}: its key also signs the addresses of downloads',
  );
}

/**
 * Returns the secret for hashing the addresses of visitors: the same in all processes, if possible.
 */
const makeVisitorSecret = ({
  sessions,
  service,
}: Pick<ClipHostOptions, 'sessions' | 'service'>): string =>
  sessions?.secrets?.[0] ??
  (service instanceof ServiceClient ? crypto.randomUUID() : service.apiKey);

function readOriginText(request: Request): string {
  const origin = request.headers.get('Origin');
  return origin === null ? '' : ` (${origin.slice(0, 100)})`;
}
