import { captionFonts, editWords, emojiNames, openEmojiFont } from 'clip-engine';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import type { ServiceContext } from '../context.ts';
import { findEdit } from './queries.ts';
import { basisOf } from './edit-document.ts';
import { fit, readQuery } from '../http/body.ts';
import { holdSignal } from '../http/hold.ts';
import { json } from '../http/json.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { requirePreset } from '../http/preset-field.ts';
import { ApiError } from '../http/problem.ts';
import { publicFile } from '../http/send-file.ts';

type Needs = Pick<ServiceContext, 'closing' | 'db' | 'presets'>;

const querySchema = z.strictObject({
  text: z.optional(z.string()),
  style_preset_id: z.optional(z.string()),
});

/** The fonts with which the words of a clip are drawn, cut down to the letters that it may show. */
async function fonts(service: Needs, c: Context<AppEnv>): Promise<Response> {
  const { text = '', style_preset_id: preset } = fit(querySchema, readQuery(c), 'query');
  const clip = await findEdit(service.db, c.get('user').id, c.req.param('id') ?? '');
  if (!clip) throw new ApiError('clip-not-found', 'There is no such clip.');
  const basis = basisOf(clip);
  const { changes, edit } = clip;
  const words = [...editWords(basis, {}), ...editWords(basis, changes)];
  const shown = [...words.map((word) => word.text), basis.title, changes.title ?? '', text];
  const style = preset && requirePreset(service.presets, 'style_preset_id', preset).style;
  const { files, fallback } = await captionFonts(
    { ...edit, ...(style && { style }), title: { text: shown.join(' '), end: 1 } },
    holdSignal(c, service),
  );
  return json({ files: files.map((file) => Buffer.from(file).toString('base64')), fallback });
}

/** 10 MB: read once, if anyone asks. */
let emojiFont: ReturnType<typeof openEmojiFont> | undefined;

/** The picture with which an emoji is drawn here. */
async function emoji(c: Context<AppEnv>): Promise<Response> {
  const png = (await (emojiFont ??= openEmojiFont()))?.png(c.req.param('emoji') ?? '');
  if (!png) throw new ApiError('not-found', 'There is no picture of this emoji.');
  return new Response(new Uint8Array(png), {
    headers: publicFile('image/png', 'public, max-age=86400'),
  });
}

/** The emoji of a language by name. */
const names = (c: Context<AppEnv>): Response =>
  new Response(JSON.stringify([...emojiNames(c.req.param('language') ?? '')]), {
    headers: publicFile('application/json', 'public, max-age=86400'),
  });

/** What the editor draws text with. */
export function fontRoutes(embed: Hono<AppEnv>, service: Needs): void {
  methods(embed, '/projects/:id/fonts', { GET: (c) => fonts(service, c) });
}

/** The pictures and names of emoji are the same for all, and have no secret. */
export function emojiRoutes(app: Hono<AppEnv>): void {
  methods(app, '/assets/emoji/names/:language', { GET: names });
  methods(app, '/assets/emoji/:emoji', { GET: emoji });
}
