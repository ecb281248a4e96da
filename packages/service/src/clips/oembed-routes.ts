import { posterSize, renderSize } from 'clip-engine';
import { httpUrlSchema } from 'clip-kit/contract';
import { cacheSeconds, oEmbed, oEmbedXml, type SharedLink } from 'clip-player';
import type { Hono } from 'hono';
import * as z from 'zod/mini';
import type { ServiceContext } from '../context.ts';
import { findPlayable, type Playable } from './queries.ts';
import { fit, readQuery } from '../http/body.ts';
import { type AppEnv, methods } from '../http/methods.ts';
import { ApiError } from '../http/problem.ts';
import { fileAddress } from '../storage/public-files.ts';

type Dependencies = Pick<ServiceContext, 'files' | 'publicUrl' | 'indexPlayerPages'>;

/** What the link of a clip's player page shows where it is shared. */
export function sharedLink(service: Dependencies, id: string, playable: Playable): SharedLink {
  const base = service.publicUrl();
  const url = `${base}/player/${id}`;
  const { width, height, edit, posterKey, previewKey } = playable;
  const oembed = (format: string): string =>
    `${base}/oembed?format=${format}&url=${encodeURIComponent(url)}`;
  return {
    url,
    title: playable.name,
    siteName: new URL(base).host,
    width,
    height,
    poster: posterKey === null ? null : { url: `${url}/poster.jpg`, ...posterSize(playable) },
    video:
      previewKey !== null && edit
        ? {
            url: fileAddress(service.files, `${base}/`, previewKey),
            ...renderSize(edit, 'preview'),
          }
        : null,
    oembed: { json: oembed('json'), xml: oembed('xml') },
    indexed: service.indexPlayerPages,
  };
}

const pixels = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'must be a whole number of pixels')),
  z.transform(Number),
);

const querySchema = z.object({
  url: httpUrlSchema,
  format: z._default(z.string(), 'json'),
  maxwidth: z.optional(pixels),
  maxheight: z.optional(pixels),
});

/** The id of the clip whose player page is at the address; null if no such page can be there. */
export function playerPageId(url: string, publicUrl: string): string | null {
  const asked = new URL(url);
  const pages = new URL(`${publicUrl}/player/`);
  if (asked.origin !== pages.origin || !asked.pathname.startsWith(pages.pathname)) return null;
  const id = asked.pathname.slice(pages.pathname.length);
  return id === '' || id.includes('/') ? null : id;
}

/** `GET /oembed`: how a player page is embedded (https://oembed.com). Every site may ask. */
export function oEmbedRoutes(
  app: Hono<AppEnv>,
  service: Pick<ServiceContext, 'db' | 'files' | 'indexPlayerPages' | 'publicUrl'>,
): void {
  methods(app, '/oembed', {
    GET: async (c) => {
      const query = fit(querySchema, readQuery(c), 'query');
      const { format } = query;
      if (format !== 'json' && format !== 'xml') {
        return c.text('The format must be json or xml.', 501);
      }
      const id = playerPageId(query.url, service.publicUrl());
      const playable = id === null ? undefined : await findPlayable(service.db, id);
      if (id === null || !playable) {
        throw new ApiError('clip-not-found', 'There is no player page at this address.');
      }
      const box = { width: query.maxwidth, height: query.maxheight };
      const answer = oEmbed(sharedLink(service, id, playable), box);
      const headers = {
        'Access-Control-Allow-Origin': '*',
        'Cache-Control': `public, max-age=${cacheSeconds}`,
        'X-Content-Type-Options': 'nosniff',
      };
      return format === 'json'
        ? c.json(answer, 200, headers)
        : c.body(oEmbedXml(answer), 200, { ...headers, 'Content-Type': 'text/xml; charset=utf-8' });
    },
  });
}
