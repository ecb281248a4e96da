import { hasWords, webVtt, type Edit } from 'clip-engine';
import type { Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import type { ServiceContext } from '../../context.ts';
import { findNewest } from '../../db/exports.ts';
import { findPlayable, type Playable } from '../../db/player.ts';
import { readAsset } from '../../pages/assets.ts';
import type { CaptionsView, ClipView, EmbedView } from '../../pages/clip-view.ts';
import { linkMetadata } from '../../pages/link-metadata.ts';
import { chooseLanguage } from '../../pages/locales/languages.ts';
import type { PageOptions } from '../../pages/markup.ts';
import { pageHeaders } from '../../pages/page-headers.ts';
import { embedPage, missingPage, playerPage } from '../../pages/pages.ts';
import { fileAddress, type PublicFiles } from '../../storage/public-files.ts';
import { bearer } from '../authentication.ts';
import { methods, type AppEnv } from '../methods.ts';
import { ApiError } from '../problem.ts';
import { publicFile, sendFile, sendText } from '../send-file.ts';
import { sharedLink } from '../shared-link.ts';

/** The words of a clip as a text track. `burnedIn`: its pictures already show them. */
const captionsOf = (id: string, edit: Edit | null): CaptionsView | null =>
  edit && hasWords(edit)
    ? {
        url: `player/${id}/captions.vtt`,
        burnedIn: edit.captions.length > 0,
        language: edit.language ?? null,
      }
    : null;

/** What the pages' scripts read. Addresses may be relative to the service's root. */
const view = (files: PublicFiles, id: string, playable: Playable): ClipView => ({
  state: playable.state,
  name: playable.name,
  width: playable.width,
  height: playable.height,
  video: playable.previewKey && fileAddress(files, '', playable.previewKey),
  poster: playable.posterKey && fileAddress(files, '', playable.posterKey),
  captions: captionsOf(id, playable.edit),
  titleBurnedIn: !!playable.edit?.title,
  message: playable.message,
});

const noStore = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

const refuse = (detail: string, reason: string): ApiError =>
  new ApiError('unauthenticated', detail, {
    reason,
    headers: { 'WWW-Authenticate': 'Bearer realm="embed"' },
  });

const missing = (): ApiError => new ApiError('clip-not-found', 'There is no such clip.');

async function embedView(
  service: Pick<ServiceContext, 'db' | 'files' | 'tokens'>,
  c: Context<AppEnv>,
): Promise<Response> {
  const token = bearer(c.req.header('authorization'));
  if (token === null) throw refuse('An external_access_token is needed.', 'token-missing');
  const read = await service.tokens.read(token);
  if ('refusal' in read) {
    throw read.refusal === 'token-expired'
      ? refuse('The external_access_token has expired.', read.refusal)
      : refuse('The external_access_token is not valid.', read.refusal);
  }
  const id = c.req.param('id') ?? '';
  const playable = await findPlayable(service.db, id);
  if (!playable || playable.authorId !== read.userId) throw missing();
  const { score, explanation } = playable;
  const exported = await findNewest(service.db, read.userId, id, 'ready');
  const embedded: EmbedView = {
    ...view(service.files, id, playable),
    score,
    explanation,
    download_url: exported?.file_key ? fileAddress(service.files, '', exported.file_key) : null,
  };
  return c.json(embedded, 200, noStore);
}

const revalidated = 'public, max-age=0, must-revalidate';
/** A first poster is replaced by the framed one, which stays. */
const posterCache = { preparing: revalidated, failed: revalidated, ready: 'public, max-age=300' };

async function poster(
  service: Pick<ServiceContext, 'db' | 'storage'>,
  c: Context<AppEnv>,
): Promise<Response> {
  // A first poster may be removed between the two reads: its place is taken by then.
  for (let reads = 0; reads < 2; reads += 1) {
    const playable = await findPlayable(service.db, c.req.param('id') ?? '');
    if (!playable?.posterKey) break;
    const headers = publicFile('image/jpeg', posterCache[playable.state]);
    const answer = await sendFile(c, service.storage, playable.posterKey, headers);
    if (answer) return answer;
  }
  throw missing();
}

async function captions(
  service: Pick<ServiceContext, 'db'>,
  c: Context<AppEnv>,
): Promise<Response> {
  const playable = await findPlayable(service.db, c.req.param('id') ?? '');
  const text = playable?.edit && webVtt(playable.edit);
  if (!text) throw new ApiError('not-found', 'This clip has no captions.');
  return sendText(c, text, publicFile('text/vtt; charset=utf-8', revalidated));
}

/** Section 4.13: the pages, what they load, and the calls that they make. */
export function playerRoutes(
  app: Hono<AppEnv>,
  service: Pick<
    ServiceContext,
    'db' | 'files' | 'indexPlayerPages' | 'pages' | 'publicUrl' | 'storage' | 'tokens'
  >,
): void {
  const headers = () =>
    pageHeaders({
      settings: service.pages,
      publicUrl: service.publicUrl(),
      fileOrigin: service.files.origin,
    });
  const options = (c: Context<AppEnv>): PageOptions => ({
    language: chooseLanguage(c.req.query('lang'), c.req.header('accept-language')),
    settings: service.pages,
  });
  // Their own page has no origin if its frame has a sandbox. A token is never in a cookie.
  const ownPage = cors({ origin: '*', allowMethods: ['GET'], allowHeaders: ['Authorization'] });
  app.use('/player/:id/state', ownPage);
  app.use('/embed-api/*', ownPage);
  methods(app, '/player/:id', {
    GET: async (c) => {
      const id = c.req.param('id') ?? '';
      const playable = await findPlayable(service.db, id);
      return playable
        ? c.html(
            playerPage(view(service.files, id, playable), {
              ...options(c),
              head: linkMetadata(sharedLink(service, id, playable)),
            }),
            200,
            headers(),
          )
        : c.html(missingPage(options(c)), 404, headers());
    },
  });
  methods(app, '/player/:id/state', {
    GET: async (c) => {
      const id = c.req.param('id') ?? '';
      const playable = await findPlayable(service.db, id);
      if (!playable) throw missing();
      return c.json(view(service.files, id, playable), 200, noStore);
    },
  });
  methods(app, '/player/:id/poster.jpg', { GET: (c) => poster(service, c) });
  methods(app, '/player/:id/captions.vtt', { GET: (c) => captions(service, c) });
  methods(app, '/embed/:id', { GET: (c) => c.html(embedPage(options(c)), 200, headers()) });
  methods(app, '/embed-api/projects/:id', { GET: (c) => embedView(service, c) });
  methods(app, '/assets/:name', {
    GET: async (c) => {
      const asset = await readAsset(c.req.param('name') ?? '');
      if (!asset) throw new ApiError('not-found', 'There is no such file.');
      const headers = {
        ...publicFile(asset.type, 'no-cache'),
        ETag: asset.etag,
        'X-Content-Type-Options': 'nosniff',
      };
      return c.req.header('if-none-match') === asset.etag
        ? new Response(null, { status: 304, headers })
        : new Response(asset.bytes, { headers });
    },
  });
}
