import { countExportsSince } from './exports/export-call.ts';
import {
  answerPreflight,
  type CrossOrigin,
  getBrowserOrigin,
  isTrustedOrigin,
  makeCrossOriginHeaders,
  mayBringSession,
} from './http/cross-origin.ts';
import { type EditorLimits, editorLimitsSchema, listFieldErrors } from 'clip-kit/contract';
import { HostProblem, makeUpstreamProblem } from './http/host-problem.ts';
import { emptyQuerySchema, readQuery } from './http/json-body.ts';
import { type ClipHostOptions, type HostSettings, readOptions } from './options.ts';
import { createParts, type HostParts } from './parts.ts';
import { AuditTrail, type HostAction, type HostAsk } from './policy.ts';
import { downloadExport } from './routes/download.ts';
import type { RouteContext } from './routes/route-context.ts';
import { matchRoute } from './routes/routes.ts';
import type { GrantedDownload } from './sessions/download-grant.ts';
import type { Session, SessionPermission } from './sessions/sessions.ts';
import {
  accountHeader,
  checkAccount,
  checkUser,
  type HostUser,
  makeAccountTag,
} from './users/account-tag.ts';

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

/**
 * Creates the backend that a site mounts. It implements the host contract for the elements and
 * keeps the key on the server. Throws a `TypeError` for invalid options.
 */
export function createClipHost<User extends HostUser = HostUser>(
  options: ClipHostOptions<User>,
): ClipHost {
  const closing = new AbortController();
  const settings = readOptions(options as unknown as ClipHostOptions);
  const handler = new Handler(settings, createParts(settings, closing.signal));
  const open = new Set<Promise<Response>>();
  const answer = (request: Request, context?: unknown): Promise<Response> => {
    const answering = handler.handle(request, context);
    open.add(answering);
    return answering.finally(() => open.delete(answering));
  };
  return Object.assign(answer, {
    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(open);
      await Promise.all(handler.audits);
    },
  });
}

/** A request, with what the steps before have found. */
interface HostRequest {
  readonly request: Request;
  readonly url: URL;
  readonly began: number;
  readonly context: Partial<AnswerContext>;
  readonly audit: AuditTrail;
  /** Null until it is known. */
  user: HostUser | null;
  session: Session | null;
  granted: GrantedDownload | null;
  /** The reason of a refusal or failure. */
  problem: HostProblem | null;
}

type MatchedRoute = ReturnType<typeof matchRoute>;

/** The steps of an answer, in the order in which they are taken. */
class Handler {
  /** Audit entries that are being written. */
  readonly audits = new Set<Promise<void>>();
  readonly #settings: HostSettings;
  readonly #parts: HostParts;
  readonly #crossOrigin: CrossOrigin;

  constructor(settings: HostSettings, parts: HostParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#crossOrigin = { origins: settings.origins, withCookies: !settings.sessions };
  }

  async handle(request: Request, context: unknown): Promise<Response> {
    if (request.method === 'OPTIONS') return answerPreflight(request, this.#crossOrigin);
    const call: HostRequest = {
      request,
      url: new URL(request.url),
      began: this.#settings.now(),
      context: (context ?? {}) as Partial<AnswerContext>,
      audit: new AuditTrail(),
      user: null,
      session: null,
      granted: null,
      problem: null,
    };
    const response = await this.#answer(call).catch((cause: unknown) => this.#refuse(call, cause));
    this.#writeAudit(call);
    this.#addHeaders(call, response);
    this.#logAnswer(call, response);
    return response;
  }

  async #answer(call: HostRequest): Promise<Response> {
    const { request, url, context } = call;
    const { views, webhook } = this.#parts;
    const { basePath } = this.#settings;
    // The service sends it: its signature takes the place of a user and an origin.
    if (webhook && url.pathname === `${basePath}/webhook`) return webhook(request);
    const isViews = url.pathname === `${basePath}/views`;
    const route = isViews ? null : matchRoute(request.method, url.pathname, basePath);
    this.#checkOrigin(call, isViews);
    if (!route) return views(request, getVisitorAddress(request, context));
    const user = await this.#authenticate(call, route);
    if (!route.description.query) readQuery(url, emptyQuerySchema);
    return route.answer(this.#makeContext(call, user, route));
  }

  /** Throws 403 for a page of another site. */
  #checkOrigin({ request }: HostRequest, isViews: boolean): void {
    const { sessions, origins } = this.#settings;
    const isWrite = !['GET', 'HEAD'].includes(request.method);
    const mayCome =
      sessions && !isViews
        ? mayBringSession(request, origins)
        : !isWrite || isTrustedOrigin(request, origins);
    if (mayCome) return;
    throw new HostProblem('forbidden', {
      detail: `The request came from a page of another site${readOriginText(request)}. Its origin must be among those of this host.`,
    });
  }

