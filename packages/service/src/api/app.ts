import { type Context, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import * as z from 'zod/mini';
import { findPlayable } from '../clips/queries.ts';
import { answerError } from './answer-error.ts';
import { listDescribedCalls } from './describe.ts';
import { describeApi } from './describe-api.ts';
import { authenticateKey } from './authentication.ts';
import type { AppEnv } from './methods.ts';
import { ApiError } from '../api-error.ts';
import { answerProblem } from './problem.ts';
import { fit, readQuery } from './body.ts';
import { requestLog } from './request-log.ts';
import { addAllowanceRoute, downloadRoutes, exportRoutes } from './exports.ts';
import { editRoutes, addPresetRoutes } from './edits.ts';
import { addFileRoutes } from './files.ts';
import { addHealthRoute, addLiveRoute, addReadyRoute, refuseUnfit } from './health.ts';
import { linkRoutes } from './links.ts';
import { hostRoutes } from './host.ts';
import { addOEmbedRoutes, addPlayerRoutes } from './player.ts';
import { addEditorRoutes } from './editor.ts';
import { copyRoute } from './own-clips.ts';
import { addClipFileRoutes, addClipRoutes } from './clips.ts';
import { addTaskRoutes } from './tasks.ts';
import { addTusRoutes, uploadRoutes } from './uploads.ts';
import { userRoutes } from './users.ts';
import { addAppearanceRoutes, addFontFileRoute } from './appearance.ts';
import { addMediaRoutes } from './media.ts';
import { findLook } from '../appearance/queries.ts';
import { addSharePages, addShareRoutes } from './shares.ts';
import { viewRoutes } from './views.ts';
import { addWebhookRoutes } from './webhooks.ts';

const v2Routes = [
  addTaskRoutes,
  uploadRoutes,
  userRoutes,
  addAppearanceRoutes,
  addMediaRoutes,
  addWebhookRoutes,
  // Before the projects: `/projects/{id}/edit` and `/projects/{id}/exports` fit
  // `/projects/{folder_id}/{project_id}` too.
  editRoutes,
  viewRoutes,
  linkRoutes,
  addShareRoutes,
  copyRoute,
  addAllowanceRoute,
  exportRoutes,
  downloadRoutes,
  addClipFileRoutes,
  addClipRoutes,
];

const otherRoutes = [
  hostRoutes,
  addTusRoutes,
  addFileRoutes,
  addFontFileRoute,
  addEditorRoutes,
  addOEmbedRoutes,
  addSharePages,
  addHealthRoute,
  addReadyRoute,
  addPresetRoutes,
];

/** The parts of the service that any of the routes uses. */
type Dependencies = Parameters<typeof requestLog>[0] &
  Parameters<typeof authenticateKey>[0] &
  Parameters<typeof addPlayerRoutes>[1] &
  ((typeof v2Routes | typeof otherRoutes)[number] extends (
    app: Hono<AppEnv>,
    service: infer Service,
  ) => void
    ? Service
    : never);

const noQuery = z.strictObject({});

/** Throws a 400 that lists what the query names, if the call reads no query. */
function refuseUnreadQuery(c: Context<AppEnv>): void {
  const [call] = listDescribedCalls(matchedRoutes(c));
  if (call && !call.description.query) fit(noQuery, readQuery(c), 'query');
}

/** All routes on one Hono app; knows nothing of sockets, signals or the process. */
export function createApp(service: Dependencies): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  // Before the log: it is polled often, and its lines would be noise.
  addLiveRoute(app);
  app.use(requestLog(service));
  app.onError(answerError(service.log));
  app.notFound(() => answerProblem(new ApiError('not-found', 'There is nothing at this address.')));

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
  v2.use(authenticateKey(service));
  v2.use((c, next) => {
    if (c.req.url.includes('?')) refuseUnreadQuery(c);
    return next();
  });
  for (const add of v2Routes) add(v2, service);
  app.route('/v2', v2);

  addPlayerRoutes(app, service, {
    find: (id) => findPlayable(service.db, id),
    findLook: (id) => findLook(service.db, id),
  });
  for (const add of otherRoutes) add(app, service);
  return app;
}
