import { Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import * as z from 'zod/mini';
import type { ServiceContext } from '../context.ts';
import { findPlayable } from '../clips/queries.ts';
import { editDocument } from '../edits/rules.ts';
import { answerError } from './answer-error.ts';
import { describedCalls } from './describe.ts';
import { describeApi } from './describe-api.ts';
import { authentication } from './authentication.ts';
import type { AppEnv } from './methods.ts';
import { ApiError } from '../api-error.ts';
import { problemResponse } from './problem.ts';
import { fit, readQuery } from './body.ts';
import { requestLog } from './request-log.ts';
import { allowanceRoute, downloadRoutes, exportRoutes } from '../exports/routes.ts';
import { editRoutes, presetRoutes } from '../edits/routes.ts';
import { fileRoutes } from './file-routes.ts';
import { healthRoute, liveRoute, readyRoute, refuseUnfit } from '../operations/routes.ts';
import { linkRoutes } from '../links/routes.ts';
import { hostRoutes } from '../users/host-routes.ts';
import { oEmbedRoutes, playerRoutes } from '../clips/player-routes.ts';
import { editorRoutes } from '../edits/editor-routes.ts';
import { copyRoute } from '../clips/own-clip-routes.ts';
import { projectFileRoutes, projectRoutes } from '../clips/routes.ts';
import { taskRoutes } from '../tasks/routes.ts';
import { tusRoutes, uploadRoutes } from '../uploads/routes.ts';
import { userRoutes } from '../users/routes.ts';
import { appearanceRoutes, fontFileRoute } from '../appearance/routes.ts';
import { findLook } from '../appearance/queries.ts';
import { viewRoutes } from '../views/routes.ts';

/** All routes on one Hono app; knows nothing of sockets, signals or the process. */
export function createApp(service: ServiceContext): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  // Before the log: it is polled often, and its lines would be noise.
  liveRoute(app);
  app.use(requestLog(service));
  app.onError(answerError(service.log));
  app.notFound(() =>
    problemResponse(new ApiError('not-found', 'There is nothing at this address.')),
  );

  app.use((_, next) => {
    if (service.machine.isOutdated) refuseUnfit(service);
    return next();
  });

  const v2 = new Hono<AppEnv>();
  let described: object | undefined;
  v2.get('/openapi.json', (c) => {
    described ??= describeApi(v2.routes);
    return c.json({ ...described, servers: [{ url: `${service.publicUrl()}/v2` }] });
  });
  v2.use(authentication(service));
  v2.use((c, next) => {
    const [call] = describedCalls(matchedRoutes(c));
    if (call && !call.description.query) fit(z.strictObject({}), readQuery(c), 'query');
    return next();
  });
  taskRoutes(v2, service);
  uploadRoutes(v2, service);
  userRoutes(v2, service);
  appearanceRoutes(v2, service);
  // Before the projects: `/projects/{id}/edit` and `/projects/{id}/exports` fit
  // `/projects/{folder_id}/{project_id}` too.
  editRoutes(v2, service, editDocument);
  viewRoutes(v2, service);
  linkRoutes(v2, service);
  copyRoute(v2, service);
  allowanceRoute(v2, service);
  exportRoutes(v2, service);
  downloadRoutes(v2, service);
  projectFileRoutes(v2, service);
  projectRoutes(v2, service);
  app.route('/v2', v2);

  hostRoutes(app, service);
  tusRoutes(app, service);
  fileRoutes(app, service);
  fontFileRoute(app, service);
  playerRoutes(app, service, {
    find: (id) => findPlayable(service.db, id),
    findLook: (id) => findLook(service.db, id),
  });
  editorRoutes(app, service);
  oEmbedRoutes(app, service);
  healthRoute(app, service);
  readyRoute(app, service);
  presetRoutes(app, service);
  return app;
}
