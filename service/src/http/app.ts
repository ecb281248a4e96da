import { errorText, SourceError } from 'clip-engine';
import { Hono } from 'hono';
import { ExportRefused } from '../accounts/allowance.ts';
import type { ServiceContext } from '../context.ts';
import { machineFault } from '../db/machine-fault.ts';
import { isDatabaseGone } from '../db/unavailable.ts';
import { isStorageGone } from '../storage/unavailable.ts';
import { authentication } from './authentication.ts';
import type { AppEnv } from './methods.ts';
import { openApiDocument } from './openapi.ts';
import { ApiError, databaseGone, storageGone, problemResponse, sourceProblem } from './problem.ts';
import { downloadRoutes } from './routes/download.ts';
import { exportRoutes } from './routes/exports.ts';
import { fileRoutes } from './routes/files.ts';
import { healthRoutes } from './routes/health.ts';
import { oEmbedRoutes } from './routes/oembed.ts';
import { playerRoutes } from './routes/player.ts';
import { presetRoutes } from './routes/presets.ts';
import { projectRoutes } from './routes/projects.ts';
import { taskRoutes } from './routes/tasks.ts';
import { userRoutes } from './routes/users.ts';

/** A path for the log, without the name of a file: it is what makes its address unguessable. */
const loggedPath = (path: string): string =>
  path.replace(/^(\/files\/[^/]*\/[^/]*\/).+$/, '$1*').slice(0, 200);

/** All routes on one Hono app; knows nothing of sockets, signals or the process. */
export function createApp(service: ServiceContext): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    const began = performance.now();
    await next();
    service.log({
      event: 'request',
      method: c.req.raw.method,
      path: loggedPath(c.req.path),
      status: c.res.status,
      ms: Math.round(performance.now() - began),
    });
  });
  app.onError((error, c) => {
    if (error instanceof ApiError) return problemResponse(error);
    if (error instanceof SourceError) return problemResponse(sourceProblem(error));
    if (error instanceof ExportRefused) {
      return problemResponse(new ApiError('export-limit', error.message));
    }
    if (!c.req.raw.signal.aborted) {
      service.log({
        event: 'request-error',
        path: loggedPath(c.req.path),
        message: errorText(error),
      });
    }
    if (isDatabaseGone(error)) return problemResponse(databaseGone());
    if (isStorageGone(error)) return problemResponse(storageGone());
    const fault = machineFault(error);
    if (fault) {
      const { code: reason, message } = fault;
      return problemResponse(new ApiError('service-unavailable', message, { reason }));
    }
    return problemResponse(
      new ApiError('internal-error', 'Something failed in the service. Its log says more.'),
    );
  });
  app.notFound(() =>
    problemResponse(new ApiError('not-found', 'There is nothing at this address.')),
  );

  const v2 = new Hono<AppEnv>();
  v2.get('/openapi.json', (c) => c.json(openApiDocument(service.publicUrl())));
  v2.use(authentication(service));
  v2.use(async (c, next) => {
    await next();
    if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store');
    c.res.headers.set('X-Content-Type-Options', 'nosniff');
  });
  taskRoutes(v2, service);
  userRoutes(v2, service);
  // Before the projects: `/projects/{id}/exports` fits `/projects/{folder_id}/{project_id}` too.
  exportRoutes(v2, service);
  downloadRoutes(v2, service);
  projectRoutes(v2, service);
  app.route('/v2', v2);

  fileRoutes(app, service);
  playerRoutes(app, service);
  oEmbedRoutes(app, service);
  healthRoutes(app, service);
  presetRoutes(app, service);
  return app;
}
