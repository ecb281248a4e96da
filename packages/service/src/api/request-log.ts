import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import {
  getRequestContext,
  runInSpan,
  updateSpan,
  withRequestContext,
} from '../telemetry/tracing.ts';
import type { Log } from '../config/config.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { AppEnv } from './methods.ts';

/** A path for the log, without what makes an address unguessable: a file's name, an upload's id. */
export const hidePath = (path: string): string =>
  path
    .replace(/^(\/files\/[^/]*\/[^/]*\/).+$/, '$1*')
    .replace(/^((?:\/v2|\/host(?:\/[^/]+)?)?\/uploads\/)[^/]+/, '$1*')
    .slice(0, 200);

/** An id of a proxy's that is fit for a header and the log. */
const givenId = /^[\w.:+/=-]{1,128}$/;

/** Whether users can have it answered as they like: an unknown format, a failed export. */
const isAnswer = (status: number): boolean => status === 501 || status === 504;

/** Assigns each request an id (that of `X-Request-Id`, if sent), and logs it. */
export const requestLog =
  ({ log, metrics }: { log: Log; metrics: Metrics | null }): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const began = performance.now();
    const given = c.req.header('x-request-id');
    const id = given !== undefined && givenId.test(given) ? given : randomUUID();
    c.set('requestId', id);
    (c.env['outgoing'] as ServerResponse | undefined)?.setHeader('X-Request-Id', id);
    const { method } = c.req.raw;
    async function answer(): Promise<void> {
      await next();
      const { status } = c.res;
      const ms = performance.now() - began;
      // Of the handler that came last, which has answered.
      const route = status === 404 && c.req.routePath.endsWith('*') ? 'none' : c.req.routePath;
      const held = c.req.header('prefer') !== undefined;
      metrics?.request({ method, route, status, seconds: ms / 1000, held });
      const isFault = status >= 500 && !isAnswer(status);
      updateSpan(() => {
        const { organization = '', user = '' } = getRequestContext();
        const facts = { 'http.route': route, 'http.response.status_code': status };
        const attributes = { ...facts, organization, user };
        return { name: `${method} ${route}`, attributes, failed: isFault };
      });
      log({
        event: 'request',
        ...(isFault && { level: 'error' }),
        method,
        path: hidePath(c.req.path),
        status,
        ms: Math.round(ms),
      });
    }
    const attributes = { 'http.request.method': method };
    await withRequestContext({ request: id }, () =>
      runInSpan(method, { kind: 'SERVER', parent: () => c.req.header(), attributes }, answer),
    );
  };
