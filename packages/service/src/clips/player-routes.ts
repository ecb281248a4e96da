import { clipDocument, hasWords, type Edit } from 'clip-engine';
import {
  chooseLanguage,
  embedPage,
  linkMetadata,
  missingPage,
  pageHeaders,
  playerPage,
  readAsset,
  type CaptionsView,
  type ClipView,
  type EmbedView,
  type PageOptions,
  type StoryboardView,
} from 'clip-player';
import type { Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import type { ServiceContext } from '../context.ts';
import { findNewest } from '../exports/queries.ts';
import { findPlayable, type Playable } from './queries.ts';
import { fileAddress, type PublicFiles } from '../storage/public-files.ts';
import type { Storage } from '../storage/storage.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { ApiError } from '../http/problem.ts';
import { publicFile, sendFile, sendText } from '../http/send-file.ts';
import { sharedLink } from './oembed-routes.ts';
import { filesOf } from './routes.ts';

/** Returns what the clip of an address shows; undefined if it does not exist. */
type FindPlayable = (id: string) => Promise<Playable | undefined>;

/** The words of a clip as a text track. `burnedIn`: its pictures already show them. */
const captionsOf = (id: string, edit: Edit | null): CaptionsView | null =>
  edit && hasWords(edit)
    ? {
        url: `player/${id}/captions.vtt`,
        burnedIn: edit.captions.length > 0,
        language: edit.language ?? null,
      }
    : null;

const storyboardOf = (files: PublicFiles, { storyboard }: Playable): StoryboardView | null =>
  storyboard && {
    url: fileAddress(files, '', storyboard.key),
    width: storyboard.width,
    height: storyboard.height,
    columns: storyboard.columns,
    count: storyboard.count,
    step: storyboard.stepSeconds,
  };

/** What the pages' scripts read. Addresses may be relative to the service's root. */
export const clipView = (files: PublicFiles, id: string, playable: Playable): ClipView => ({
  state: playable.state,
  name: playable.name,
  width: playable.width,
  height: playable.height,
  video: playable.previewKey && fileAddress(files, '', playable.previewKey),
  poster: playable.posterKey && fileAddress(files, '', playable.posterKey),
  captions: captionsOf(id, playable.edit),
  storyboard: storyboardOf(files, playable),
  titleBurnedIn: !!playable.edit?.title,
  message: playable.message,
});

const noStore = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

const missing = (): ApiError => new ApiError('clip-not-found', 'There is no such clip.');

export async function embedView(
  service: Pick<ServiceContext, 'db' | 'files'>,
  c: Context<AppEnv>,
): Promise<Response> {
  const { id: userId } = c.get('user');
  const id = c.req.param('id') ?? '';
  const playable = await findPlayable(service.db, id);
  if (!playable || playable.authorId !== userId) throw missing();
  const { score, explanation } = playable;
  const permissions = c.get('permissions');
  const mayTake = permissions.includes('export');
  const exported = mayTake ? await findNewest(service.db, userId, id, 'ready') : undefined;
  const embedded: EmbedView = {
    ...clipView(service.files, id, playable),
    score,
    explanation,
    download_url: exported?.file_key ? fileAddress(service.files, '', exported.file_key) : null,
    files: mayTake ? filesOf(playable) : [],
    permissions,
  };
  return c.json(embedded, 200, noStore);
}

const revalidated = 'public, max-age=0, must-revalidate';
/** A first poster is replaced by the framed one, which stays. */
const posterCache = { preparing: revalidated, failed: revalidated, ready: 'public, max-age=300' };

async function poster(c: Context<AppEnv>, storage: Storage, find: FindPlayable): Promise<Response> {
  // A first poster may be removed between the two reads: its place is taken by then.
  for (let reads = 0; reads < 2; reads += 1) {
    const playable = await find(c.req.param('id') ?? '');
    if (!playable?.posterKey) break;
    const headers = publicFile('image/jpeg', posterCache[playable.state]);
    const answer = await sendFile(c, storage, playable.posterKey, headers);
    if (answer) return answer;
  }
  throw missing();
}

async function captions(c: Context<AppEnv>, find: FindPlayable): Promise<Response> {
  const playable = await find(c.req.param('id') ?? '');
  const names = { title: playable?.name ?? '', source: '' };
  const file = playable?.edit && clipDocument(playable.edit, 'captions.vtt', names);
  if (!file) throw new ApiError('not-found', 'This clip has no captions.');
  return sendText(c, file.text, publicFile(file.type, revalidated));
}

/** Section 4.13: the pages, and what they load without a token. They need no database. */
export function playerRoutes(
  app: Hono<AppEnv>,
  service: Pick<ServiceContext, 'files' | 'indexPlayerPages' | 'pages' | 'publicUrl' | 'storage'>,
  find: FindPlayable,
): void {
  const headers = (hasEditor = false) =>
    pageHeaders({
      hasEditor,
      settings: service.pages,
      publicUrl: service.publicUrl(),
      fileOrigin: service.files.origin,
    });
  const options = (c: Context<AppEnv>): PageOptions => ({
    language: chooseLanguage(c.req.query('lang'), c.req.header('accept-language')),
    settings: service.pages,
  });
  // Their own page has no origin if its frame has a sandbox.
  app.use('/player/:id/state', cors({ origin: '*', allowMethods: ['GET'] }));
  methods(app, '/player/:id', {
    GET: async (c) => {
      const id = c.req.param('id') ?? '';
      const playable = await find(id);
      return playable
        ? c.html(
            playerPage(clipView(service.files, id, playable), {
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
      const playable = await find(id);
      if (!playable) throw missing();
      return c.json(clipView(service.files, id, playable), 200, noStore);
    },
  });
  methods(app, '/player/:id/poster.jpg', { GET: (c) => poster(c, service.storage, find) });
  methods(app, '/player/:id/captions.vtt', { GET: (c) => captions(c, find) });
  methods(app, '/embed/:id', { GET: (c) => c.html(embedPage(options(c)), 200, headers(true)) });
  methods(app, '/assets/:name', {
    GET: async (c) => {
      const accepted = c.req.header('accept-encoding') ?? '';
      const asset = await readAsset(c.req.param('name') ?? '', accepted);
      if (!asset) throw new ApiError('not-found', 'There is no such file.');
      const headers = {
        ...publicFile(asset.type, 'no-cache'),
        ETag: asset.etag,
        Vary: 'Accept-Encoding',
        ...(asset.encoding !== 'identity' && { 'Content-Encoding': asset.encoding }),
        // The worker of a page that has such a policy must have it, too.
        'Cross-Origin-Embedder-Policy': 'require-corp',
        'X-Content-Type-Options': 'nosniff',
      };
      return c.req.header('if-none-match') === asset.etag
        ? new Response(null, { status: 304, headers })
        : new Response(asset.bytes, { headers });
    },
  });
}
