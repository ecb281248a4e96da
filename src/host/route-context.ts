import type { ServiceClient } from '../client/service-client.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { ExportStarts } from './export-starts.ts';
import type { ExportWatch } from './export-watch.ts';
import type { ManagedUsers } from './managed-users.ts';

/** What a route is given to answer one request of one logged-in user. */
export interface RouteContext {
  readonly request: Request;
  readonly url: URL;
  /** The ids in the path, in their order. */
  readonly ids: readonly string[];
  readonly hostUser: string;
  readonly service: ServiceClient;
  readonly users: ManagedUsers;
  readonly tokens: AccessTokens;
  readonly starts: ExportStarts;
  readonly watch: ExportWatch;
  readonly download: 'redirect' | 'stream';
}

export type Answer = (context: RouteContext) => Promise<Response>;

export const jsonResponse = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