  /** Returns the user, whose request counts. Throws 401 if nobody is logged in. */
  async #authenticate(call: HostRequest, route: MatchedRoute): Promise<HostUser> {
    const user = await this.#findUser(call, route);
    if (!user) throw new HostProblem('unauthenticated');
    checkUser(user);
    call.user = user;
    checkAccount(call.request, user.id);
    this.#parts.limit.spend(user.id, 'request');
    return user;
  }

  async #findUser(
    call: HostRequest,
    { answer, ids: [id = ''] }: MatchedRoute,
  ): Promise<HostUser | null> {
    const { grants, sessions, authenticate } = this.#settings;
    const grant = call.url.searchParams.get('grant');
    if (grants && grant !== null && answer === downloadExport) {
      call.granted = await grants.open(grant, id);
      return { id: call.granted.hostUser };
    }
    if (!sessions) return authenticate!(call.request);
    call.session = await sessions.read(call.request);
    return { id: call.session.userId };
  }

  #makeContext(call: HostRequest, user: HostUser, { ids }: MatchedRoute): RouteContext {
    const { request, url, audit, session, granted } = call;
    const { context, watches, createWatches } = this.#parts;
    const ofDownload = (id: string, grant: string): string =>
      `${getBrowserOrigin(request)}${this.#settings.basePath}/exports/${encodeURIComponent(id)}/download?grant=${grant}`;
    return {
      ...context,
      ...(sharesNothing ? createWatches(new AbortController().signal) : watches),
      ...{ request, url, audit, session, granted, ids, ofDownload },
      hostUser: user.id,
      allow: (action, projectId = null, folderId = null) =>
        this.#allow(call, { user, action, projectId, folderId, request }),
      readEditorLimits: () => this.#readEditorLimits(call, user),
      callService: (subject, ask) =>
        context.users.with(user.id, ask).catch((cause: unknown) => {
          throw makeUpstreamProblem(cause, subject);
        }),
      pay: (kind) => this.#pay(call, user, kind),
    };
  }

  /** Throws 403 if the session or the site does not allow the action. */
  async #allow({ audit, session }: HostRequest, ask: HostAsk): Promise<HostAsk> {
    const { authorize } = this.#settings;
    const { user, action, projectId, folderId } = ask;
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
  }

  /** Returns what the user has of the editor. Throws a `TypeError` if the site says it wrongly. */
  async #readEditorLimits({ session }: HostRequest, user: HostUser): Promise<EditorLimits> {
    if (session) return session.editor;
    const read = editorLimitsSchema.safeParse((await this.#settings.editorLimits?.(user)) ?? {});
    if (read.success) return read.data;
    const [first] = listFieldErrors(read.error);
    throw new TypeError(`editorLimits returned invalid limits: ${first?.path} ${first?.message}`);
  }

  /** Counts a paid action. Throws 429 for too many at once, 402 for too many in a day. */
  async #pay({ session }: HostRequest, { id }: HostUser, kind: 'export' | 'task'): Promise<void> {
    const { now } = this.#settings;
    this.#parts.limit.spend(id, 'paid');
    const limit = session?.exportsPerDay ?? null;
    if (kind !== 'export' || limit === null) return;
    // The one to be started is among them.
    if ((await countExportsSince(this.#parts.context.records, id, now() - dayMs)) <= limit) return;
    throw new HostProblem('export-limit', {
      detail: `You have used your ${limit} exports of the last 24 hours.`,
    });
  }

  /** Returns the answer for a refusal or failure, and logs it. */
  #refuse(call: HostRequest, cause: unknown): Response {
    const { sessions, log } = this.#settings;
    const problem = (call.problem = makeUpstreamProblem(cause, 'clip'));
    const { code } = problem;
    // What the developer of the site has to know: the page gets no detail of it.
    if (sessions && ['session-refused', 'forbidden'].includes(code)) {
      log({ level: 'warn', event: 'refused', message: hideUploadIds(problem.message), code });
    }
    // Without a cause, it is an answer that any user can have again. If the client has
    // disconnected, nobody reads it.
    const { cause: reason } = problem.details;
    if (problem.status >= 500 && reason !== undefined && !call.request.signal.aborted) {
      const message = hideUploadIds(`${code}: ${readReason(reason)}`);
      log({ level: 'error', event: 'failure', message, code });
    }
    return problem.toResponse();
  }

  /** The request is already done, so an error in the site's audit function must not fail it. */
  #writeAudit({ audit, problem, context }: HostRequest): void {
    const { now, log, audit: write } = this.#settings;
    const entry = audit.entry(now(), problem);
    const writing = (async () => {
      if (entry) await write?.(entry);
    })().catch((cause: unknown) =>
      log({ level: 'error', event: 'failure', message: `audit: ${readReason(cause)}` }),
    );
    if (typeof context.waitUntil === 'function') context.waitUntil(writing);
    this.audits.add(writing);
    void writing.then(() => this.audits.delete(writing));
  }

  #addHeaders({ request, user }: HostRequest, { headers }: Response): void {
    if (user) headers.set(accountHeader, makeAccountTag(user.id));
    for (const [name, value] of Object.entries(
      makeCrossOriginHeaders(request, this.#crossOrigin),
    )) {
      headers.set(name, value);
    }
  }

  #logAnswer({ request, url, began, problem }: HostRequest, { status }: Response): void {
    const { log, now } = this.#settings;
    const { method } = request;
    const path = hideUploadIds(url.pathname);
    log({
      level: 'info',
      event: 'request',
      message: `${method} ${path} ${status}`,
      ...{ method, path, status },
      milliseconds: now() - began,
      ...(problem && { code: problem.code }),
    });
  }
}

const dayMs = 24 * 60 * 60 * 1000;

/** In a Worker, a request that touches a timer or a signal of another request fails. */
const sharesNothing = globalThis.navigator?.userAgent === 'Cloudflare-Workers';

/** Cloudflare writes the address into each request to a Worker, whatever the visitor has sent. */
const getVisitorAddress = (request: Request, { clientAddress }: Partial<AnswerContext>) =>
  clientAddress ?? (sharesNothing ? request.headers.get('CF-Connecting-IP') : null);

/** A path or message for the log: the id of an upload is an address that takes its bytes. */
const hideUploadIds = (text: string): string => text.replaceAll(/(\/uploads\/)[^\s/?:]+/g, '$1*');

const readReason = (cause: unknown): string =>
  cause instanceof Error ? cause.message : 'no reason known';

const permissionFor: Readonly<Record<HostAction, SessionPermission>> = {
  token: 'view',
  read: 'view',
  edit: 'edit',
  export: 'export',
  download: 'export',
  upload: 'upload',
  task: 'upload',
  delete: 'delete',
  share: 'share',
};

function readOriginText(request: Request): string {
  const origin = request.headers.get('Origin');
  return origin === null ? '' : ` (${origin.slice(0, 100)})`;
}
