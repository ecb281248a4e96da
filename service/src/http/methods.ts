import type { Handler, Hono } from 'hono';
import type { UserRow } from '../db/schema.ts';
import { ApiError } from './problem.ts';

/** What the authentication leaves for the routes: whose key it is, and for whom it acts. */
export interface AppEnv {
  Bindings: Record<string, unknown>;
  Variables: { owner: UserRow; user: UserRow; requestId: string };
}

/** Registers the handlers of one path; any other method of it is answered with 405 and `Allow`. */
export function methods(
  app: Hono<AppEnv>,
  path: string,
  handlers: Partial<Record<'GET' | 'POST' | 'DELETE', Handler<AppEnv>>>,
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
