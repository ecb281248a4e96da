import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import {
  newShareSchema,
  type Share,
  shareListSchema,
  type ShareWithUrl,
  shareWithUrlSchema,
} from 'clip-kit/contract';
import { makeMissingPage, makeSharedClipPage, makeSharedListPage } from 'clip-player';
import type { Context, Hono } from 'hono';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import { findLook } from '../appearance/queries.ts';
import { findFolder, findPlayable, findWatchedClip, listClips } from '../clips/queries.ts';
import type { Log } from '../config/config.ts';
import type { Db, ShareRow } from '../db/schema.ts';
import { findNewest } from '../exports/queries.ts';
import { makeClipAddress } from '../links/links.ts';
import {
  findShare,
  insertShare,
  listShares,
  maxOpenShares,
  type OpenedShare,
  revokeShare,
  type Shared,
} from '../links/share-queries.ts';
import { limitReached, RequestRate } from '../users/limits.ts';
import { fit, readJsonObject } from './body.ts';
import { getClientAddress } from './client-address.ts';
import { describe, describeAnswer, describeDeletion } from './describe.ts';
import { makeContentDisposition } from './exports.ts';
import { answerJson } from './json.ts';
import { addMethods, type AppEnv } from './methods.ts';
import { findRequestedClip } from './own-clips.ts';
import {
  makeClipView,
  makePageParts,
  noStore,
  type PageDependencies,
  requestPreview,
} from './player.ts';
import { sendFile } from './send-file.ts';

/** The clip or folder of a call. Throws 404. */
async function findShared(db: Db, c: Context<AppEnv>): Promise<Shared> {
  const [userId, id] = [c.get('user').id, c.req.param('id') ?? ''];
  if (await findFolder(db, userId, id)) return { userId, kind: 'folder', id };
  await findRequestedClip(db, c, id);
  return { userId, kind: 'project', id };
}

