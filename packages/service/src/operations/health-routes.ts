import type { Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import { ping } from '../db/open.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { ApiError, databaseGone } from '../http/problem.ts';
import { notReady } from './readiness.ts';

const noStore = { 'Cache-Control': 'no-store' };

/** `/livez`: 200 while the process answers at all. Asks nothing else. */
export function liveRoute(app: Hono<AppEnv>): void {
  app.get('/livez', (c) => c.json({ status: 'ok' }));
}

/** Throws while this process cannot do its work, or stops. */
export function refuseUnfit({ machine: { refusal } }: Pick<ServiceContext, 'machine'>): void {
  if (!refusal) return;
  throw new ApiError('service-unavailable', refusal.message, {
    reason: refusal.code,
    headers: { 'Retry-After': '10' },
  });
}

/** `/readyz`: 200 while database, storage and queue answer, and the machine can do its work. */
export function readyRoute(
  app: Hono<AppEnv>,
  service: Pick<ServiceContext, 'db' | 'machine' | 'queue' | 'storage'>,
): void {
  methods(app, '/readyz', {
    GET: async (c) => {
      refuseUnfit(service);
      const parts = await notReady(service);
      const [first] = parts;
      if (first === undefined) return c.json({ status: 'ok' }, 200, noStore);
      const detail = `No answer from: ${parts.join(', ')}.`;
      throw new ApiError('service-unavailable', detail, {
        reason: `${first}-unavailable`,
        headers: { 'Retry-After': '5' },
      });
    },
  });
}

/** `/healthz`: 200 while the service takes requests and its database answers. */
export function healthRoute(
  app: Hono<AppEnv>,
  service: Pick<ServiceContext, 'closing' | 'db' | 'machine'>,
): void {
  methods(app, '/healthz', {
    GET: async (c) => {
      if (service.closing.aborted) refuseUnfit(service);
      try {
        await ping(service.db);
      } catch {
        throw databaseGone();
      }
      return c.json({ status: 'ok' }, 200, noStore);
    },
  });
}
