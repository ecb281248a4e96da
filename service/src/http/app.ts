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
import { loggedPath, requestLog } from './request-log.ts';
import { downloadRoutes } from './routes/download.ts';
import { exportRoutes } from './routes/exports.ts';
import { fileRoutes } from './routes/files.ts';
import { healthRoutes, liveRoute } from './routes/health.ts';
import { oEmbedRoutes } from './routes/oembed.ts';
import { playerRoutes } from './routes/player.ts';
import { presetRoutes } from './routes/presets.ts';
import { projectRoutes } from './routes/projects.ts';
import { taskRoutes } from './routes/tasks.ts';
import { userRoutes } from './routes/users.ts';

/** All routes on one Hono app; knows nothing of sockets, signals or the process. */
export function createApp(service: ServiceContext): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  // Before the log: it is asked often, and tells nothing.
  liveRoute(app);
  app.use(requestLog(service.log));
  app.onError((error, c) => {
    if (error instanceof ApiError) return problemResponse(error);
    if (error instanceof SourceError) return problemResponse(sourceProblem(error));
    if (error instanceof ExportRefused) {
      return problemResponse(new ApiError('export-limit', error.message));
    }
    if (!c.req.raw.signal.aborted) {
      service.log({
        event: 'request-error',
        level: 'error',
        request: c.get('requestId'),
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