const makeShareObject = (row: ShareRow): Share => ({
  id: row.id,
  download: row.download,
  expires_at: row.expires_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

/** Logs what was done: the line also has the organization, the user and the request. */
const noteAudit = ({ log }: { log: Log }, action: 'create' | 'revoke', share: string) =>
  log({ event: 'share-audit', action, share });

async function createShare(
  service: { db: Db; log: Log; publicUrl: () => string },
  c: Context<AppEnv>,
): Promise<Response> {
  const asked = fit(newShareSchema, await readJsonObject(c));
  if (asked.expires_at && Date.parse(asked.expires_at) <= Date.now()) {
    const message = `expires_at must be in the future, was ${asked.expires_at}.`;
    throw makeUnprocessableError(message, 'share-end', 'expires_at');
  }
  const made = await insertShare(service.db, await findShared(service.db, c), asked);
  if (!made) {
    const message = `There are ${maxOpenShares} open links already: revoke one first.`;
    throw makeUnprocessableError(message, 'too-many-shares');
  }
  noteAudit(service, 'create', made.row.id);
  const url = `${service.publicUrl()}/share/${made.row.id}?key=${made.key}`;
  return answerJson({ ...makeShareObject(made.row), url } satisfies ShareWithUrl, 201);
}

/** Links that open a clip, or all clips of a folder, to anyone. Not in the specification. */
export function addShareRoutes(
  app: Hono<AppEnv>,
  service: { db: Db; log: Log; publicUrl: () => string },
): void {
  const { db } = service;
  addMethods(app, '/projects/:id/shares', {
    GET: describe(
      describeAnswer('The share links of a clip or folder, the newest first', shareListSchema, [
        'clip-not-found',
      ]),
      async (c) => answerJson((await listShares(db, await findShared(db, c))).map(makeShareObject)),
    ),
    POST: describe(
      {
        summary: 'Share a clip or folder; the answer has the address, which no other call shows',
        body: newShareSchema,
        answers: { 201: ['The link', shareWithUrlSchema] },
        errors: ['clip-not-found', 'unprocessable'],
      },
      (c) => createShare(service, c),
    ),
  });
  addMethods(app, '/projects/:id/shares/:share_id', {
    DELETE: describe(
      describeDeletion('Revoke a share link', 'clip-not-found', 'not-found'),
      async (c) => {
        const id = c.req.param('share_id') ?? '';
        if (!(await revokeShare(db, await findShared(db, c), id))) {
          throw new ApiError('not-found', 'There is no such share link of this clip or folder.');
        }
        noteAudit(service, 'revoke', id);
        return c.body(null, 204);
      },
    ),
  });
}

/** The lifetime of signed addresses on the pages, in seconds: a revoked link ends them soon. */
const signedSeconds = 900;

/** Addresses that open nothing, which one client may ask for in a minute. */
const wrongPerMinute = 60;

type Dependencies = PageDependencies & { db: Db; proxies: BlockList };

/** Opens the link of a request, or says why it opens nothing. Throws 429 for many wrong ones. */
function makeOpening({ db, proxies }: Dependencies) {
  const wrong = new RequestRate(wrongPerMinute);
  return async (c: Context<AppEnv>): Promise<OpenedShare | 'not-found' | 'revoked' | 'ended'> => {
    const share = await findShare(db, c.req.param('id') ?? '', c.req.query('key') ?? '');
    if (share) return share.state === 'open' ? share : share.state;
    const { incoming } = c.env as { incoming?: IncomingMessage };
    const forwardedFor = c.req.header('x-forwarded-for');
    const client = getClientAddress(incoming?.socket.remoteAddress, forwardedFor, proxies);
    const wait = wrong.take(client ?? '');
    if (wait > 0) throw limitReached('requests', 'Too many wrong addresses in a minute.', wait);
    return 'not-found';
  };
}

/** The clip that a request wants to see of what is shared; undefined if it is not among it. */
async function findSharedClip(db: Db, c: Context<AppEnv>, share: OpenedShare) {
  const id = share.project_id ?? c.req.query('clip') ?? '';
  const isShared =
    !share.folder_id || (await findWatchedClip(db, share.author_id, id, share.folder_id));
  const playable = isShared ? await findPlayable(db, id) : undefined;
  return playable && { id, playable };
}

type SharedClip = NonNullable<Awaited<ReturnType<typeof findSharedClip>>>;

/** The view of a clip, with addresses that end soon where clips are private. */
async function makeSharedView({ files, links, queue }: Dependencies, { id, playable }: SharedClip) {
  await requestPreview(queue, id, playable);
  const link = await links.signPrivate(playable.privateClips, id, signedSeconds);
  return makeClipView(files, id, playable, link);
}

/** The page of all clips of a folder that have something to see. */
async function makeListPage({ db, links }: Dependencies, share: OpenedShare, search: string) {
  const rows = await listClips(db, share.folder_id!);
  const shown = rows.filter((row) => row.preview !== 'failed' || row.preview_key !== null);
  const one = shown[0] && (await findPlayable(db, shown[0].id));
  const setting = one?.privateClips ?? null;
  const clips = shown.map(async ({ id, name, edit, poster_key: poster }) => ({
    ...{ name, ...edit.dimensions, duration: edit.duration },
    href: `share/${share.id}${search}&clip=${id}`,
    poster:
      poster &&
      makeClipAddress(id, 'poster.jpg', await links.signPrivate(setting, id, signedSeconds)),
  }));
  return { clips: await Promise.all(clips), lookOf: shown[0]?.id ?? '', name: share.name ?? '' };
}

/** The pages that a share link opens. They need no key of the API and no token. */
export function addSharePages(app: Hono<AppEnv>, service: Dependencies): void {
  const { db, storage } = service;
  const { headers, options } = makePageParts(service);
  const open = makeOpening(service);
  const refuse = (c: Context<AppEnv>, why: Parameters<typeof makeMissingPage>[1]) =>
    c.html(
      makeMissingPage(options(c), why),
      why === 'revoked' || why === 'ended' ? 410 : 404,
      headers(),
    );
  /** Answers with what an open link shows; 404 for undefined. */
  const addPage = (
    path: string,
    answer: (c: Context<AppEnv>, share: OpenedShare) => Promise<Response | undefined>,
  ) =>
    addMethods(app, path, {
      GET: async (c) => {
        const share = await open(c);
        if (typeof share === 'string') return refuse(c, share);
        return (await answer(c, share)) ?? refuse(c, 'not-found');
      },
    });
  /** The file of a shared clip. Nobody pays for one that a viewer wants. */
  const sendShared = async (c: Context<AppEnv>, share: OpenedShare) => {
    const found = share.download ? await findSharedClip(db, c, share) : undefined;
    if (!found) return undefined;
    const exported = await findNewest(db, share.author_id, found.id, 'ready');
    if (!exported?.file_key) return refuse(c, 'no-file');
    const file = await sendFile(c, storage, exported.file_key, {
      'Content-Type': 'video/mp4',
      'Content-Disposition': makeContentDisposition(exported.name),
      ...{ 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' },
    });
    return file ?? refuse(c, 'no-file');
  };
  addPage('/share/:id', async (c, share) => {
    if (c.req.query('download') !== undefined) return sendShared(c, share);
    const search = `?key=${encodeURIComponent(c.req.query('key')!)}`;
    if (share.folder_id && c.req.query('clip') === undefined) {
      const { lookOf, ...list } = await makeListPage(service, share, search);
      const look = await findLook(db, lookOf);
      return c.html(makeSharedListPage(list, options(c, look)), 200, headers(look));
    }
    const found = await findSharedClip(db, c, share);
    if (!found) return undefined;
    const look = await findLook(db, found.id);
    const exported = await findNewest(db, share.author_id, found.id, 'ready');
    const own = `${search}${share.folder_id ? `&clip=${found.id}` : ''}`;
    const file = exported ? `share/${share.id}${own}&download` : 'none';
    const page = makeSharedClipPage(await makeSharedView(service, found), options(c, look), {
      back: share.folder_id && `share/${share.id}${search}`,
      download: share.download ? file : null,
    });
    return c.html(page, 200, headers(look));
  });
  addPage('/share/:id/state', async (c, share) => {
    const found = await findSharedClip(db, c, share);
    return found && c.json(await makeSharedView(service, found), 200, noStore);
  });
}
