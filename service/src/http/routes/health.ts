import type { Hono } from 'hono';
import type { ServiceContext } from '../../context.ts';
import { ping } from '../../db/open.ts';
import { methods, type AppEnv } from '../methods.ts';
import { ApiError, databaseGone } from '../problem.ts';

/** `/livez`: 200 while the process answers at all. Asks nothing else. */
export function liveRoute(app: Hono<AppEnv>): void {
  app.get('/livez', (c) => c.json({ status: 'ok' }));
}

/** `/healthz`: 200 while the service takes requests and its database answers. */
export function healthRoutes(app: Hono<AppEnv>, service: ServiceContext): void {
  methods(app, '/healthz', {
    GET: async (c) => {
      if (service.closing.aborted) {
        throw new ApiError('service-unavailable', 'The service is stopping.');
      }
      try {
        await ping(service.db);
      } catch {
        throw databaseGone();
      }
      return c.json({ status: 'ok' }, 200, { 'Cache-Control': 'no-store' });
    },
  });
}
