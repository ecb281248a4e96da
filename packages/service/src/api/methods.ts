import { type EditorLimits, type Permission, waitSeconds } from 'clip-kit/contract';
import type { Context, Handler, Hono } from 'hono';
import type { UserRow } from '../db/schema.ts';
import { ApiError } from '../api-error.ts';
import type { Wait } from '../db/live-rows.ts';
import type { Changes } from '../operations/changes.ts';

/** In the environment of a request that this process itself makes: for which owner. */
export const actsFor = Symbol('acts for');

/**
 * The result of the authentication for the routes: the owner of the key, the user for whom it acts,
 * and the permissions and limits of an embed page's token.
 */
export interface AppEnv {
  Bindings: Record<string, unknown> & { [actsFor]?: UserRow };
  Variables: {
    owner: UserRow;
    user: UserRow;
    permissions: readonly Permission[];
    /** Undefined for the key of an organization, which has no limits. */
    editor: EditorLimits | undefined;
    requestId: string;
  };
}

/** Registers the handlers of one path; any other method of it is answered with 405 and `Allow`. */
export function addMethods(
  app: Hono<AppEnv>,
  path: string,
  handlers: Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Handler<AppEnv>>>,
): void {
  for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler);
  const allow = Object.keys(handlers).flatMap((name) =>
    name === 'GET' ? ['GET', 'HEAD'] : [name],
  );
  app.all(path, (c) => {
    throw new ApiError('method-not-allowed', `This address does not support ${c.req.method}.`, {
      headers: { Allow: allow.join(', ') },
    });
  });
}

/** Ends a held request: when its client goes away, or when the service stops. */
export const requestSignal = (c: Context, service: { closing: AbortSignal }): AbortSignal =>
  AbortSignal.any([c.req.raw.signal, service.closing]);

/** Each takes about 20 kB of this process, with its connection. */
const maxHeld = 10_000;

/**
 * Returns the wait that the client asks for with `Prefer: wait=N` (RFC 7240). If this process holds
 * its maximum, the request does not wait, and the client polls.
 */
export function readLongPoll(
  c: Context,
  service: { closing: AbortSignal; changes: Changes },
): Wait & { headers: Record<string, string> } {
  const seconds = service.changes.waiting < maxHeld ? waitSeconds(c.req.header('prefer')) : 0;
  if (seconds === 0) return { ms: 0, signal: service.closing, headers: {} };
  const headers = { 'Preference-Applied': `wait=${seconds}` };
  return { ms: seconds * 1000, signal: requestSignal(c, service), headers };
}
