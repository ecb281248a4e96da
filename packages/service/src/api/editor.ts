import {
  captionFonts,
  editWords,
  isSegmentComplete,
  loadEmojiNames,
  moveToSegment,
  openEmojiFont,
  renderDraftPreview,
  type PictureStrip,
  type Span,
  type Presets,
} from 'clip-engine';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import * as z from 'zod/mini';
import { listMedia, listMediaIds } from '../appearance/media-queries.ts';
import { findOwnFonts, listPresets } from '../appearance/queries.ts';
import { withLocalFiles } from '../storage/work-directory.ts';
import { type EditedClip, findProxy, isSpanShown, startProxy } from '../edits/queries.ts';
import { makeEditInputs, editDocument, isPlayableInBrowsers } from '../edits/rules.ts';
import { authenticateEmbed, requirePermission } from './authentication.ts';
import { type AppEnv, addMethods, requestSignal } from './methods.ts';
import { addEditorExportRoutes } from './exports.ts';
import { editRoutes, findRequestedEdit } from './edits.ts';
import { answerEmbedView } from './player.ts';
import { readReport } from './views.ts';
import { addClipFileRoutes } from './clips.ts';
import type { ProxyRow, Db } from '../db/schema.ts';
import { makeClipFileAddress } from '../links/links.ts';
import { answerJson } from './json.ts';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import { fit, readQuery, requirePreset } from './body.ts';
import { makePublicHeaders, sendFile } from './send-file.ts';

/** Returns an edit with all that a page needs to draw a change without a request. */
const makeEditorView =
  (service: { db: Db; presets: Presets }) => async (clip: EditedClip, c: Context<AppEnv>) => ({
    edit: editDocument(clip),
    inputs: makeEditInputs(clip),
    analysis: clip.analysis,
    permissions: c.get('permissions'),
    editor: c.get('editor'),
    presets: [...(await listPresets(service, c.get('user'))).values()].map(
      ({ id, name, style }) => ({
        id,
        name,
        style,
      }),
    ),
    media: (
      await listMedia(service.db, c.get('user').organization_id, listMediaIds(clip.edit))
    ).map(({ id, kind, name, seconds }) => ({
      ...{ id, kind, name, seconds },
    })),
    // What decides how far the clip can be extended.
    margin: clip.source ? 'source' : 'segment',
  });

type Dependencies = Parameters<typeof authenticateEmbed>[0] &
  Parameters<typeof editRoutes>[1] &
  Parameters<typeof answerEmbedView>[0] &
  Parameters<typeof addEditorExportRoutes>[1];

/** The calls that the embed page makes with its token. */
export function addEditorRoutes(app: Hono<AppEnv>, service: Dependencies): void {
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
  embed.use(authenticateEmbed(service));
  embed.use('/projects/:id/edit/*', requirePermission('edit'));
  for (const name of ['proxy', 'draft', 'source', 'fonts', 'media/*'])
    embed.use(`/projects/:id/${name}`, requirePermission('edit'));
  for (const name of ['exports', 'allowance', 'files/*']) {
    embed.use(`/projects/:id/${name}`, requirePermission('export'));
  }
  editRoutes(embed, service, makeEditorView(service));
  addMethods(embed, '/projects/:id', { GET: (c) => answerEmbedView(service, c) });
  addMethods(embed, '/projects/:id/views', { GET: (c) => readReport(service, c) });
  addProxyRoutes(embed, service);
  addMethods(embed, '/projects/:id/fonts', { GET: (c) => sendFonts(service, c) });
  addMethods(embed, '/projects/:id/media/:media_id', { GET: (c) => sendMedia(service, c) });
  addEditorExportRoutes(embed, service);
  addClipFileRoutes(embed, service);
  app.route('/embed-api', embed);
  // The same for all: they have no secret.
  addMethods(app, '/assets/emoji/names/:language', { GET: sendNames });
  addMethods(app, '/assets/emoji/:emoji', { GET: sendEmoji });
}

const states = { processing: 'preparing', ready: 'ready', error: 'failed' } as const;

