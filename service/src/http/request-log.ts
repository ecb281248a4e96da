import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import type { Log } from '../config/config.ts';
import type { AppEnv } from './methods.ts';

/** A path for the log, without the name of a file: it is what makes its address unguessable. */
export const loggedPath = (path: string): string =>
  path.replace(/^(\/files\/[^/]*\/[^/]*\/).+$/, '$1*').slice(0, 200);

/** An id of a proxy's that is fit for a header and the log. */
const givenId = /^[\w.:+/=-]{1,128}$/;

/** Gives each request an id (that of `X-Request-Id`, if it has one), and a line in the log. */
export const requestLog =
  (log: Log): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const began = performance.now();
    const given = c.req.header('x-request-id');
    const id = given !== undefined && givenId.test(given) ? given : randomUUID();
    c.set('requestId', id);
    (c.env['outgoing'] as ServerResponse | undefined)?.setHeader('X-Request-Id', id);
    await next();
    const { status } = c.res;
    log({
      event: 'request',
      ...(status >= 500 && { level: 'error' }),
      request: id,
      method: c.req.raw.method,
      path: loggedPath(c.req.path),
      status,
      ms: Math.round(performance.now() - began),
    });
  };
