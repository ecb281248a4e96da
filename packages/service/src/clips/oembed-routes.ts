import { httpUrlSchema } from 'clip-kit/contract';
import type { Hono } from 'hono';
import * as z from 'zod/mini';
import type { ServiceContext } from '../context.ts';
import { findPlayable } from './player-queries.ts';
import { cacheSeconds, oEmbed, oEmbedXml } from 'clip-player';
import { fit, readQuery } from '../http/body.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { ApiError } from '../http/problem.ts';
import { sharedLink } from './shared-link.ts';

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
