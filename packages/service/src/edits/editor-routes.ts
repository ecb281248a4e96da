import { Hono, type Context } from 'hono';
import { cors } from 'hono/cors';
import type { ServiceContext } from '../context.ts';
import type { EditedClip } from './queries.ts';
import { basisOf, editDocument } from './edit-document.ts';
import { embedAuthentication, permitted } from '../http/embed-authentication.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { editorExportRoutes } from '../exports/editor-routes.ts';
import { filmRoutes } from './film-routes.ts';
import { emojiRoutes, fontRoutes } from './font-routes.ts';
import { editRoutes } from './routes.ts';
import { embedView } from '../clips/player-routes.ts';
import { projectFileRoutes } from '../clips/file-routes.ts';

/** An edit with all that a page needs to draw a change of it by itself. */
const editorView =
  ({ presets }: Pick<ServiceContext, 'presets'>) =>
  (clip: EditedClip, c: Context<AppEnv>) => ({
    edit: editDocument(clip),
    basis: basisOf(clip),
    look: clip.look,
    permissions: c.get('permissions'),
    presets: [...presets.values()].map(({ id, name, style }) => ({ id, name, style })),
    // What decides how far the clip can be extended.
    margin: clip.source ? 'source' : 'stretch',
  });

/** The calls that the embed page makes with its token. */
export function editorRoutes(app: Hono<AppEnv>, service: ServiceContext): void {
  const embed = new Hono<AppEnv>();
  embed.use(
    cors({
      // The page has no origin if its frame has a sandbox. A token is never in a cookie.
      origin: '*',
      allowMethods: ['GET', 'POST', 'PATCH'],
      allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'Prefer'],
      exposeHeaders: ['ETag'],
    }),
  );
  embed.use(embedAuthentication(service));
  embed.use('/projects/:id/edit/*', permitted('edit'));
  for (const name of ['proxy', 'fonts']) embed.use(`/projects/:id/${name}`, permitted('edit'));
  for (const name of ['exports', 'allowance', 'files/*']) {
    embed.use(`/projects/:id/${name}`, permitted('export'));
  }
  editRoutes(embed, service, editorView(service));
  methods(embed, '/projects/:id', { GET: (c) => embedView(service, c) });
  filmRoutes(embed, service);
  fontRoutes(embed, service);
  editorExportRoutes(embed, service);
  projectFileRoutes(embed, service);
  app.route('/embed-api', embed);
  emojiRoutes(app);
}