/** Returns the view that the page reads. Addresses may be relative to the service's root. */
function makeProxyView(
  addressOf: (key: string) => string,
  wanted: Span,
  proxy: ProxyRow | undefined,
) {
  // One that failed is shown as that until it is asked for again.
  const row = proxy && (proxy.status === 'error' || isSpanShown(proxy, wanted)) ? proxy : undefined;
  const made = row?.status === 'ready' ? row.made : null;
  const { start, end } = row?.span ?? wanted;
  return {
    state: row ? states[row.status] : 'missing',
    progress: row?.share ?? 0,
    message: row?.failure_message ?? null,
    start,
    end,
    video: made && addressOf(made.videoKey),
    strip: made && makeStripView(made.strip, addressOf(made.stripKey)),
    wave: made && { step_seconds: made.wave.stepSeconds, peaks: made.wave.peaks },
  };
}

function makeStripView({ stepSeconds, ...places }: PictureStrip, url: string) {
  return { url, ...places, step_seconds: stepSeconds };
}

/**
 * Adds the routes of the clip's source in the editor: a small video, a filmstrip, and the sound
 * wave.
 */
function addProxyRoutes(embed: Hono<AppEnv>, service: Dependencies): void {
  /** Where browsers read the source itself until the token ends; null if they cannot play it. */
  const sourceAddress = async ({ id, author_id, source }: EditedClip): Promise<string | null> =>
    source && isPlayableInBrowsers(source)
      ? `embed-api/projects/${id}/source?source_token=${await service.tokens.issue(author_id, ['edit'], { audience: `source:${id}` })}`
      : null;
  const addressesOf = async ({ id }: EditedClip, c: Context<AppEnv>) => {
    const setting = await service.changes.accounts.privateClips(c.get('user').organization_id);
    const link = await service.links.signPrivate(setting, id, service.tokens.lifetime);
    return (key: string): string => makeClipFileAddress(service.files, '', key, { id, link });
  };
  addMethods(embed, '/projects/:id/proxy', {
    GET: async (c) => {
      const clip = await findRequestedEdit(service.db, c);
      const proxy = await findProxy(service.db, clip.id);
      const view = makeProxyView(await addressesOf(clip, c), makeEditInputs(clip).editable, proxy);
      return answerJson({ ...view, source: await sourceAddress(clip) });
    },
    POST: async (c) => {
      const clip = await findRequestedEdit(service.db, c);
      if (!clip.source && !clip.segment) {
        throw makeUnprocessableError('The source of this clip is no longer stored.', 'source-gone');
      }
      const { editable } = makeEditInputs(clip);
      const proxy = await startProxy(service.db, service.queue, clip, editable);
      const view = makeProxyView(await addressesOf(clip, c), editable, proxy);
      return answerJson({ ...view, source: await sourceAddress(clip) }, 202);
    },
  });
  addMethods(embed, '/projects/:id/draft', { GET: (c) => sendDraft(service, c) });
  addMethods(embed, '/projects/:id/source', {
    GET: async (c) => {
      const { source } = await findRequestedEdit(service.db, c);
      const headers = makePublicHeaders('video/mp4', 'private, max-age=600');
      const answer = source && (await sendFile(c, service.storage, source.key, headers));
      if (!answer) throw new ApiError('not-found', 'The source of this clip is no longer stored.');
      return answer;
    },
  });
}

/** Controllers that end the draft of each user, by the user's id. */
const openDrafts = new Map<string, AbortController>();

/**
 * Sends what the timeline shows until there is a proxy, a line of JSON for each part: a filmstrip
 * of keyframes, and pieces of the sound wave. A draft that fails ends early, and so does one whose
 * user opens another editor: each costs two processes.
 */
