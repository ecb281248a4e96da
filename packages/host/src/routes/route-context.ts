import type { ServiceClient } from 'clip-kit/client';
import { answerHeaders } from '../http/answer-headers.ts';
import type { AccessTokens } from '../users/access-tokens.ts';
import type { AuditTrail } from '../audit.ts';
import type { ExportWatch } from '../exports/export-watch.ts';
import type { ManagedUsers } from '../users/managed-users.ts';
import type { PaidStarts } from '../attempts/paid-starts.ts';
import type { ChooseExportOptions, HostAction, HostAsk } from '../policy.ts';
import type { ServiceVariant } from '../service-variant.ts';
import type { HostStore } from '../stores/store.ts';
import type { Task } from 'clip-kit/contract';
import type { HeldReads } from '../tasks/held-reads.ts';
import type { TaskList, TaskPage } from '../tasks/task-list.ts';
import type { DownloadGrants, GrantedDownload } from '../sessions/download-grant.ts';
import type { Session } from '../sessions/sessions.ts';
import type { HostAddresses } from '../http/host-addresses.ts';
import type { Uploads } from '../uploads.ts';

/** What the host has for one request of one logged-in user. Each route says what it needs of it. */
export interface RouteContext {
  readonly request: Request;
  readonly url: URL;
  /** The ids in the path, in order. */
  readonly ids: readonly string[];
  readonly hostUser: string;
  readonly service: ServiceClient;
  readonly store: HostStore;
  readonly now: () => number;
  readonly variant: ServiceVariant;
  readonly users: ManagedUsers;
  readonly tokens: AccessTokens;
  readonly starts: PaidStarts;
  readonly watch: ExportWatch;
  readonly taskWatch: HeldReads<Task>;
  /** By the JSON of a `TaskPageQuery`. */
  readonly taskListWatch: HeldReads<TaskPage>;
  readonly taskList: TaskList;
  readonly uploads: Uploads;
  readonly addresses: HostAddresses;
  readonly download: 'redirect' | 'stream';
  readonly exportOptions: ChooseExportOptions | undefined;
  /** Null for a user of the site's own cookie. */
  readonly session: Session | null;
  /** The download that the address allows, if it was signed for one; otherwise null. */
  readonly granted: GrantedDownload | null;
  /** Null where users have no session, and links carry their cookie. */
  readonly grants: DownloadGrants | null;
  readonly audit: AuditTrail;
  /** Asks the policies. Throws 403 if the user may not do this. */
  allow(action: HostAction, projectId?: string | null, folderId?: string | null): Promise<HostAsk>;
  /** Counts one new paid action. Throws 429 for too many at once, 402 for too many in a day. */
  readonly pay: (kind: 'export' | 'task') => Promise<void>;
}

export type Answer<Needs extends keyof RouteContext = keyof RouteContext> = (
  context: Pick<RouteContext, Needs>,
) => Promise<Response>;

export const jsonResponse = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { ...answerHeaders, ...headers, 'Content-Type': 'application/json' },
  });
