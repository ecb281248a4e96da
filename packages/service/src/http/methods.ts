import type { Permission } from 'clip-kit/contract';
import type { Handler, Hono } from 'hono';
import type { UserRow } from '../db/schema.ts';
import { ApiError } from './problem.ts';

/** In the environment of a request that this process itself makes: for which owner. */
export const actsFor = Symbol('acts for');

/**
 * What the authentication leaves for the routes: whose key it is, for whom it acts, and what the
 * token of an embed page may do.
 */
export interface AppEnv {
  Bindings: Record<string, unknown> & { [actsFor]?: UserRow };
  Variables: {
    owner: UserRow;
    user: UserRow;
    permissions: readonly Permission[];
    requestId: string;
  };
}

/** Registers the handlers of one path; any other method of it is answered with 405 and `Allow`. */
export function methods(
  app: Hono<AppEnv>,
  path: string,
  handlers: Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Handler<AppEnv>>>,
): void {
  for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler);
  const allow = Object.keys(handlers).flatMap((name) =>
    name === 'GET' ? ['GET', 'HEAD'] : [name],
  );
  app.all(path, (c) => {
    throw new ApiError('method-not-allowed', `${c.req.method} is not a method of this address.`, {
      headers: { Allow: allow.join(', ') },
    });
  });
}
