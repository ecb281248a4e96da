import { writeClipDocument, type Edit, hasWords, computePosterSize, renderSize } from 'clip-engine';
import { httpUrlSchema } from 'clip-kit/contract';
import {
  cacheSeconds,
  type CaptionsView,
  chooseLanguage,
  type ClipView,
  makeEmbedPage,
  type EmbedView,
  linkMetadata,
  makeMissingPage,
  makeOEmbed,
  formatOEmbedXml,
  makePageHeaders,
  type PageLook,
  type PageOptions,
  makePlayerPage,
  readAsset,
  type SharedLink,
  type StoryboardView,
  type StreamView,
  type PageSettings,
} from 'clip-player';
import type { Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import * as z from 'zod/mini';
import type { Db } from '../db/schema.ts';
import type { Tokens } from '../users/tokens.ts';
import type { Queue } from '../queue/queue.ts';
import { findNewest } from '../exports/queries.ts';
import { findPlayable, type Playable } from '../clips/queries.ts';
import { type Links, makeClipAddress, makeClipFileAddress } from '../links/links.ts';
import type { Link } from '../links/signature.ts';
import { makeFileAddress, type PublicFiles } from '../storage/public-files.ts';
import type { Storage } from '../storage/storage.ts';
import { type AppEnv, addMethods } from './methods.ts';
import { ApiError, makeNoClipError } from '../api-error.ts';
import { makePublicHeaders, sendFile, sendText } from './send-file.ts';
import { listFiles } from './clips.ts';
import { fit, readQuery } from './body.ts';

export interface PageDependencies {
  files: PublicFiles;
  /** Whether search engines may list player pages. */
  indexPlayerPages: boolean;
  links: Links;
  pages: PageSettings;
  publicUrl: () => string;
  queue: Pick<Queue, 'prioritize'>;
  storage: Storage;
}

/** Returns the playable clip of an address; undefined if it does not exist. */
type FindPlayable = (id: string) => Promise<Playable | undefined>;

/** Prioritizes the preview of an opened clip over previews that no user waits for. */
export async function requestPreview(
  queue: Pick<Queue, 'prioritize'>,
  id: string,
  { edit, state }: Playable,
): Promise<void> {
  if (edit && state === 'preparing') await queue.prioritize('preview', id);
}

/** The words of a clip as a text track. `burnedIn`: its pictures already show them. */
const makeCaptionsView = (id: string, edit: Edit | null, link: Link | null): CaptionsView | null =>
  edit && hasWords(edit)
    ? {
        url: makeClipAddress(id, 'captions.vtt', link),
        burnedIn: edit.captions.length > 0,
        language: edit.language ?? null,
      }
    : null;

const makeStoryboardView = (
  { storyboard }: Playable,
  addressOf: (key: string) => string,
): StoryboardView | null =>
  storyboard && {
    url: addressOf(storyboard.key),
    width: storyboard.width,
    height: storyboard.height,
    columns: storyboard.columns,
    count: storyboard.count,
    step: storyboard.stepSeconds,
  };

const makeStreamView = (
  id: string,
  { state, edit, stream }: Playable,
  link: Link | null,
): StreamView | null =>
  state === 'preparing' && edit && stream
    ? {
        urls: stream.keys.map((_, index) =>
          makeClipAddress(id, `stream/${stream.attempt}-${index}`, link),
        ),
        isComplete: stream.isComplete,
        duration: edit.duration,
      }
    : null;

/**
 * Returns the view that the pages' scripts read. Addresses may be relative to the service's root.
 * `link`: signs those of a private clip are signed.
 */
export function makeClipView(
  files: PublicFiles,
  id: string,
  playable: Playable,
  link: Link | null,
): ClipView {
  const addressOf = (key: string): string => makeClipFileAddress(files, '', key, { id, link });
  const { posterKey } = playable;
  return {
    state: playable.state,
    name: playable.name,
    width: playable.width,
    height: playable.height,
    video: playable.previewKey && addressOf(playable.previewKey),
    stream: makeStreamView(id, playable, link),
    poster: posterKey && (link ? makeClipAddress(id, 'poster.jpg', link) : addressOf(posterKey)),
    captions: makeCaptionsView(id, playable.edit, link),
    storyboard: makeStoryboardView(playable, addressOf),
    titleBurnedIn: !!playable.edit?.title,
    message: playable.message,
  };
}

export const noStore = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

export async function answerEmbedView(
  service: PageDependencies & { db: Db; tokens: Tokens },
  c: Context<AppEnv>,
): Promise<Response> {
  const { id: userId } = c.get('user');
  const id = c.req.param('id') ?? '';
  const playable = await findPlayable(service.db, id);
  if (!playable || playable.authorId !== userId) throw makeNoClipError();
  await requestPreview(service.queue, id, playable);
  const { score, explanation } = playable;
  const permissions = c.get('permissions');
  const mayTake = permissions.includes('export');
  const exported = mayTake ? await findNewest(service.db, userId, id, 'ready') : undefined;
  // The page reads this again with each token.
  const { links, tokens } = service;
  const link = await links.signPrivate(playable.privateClips, id, tokens.lifetime);
  const exportKey = exported?.file_key ?? null;
  const embedded: EmbedView = {
    ...makeClipView(service.files, id, playable, link),
    score,
    explanation,
    download_url: exportKey && makeClipFileAddress(service.files, '', exportKey, { id, link }),
    files: mayTake ? listFiles(playable) : [],
    permissions: permissions.filter((one) => one !== 'edit' || playable.edit !== null),
  };
  return c.json(embedded, 200, noStore);
}

/** A clip that a request may see, and the link that opens it; null for a public one. */
interface OpenClip {
  readonly id: string;
  readonly playable: Playable;
  readonly link: Link | null;
}

/** Returns the clip of a request; undefined if there is none, or it is private without a link. */
type OpenRequested = (c: Context<AppEnv>) => Promise<OpenClip | undefined>;

const openRequested =
  (links: Links, find: FindPlayable): OpenRequested =>
  async (c) => {
    const id = c.req.param('id') ?? '';
    const playable = await find(id);
    if (!playable) return undefined;
    if (!links.isPrivate(playable.privateClips)) return { id, playable, link: null };
    const link = await links.open(id, c.req.query());
    return link ? { id, playable, link } : undefined;
  };

const revalidated = 'max-age=0, must-revalidate';
/** A first poster is replaced by the framed one, which stays. */
const posterSeconds = { preparing: 0, failed: 0, ready: 300 };

async function sendPoster(
  c: Context<AppEnv>,
  { links, storage }: PageDependencies,
  open: OpenRequested,
): Promise<Response> {
  // A first poster may be removed between the two reads: its place is taken by then.
  for (let reads = 0; reads < 2; reads += 1) {
    const { playable, link } = (await open(c)) ?? {};
    if (!playable?.posterKey) break;
    const seconds = posterSeconds[playable.state];
    const cache =
      seconds === 0
        ? `${link ? 'private' : 'public'}, ${revalidated}`
        : link
          ? links.cacheControl(link, seconds)
          : `public, max-age=${seconds}`;
    const headers = makePublicHeaders('image/jpeg', cache);
    const answer = await sendFile(c, storage, playable.posterKey, headers);
    if (answer) return answer;
  }
  throw makeNoClipError();
}

async function sendCaptions(c: Context<AppEnv>, open: OpenRequested): Promise<Response> {
  const { playable, link } = (await open(c)) ?? {};
  const names = { title: playable?.name ?? '', source: '' };
  const file = playable?.edit && writeClipDocument(playable.edit, 'captions.vtt', names);
  if (!file) throw new ApiError('not-found', 'This clip has no captions.');
  const cache = `${link ? 'private' : 'public'}, ${revalidated}`;
  return sendText(c, file.text, makePublicHeaders(file.type, cache));
}

/** A segment of a preview that is being rendered. */
async function sendSegment(
  c: Context<AppEnv>,
  storage: Storage,
  open: OpenRequested,
): Promise<Response> {
  const stream = (await open(c))?.playable.stream;
  const [, attempt, index] = /^(\d+)-(\d+)$/.exec(c.req.param('segment') ?? '') ?? [];
  const key = stream?.attempt === Number(attempt) ? stream?.keys[Number(index)] : undefined;
  const answer =
    key && (await sendFile(c, storage, key, makePublicHeaders('video/mp4', 'no-store')));
  if (!answer) throw new ApiError('not-found', 'There is no such segment.');
  return answer;
}

interface PlayerQueries {
  readonly find: FindPlayable;
  /** Finds the look that the organization of a clip wants for its pages. */
  readonly findLook: (id: string) => Promise<PageLook | undefined>;
}

/** Returns how the pages look: their headers and options, with an organization's own logo. */
export function makePageParts(service: PageDependencies) {
  const settingsOf = (look: PageLook | undefined) => ({
    ...service.pages,
    ...(look?.logoUrl !== undefined && { logoUrl: look.logoUrl }),
  });
  return {
    headers: (look?: PageLook, hasEditor = false) =>
      makePageHeaders({
        hasEditor,
        settings: settingsOf(look),
        publicUrl: service.publicUrl(),
        fileOrigin: service.files.origin,
      }),
    options: (c: Context<AppEnv>, look?: PageLook): PageOptions => ({
      language: chooseLanguage(c.req.query('lang'), c.req.header('accept-language')),
      settings: settingsOf(look),
      look,
    }),
  };
}

/** Adds the pages of the player and of the embed. */
function addPageRoutes(
  app: Hono<AppEnv>,
  service: PageDependencies,
  open: OpenRequested,
  findLook: PlayerQueries['findLook'],
): void {
  const { headers, options } = makePageParts(service);
  for (const page of ['player', 'embed']) {
    // Its scripts and files are relative to the address without the slash.
    app.get(`/${page}/:id/`, (c) => {
      const { search } = new URL(c.req.url);
      return c.redirect(`../${encodeURIComponent(c.req.param('id'))}${search}`, 308);
    });
  }
  addMethods(app, '/player/:id', {
    GET: async (c) => {
      const opened = await open(c);
      if (!opened) {
        const why = service.links.hasEnded(c.req.query()) ? 'expired' : 'not-found';
        return c.html(makeMissingPage(options(c), why), 404, headers());
      }
      const { id, playable, link } = opened;
      const look = await findLook(id);
      await requestPreview(service.queue, id, playable);
      const page = makePlayerPage(makeClipView(service.files, id, playable, link), {
        ...options(c, look),
        // Where a link is shared, others would go on showing a private clip.
        ...(!link && { head: linkMetadata(makeSharedLink(service, id, playable)) }),
      });
      return c.html(page, 200, headers(look));
    },
  });
  addMethods(app, '/embed/:id', {
    GET: async (c) => {
      const opened = await open(c);
      const poster = opened?.playable.posterKey && `player/${opened.id}/poster.jpg`;
      // The page of a private clip is that of an unknown one.
      const look = opened && (await findLook(opened.id));
      return c.html(makeEmbedPage(options(c, look), poster || null), 200, headers(look, true));
    },
  });
}

async function sendClipView(
  c: Context<AppEnv>,
  { files, links, queue }: PageDependencies,
  open: OpenRequested,
): Promise<Response> {
  const opened = await open(c);
  if (!opened) {
    if (!links.hasEnded(c.req.query())) throw makeNoClipError();
    const detail = 'The link to this clip has expired. Ask for another one.';
    throw new ApiError('clip-not-found', detail, { reason: 'link-expired' });
  }
  const { id, playable, link } = opened;
  await requestPreview(queue, id, playable);
  return c.json(makeClipView(files, id, playable, link), 200, noStore);
}

/** Section 4.13: the pages, and what they load without a token. They need no database. */
export function addPlayerRoutes(
  app: Hono<AppEnv>,
  service: PageDependencies,
  { find, findLook }: PlayerQueries,
): void {
  const open = openRequested(service.links, find);
  addPageRoutes(app, service, open, findLook);
  // Their own page has no origin if its frame has a sandbox.
  app.use('/player/:id/state', cors({ origin: '*', allowMethods: ['GET'] }));
  addMethods(app, '/player/:id/state', { GET: (c) => sendClipView(c, service, open) });
  addMethods(app, '/player/:id/poster.jpg', { GET: (c) => sendPoster(c, service, open) });
  addMethods(app, '/player/:id/captions.vtt', { GET: (c) => sendCaptions(c, open) });
  addMethods(app, '/player/:id/stream/:segment', {
    GET: (c) => sendSegment(c, service.storage, open),
  });
  addMethods(app, '/assets/:name', { GET: sendAsset });
}

/** A script, a style or a text of the pages. */
async function sendAsset(c: Context<AppEnv>): Promise<Response> {
  const accepted = c.req.header('accept-encoding') ?? '';
  const asset = await readAsset(c.req.param('name') ?? '', accepted);
  if (!asset) throw new ApiError('not-found', 'There is no such file.');
  const headers = {
    ...makePublicHeaders(asset.type, 'no-cache'),
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
}

/** Returns the parts that the link of a clip's player page shows where it is shared. */
function makeSharedLink(service: PageDependencies, id: string, playable: Playable): SharedLink {
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
    poster:
      posterKey === null ? null : { url: `${url}/poster.jpg`, ...computePosterSize(playable) },
    video:
      previewKey !== null && edit
        ? {
            url: makeFileAddress(service.files, `${base}/`, previewKey),
            ...renderSize(edit, 'preview'),
          }
        : null,
    oembed: { json: oembed('json'), xml: oembed('xml') },
    indexed: service.indexPlayerPages,
  };
}

/** Consumers send what they have computed, and 0 where they have no limit. */
const pixels = z.pipe(
  z.string().check(z.regex(/^\d{1,6}(\.\d{0,20})?$/, 'must be a number of pixels')),
  z.transform((text) => Math.floor(Number(text)) || undefined),
);

const querySchema = z.object({
  url: httpUrlSchema,
  format: z._default(z.string(), 'json'),
  maxwidth: z.optional(pixels),
  maxheight: z.optional(pixels),
});

/** The id of the clip whose player page is at the address; null if no such page can be there. */
export function parsePlayerPageId(url: string, publicUrl: string): string | null {
  const asked = new URL(url);
  const pages = new URL(`${publicUrl}/player/`);
  if (asked.origin !== pages.origin || !asked.pathname.startsWith(pages.pathname)) return null;
  const id = asked.pathname.slice(pages.pathname.length).replace(/\/$/, '');
  return id === '' || id.includes('/') ? null : id;
}

/** `GET /oembed`: how a player page is embedded (https://oembed.com). Every site may ask. */
export function addOEmbedRoutes(app: Hono<AppEnv>, service: PageDependencies & { db: Db }): void {
  addMethods(app, '/oembed', {
    GET: async (c) => {
      const query = fit(querySchema, readQuery(c), 'query');
      const { format } = query;
      if (format !== 'json' && format !== 'xml') {
        return c.text('The format must be json or xml.', 501);
      }
      const id = parsePlayerPageId(query.url, service.publicUrl());
      const playable = id === null ? undefined : await findPlayable(service.db, id);
      // Callers keep what is answered, so nothing is of a private clip, not even with a link.
      if (id === null || !playable || service.links.isPrivate(playable.privateClips)) {
        throw new ApiError('clip-not-found', 'There is no player page at this address.');
      }
      const box = { width: query.maxwidth, height: query.maxheight };
      const answer = makeOEmbed(makeSharedLink(service, id, playable), box);
      const headers = {
        'Access-Control-Allow-Origin': '*',
        'Cache-Control': `public, max-age=${cacheSeconds}`,
        'X-Content-Type-Options': 'nosniff',
      };
      return format === 'json'
        ? c.json(answer, 200, headers)
        : c.body(formatOEmbedXml(answer), 200, {
            ...headers,
            'Content-Type': 'text/xml; charset=utf-8',
          });
    },
  });
}
