import type { ServiceClient } from 'clip-kit/client';
import {
  attemptKeySchema,
  confirmedStartSchema,
  type EditorLimits,
  findLimitFaults,
  type Task,
} from 'clip-kit/contract';
import * as z from 'zod/mini';
import { answerHeaders, HostProblem, parseOrRefuse, type Subject } from '../http/host-problem.ts';
import { readJson } from '../http/json-body.ts';
import type { AccessTokens } from '../users/access-tokens.ts';
import type { AuditTrail, Authorize, ChooseExportOptions, HostAction, HostAsk } from '../policy.ts';
import type { ExportWatch } from '../exports/export-watch.ts';
import type { PaidStarts } from '../paid-starts/paid-starts.ts';
import type { ServiceVariant } from '../service-variant.ts';
import type { HostRecords } from '../stores/records.ts';
import type { HeldReads } from '../holds.ts';
import type { TaskList, TaskPage } from '../tasks/task-list.ts';
import type { DownloadGrants, GrantedDownload } from '../sessions/download-grant.ts';
import type { Session } from '../sessions/sessions.ts';

/** The parts of the host for one request of one logged-in user. */
export interface RouteContext {
  readonly request: Request;
  readonly url: URL;
  /** The ids in the path, in order. */
  readonly ids: readonly string[];
  readonly hostUser: string;
  readonly service: ServiceClient;
  readonly records: HostRecords;
  readonly now: () => number;
  readonly variant: ServiceVariant;
  readonly tokens: AccessTokens;
  readonly starts: PaidStarts;
  readonly watch: ExportWatch;
  readonly taskWatch: HeldReads<Task>;
  /** By the JSON of a `TaskPageQuery`. */
  readonly taskListWatch: HeldReads<TaskPage>;
  readonly taskList: TaskList;
  /** Returns the address of the file of an export, with the grant that replaces a session. */
  readonly ofDownload: (exportId: string, grant: string) => string;
  readonly exportOptions: ChooseExportOptions | undefined;
  /** Decides who may watch clips of others; undefined: no one. */
  readonly mayWatch: Authorize | undefined;
  /** Decides who may share own clips; undefined: only sessions with that permission. */
  readonly mayShare: Authorize | undefined;
  /** Null for a user of the site's own cookie. */
  readonly session: Session | null;
  /** The download that the address allows, if it was signed for one; otherwise null. */
  readonly granted: GrantedDownload | null;
  /** Null where users have no session, and links carry their cookie. */
  readonly grants: DownloadGrants | null;
  readonly audit: AuditTrail;
  /** Checks the policies. Throws 403 if the user is not allowed to do this. */
  allow(action: HostAction, projectId?: string | null, folderId?: string | null): Promise<HostAsk>;
  readonly readEditorLimits: () => Promise<EditorLimits>;
  /**
   * Makes calls to the service for the user. Throws the problem that the page gets if one fails,
   * which is about the subject.
   */
  callService<T>(subject: Subject, call: (onBehalfOf: string) => Promise<T>): Promise<T>;
  /** Counts one new paid action. Throws 429 for too many at once, 402 for too many in a day. */
  readonly pay: (kind: 'export' | 'task') => Promise<void>;
}

export type Answer = (context: RouteContext) => Promise<Response>;

export const makeJsonResponse = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { ...answerHeaders, ...headers, 'Content-Type': 'application/json' },
  });

/** Throws 403 with each of the fields that the limits of the editor do not allow to change. */
export function requireWithinLimits(
  limits: EditorLimits,
  changed: Readonly<Record<string, unknown>>,
): void {
  const errors = findLimitFaults(limits, changed);
  if (errors.length === 0) return;
  const faults = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new HostProblem('forbidden', { detail: `You may not change this. ${faults}.`, errors });
}

/** `GET /account`: nothing but the headers of every answer. */
export const readAccount: Answer = async ({ allow }) => {
  await allow('read');
  return new Response(null, { status: 204, headers: answerHeaders });
};

/** Reads the `Idempotency-Key` of a request. Throws 400 if it is missing. */
export function readAttemptKey(request: Request): string {
  const key = attemptKeySchema.safeParse(request.headers.get('Idempotency-Key'));
  if (key.success) return key.data;
  const message = 'must be 8 to 128 characters of A-Z a-z 0-9 . _ -, one for each intent to pay';
  throw new HostProblem('invalid-request', {
    detail: `Idempotency-Key ${message}.`,
    errors: [{ path: 'Idempotency-Key', message }],
  });
}

/**
 * Reads a paid start: its key, what is asked for, and the time of the earlier start that a person
 * wants to be sent again, in milliseconds since 1970, or null.
 */
export async function readStart(
  request: Request,
): Promise<{ key: string; confirmed: number | null; asked: unknown }> {
  const key = readAttemptKey(request);
  const body = await readJson(request);
  if (!Object.hasOwn(Object(body), 'confirmed_start')) return { key, confirmed: null, asked: body };
  const { confirmed_start, ...asked } = body as Record<string, unknown>;
  const { confirmed_start: at } = parseOrRefuse(
    z.object({ confirmed_start: confirmedStartSchema }),
    { confirmed_start },
  );
  return { key, confirmed: at === undefined ? null : Date.parse(at), asked };
}