async function sendDraft(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const user = c.get('user');
  service.limits.takeRequest(user);
  const clip = await findRequestedEdit(service.db, c);
  const span = makeEditInputs(clip).editable;
  const whole = { ...clip.edit, ranges: [span] };
  const segment = clip.segment && isSegmentComplete(clip.segment, whole) ? clip.segment : null;
  const file = segment ?? clip.source;
  if (!file) throw new ApiError('not-found', 'The source of this clip is no longer stored.');
  const lines = new TransformStream<Uint8Array, Uint8Array>();
  const writer = lines.writable.getWriter();
  const ended = new AbortController();
  openDrafts.get(user.id)?.abort();
  openDrafts.set(user.id, ended);
  writer.closed.catch((error: unknown) => ended.abort(error));
  const signal = AbortSignal.any([requestSignal(c, service), ended.signal]);
  const write = (part: object) =>
    void writer.write(Buffer.from(`${JSON.stringify({ ...span, ...part })}\n`)).catch(() => {});
  withLocalFiles(service.storage, signal, async (localPath) => {
    const { source, ranges } = segment ? moveToSegment(whole, segment) : whole;
    await renderDraftPreview(source, ranges[0]!, {
      source: await localPath(file.key),
      startTime: segment ? undefined : (clip.source!.media.startTime ?? 0),
      signal,
      onStrip: (strip, jpeg) =>
        write({ strip: makeStripView(strip, `data:image/jpeg;base64,${jpeg.toString('base64')}`) }),
      onWave: ({ stepSeconds, peaks }) => write({ wave: { step_seconds: stepSeconds, peaks } }),
    });
  })
    .catch(() => {})
    .finally(() => {
      if (openDrafts.get(user.id) === ended) openDrafts.delete(user.id);
      void writer.close().catch(() => {});
    });
  const headers = { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' };
  return new Response(lines.readable, { headers });
}

const querySchema = z.strictObject({
  text: z.optional(z.string()),
  style_preset_id: z.optional(z.string()),
});

/** The fonts with which the words of a clip are drawn, cut down to the letters that it may show. */
async function sendFonts(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  service.limits.takeRequest(c.get('user'));
  const { text = '', style_preset_id: preset } = fit(querySchema, readQuery(c), 'query');
  const clip = await findRequestedEdit(service.db, c);
  const inputs = makeEditInputs(clip);
  const { changes, edit } = clip;
  const words = [...editWords(inputs, {}), ...editWords(inputs, changes)];
  // Muted words are masked with asterisks.
  const shown = [...words.map((word) => word.text), inputs.title, changes.title ?? '', text, '*'];
  const ids = preset === undefined ? [] : [...new Set(preset.split(','))];
  const presets = await listPresets(service, c.get('user'));
  const styles = ids.map((id) => requirePreset(presets, 'style_preset_id', id).style);
  const title = { text: shown.join(' '), end: 1 };
  const shownEdits = (styles.length > 0 ? styles : [null]).map((style) => ({
    ...edit,
    ...(style && { style }),
    title,
  }));
  const found = await withLocalFiles(service.storage, service.closing, async (localPath) => {
    const named = shownEdits.flatMap(({ style }) => style ?? []);
    const own = await findOwnFonts(service.db, clip.author_id, named, { at: null, localPath });
    return Promise.all(shownEdits.map((one) => captionFonts(one, service.closing, own)));
  });
  const files = found.flatMap((one) => one.files);
  const texts = new Set(files.map((file) => Buffer.from(file).toString('base64')));
  return answerJson({ files: [...texts], fallback: found[0]!.fallback });
}

/** Sends music or a bumper that the clip has, or can have. */
async function sendMedia(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const id = c.req.param('media_id') ?? '';
  const { organization_id: organizationId } = c.get('user');
  const media = (await listMedia(service.db, organizationId, [id])).find((one) => one.id === id);
  const type = media?.kind === 'music' ? 'audio/mp4' : 'video/mp4';
  const headers = makePublicHeaders(type, 'private, max-age=600');
  const answer = media && (await sendFile(c, service.storage, media.file_key, headers));
  if (!answer) throw new ApiError('not-found', 'There is no such media.');
  return answer;
}

/** 10 MB: read once, if anyone asks. */
let emojiFont: ReturnType<typeof openEmojiFont> | undefined;

/** The picture with which an emoji is drawn here. */
async function sendEmoji(c: Context<AppEnv>): Promise<Response> {
  const png = (await (emojiFont ??= openEmojiFont()))?.png(c.req.param('emoji') ?? '');
  if (!png) throw new ApiError('not-found', 'This emoji has no picture.');
  return new Response(new Uint8Array(png), {
    headers: makePublicHeaders('image/png', 'public, max-age=86400'),
  });
}

/** The emoji of a language by name. */
const sendNames = (c: Context<AppEnv>): Response =>
  new Response(JSON.stringify([...loadEmojiNames(c.req.param('language') ?? '')]), {
    headers: makePublicHeaders('application/json', 'public, max-age=86400'),
  });
