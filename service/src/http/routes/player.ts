import type { Context, Hono } from 'hono';
import type { ServiceContext } from '../../context.ts';
import { findPlayable, type Playable } from '../../db/player.ts';
import { readAsset } from '../../pages/assets.ts';
import { embedPage, missingPage, pageHeaders, playerPage } from '../../pages/pages.ts';
import { bearer } from '../authentication.ts';
import { methods, type AppEnv } from '../methods.ts';
import { ApiError } from '../problem.ts';
import { publicFile, sendFile } from '../send-file.ts';

/** What the pages' scripts read. Addresses are relative to the service's root. */
const view = (playable: Playable) => ({
  state: playable.state,
  name: playable.name,
  width: playable.width,
  height: playable.height,
  video: playable.previewKey && `files/${playable.previewKey}`,
  poster: playable.posterKey && `files/${playable.posterKey}`,
  message: playable.message,
});

const noStore = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

const refuse = (detail: string, reason: string): ApiError =>
  new ApiError('unauthenticated', detail, {
    reason,
    headers: { 'WWW-Authenticate': 'Bearer realm="embed"' },
  });

const missing = (): ApiError => new ApiError('clip-not-found', 'There is no such clip.');

async function embedView(service: ServiceContext, c: Context<AppEnv>): Promise<Response> {
  const token = bearer(c.req.header('authorization'));
  if (token === null) throw refuse('An external_access_token is needed.', 'token-missing');
  const read = await service.tokens.read(token);
  if ('refusal' in read) {
    throw read.refusal === 'token-expired'
      ? refuse('The external_access_token has expired.', read.refusal)
      : refuse('The external_access_token is not valid.', read.refusal);
  }
  const playable = await findPlayable(service.db, c.req.param('id') ?? '');
  if (!playable || playable.authorId !== read.userId) throw missing();
  const { score, explanation } = playable;
  return c.json({ ...view(playable), score, explanation }, 200, noStore);
}

async function poster(service: ServiceContext, c: Context<AppEnv>): Promise<Response> {
  const playable = await findPlayable(service.db, c.req.param('id') ?? '');
  const headers = publicFile('image/jpeg', 'public, max-age=300');
  const answer =
    playable?.posterKey && (await sendFile(c, service.storage, playable.posterKey, headers));
  if (!answer) throw missing();
  return answer;
}

/** Section 4.13: the pages, what they load, and the calls that they make. */
export function playerRoutes(app: Hono<AppEnv>, service: ServiceContext): void {
  methods(app, '/player/:id', {
    GET: async (c) => {
      const playable = await findPlayable(service.db, c.req.param('id') ?? '');
      return playable
        ? c.html(playerPage(view(playable)), 200, pageHeaders)
        : c.html(missingPage(), 404, pageHeaders);
    },
  });
  methods(app, '/player/:id/state', {
    GET: async (c) => {
      const playable = await findPlayable(service.db, c.req.param('id') ?? '');
      if (!playable) throw missing();
      return c.json(view(playable), 200, noStore);
    },
  });
  methods(app, '/player/:id/poster.jpg', { GET: (c) => poster(service, c) });
  methods(app, '/embed/:id', { GET: (c) => c.html(embedPage(), 200, pageHeaders) });
  methods(app, '/embed-api/projects/:id', { GET: (c) => embedView(service, c) });
  methods(app, '/assets/:name', {
    GET: async (c) => {
      const asset = await readAsset(c.req.param('name') ?? '');
      if (!asset) throw new ApiError('not-found', 'There is no such file.');
      if (c.req.header('if-none-match') === asset.etag) {
        return new Response(null, { status: 304, headers: { ETag: asset.etag } });
      }
      return new Response(asset.bytes, {
        headers: {
          'Content-Type': asset.type,
          'Cache-Control': 'no-cache',
          ETag: asset.etag,
          'X-Content-Type-Options': 'nosniff',
        },
      });
    },
  });
}
