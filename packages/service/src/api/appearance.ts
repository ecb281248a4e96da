import { hash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FontError, maxFontBytes, type Preset, type Presets, readFontFile } from 'clip-engine';
import { type FieldError, listFieldErrors, mutedWordsSchema } from 'clip-kit/contract';
import { mergePatch } from 'clip-player';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import { makeRandomKey } from '../db/id.ts';
import type { Log } from '../config/config.ts';
import type { FontRow, Db } from '../db/schema.ts';
import {
  fit,
  makeMisfitError,
  readBytes,
  readJsonObject,
  refuseUnknownFields,
  requireType,
} from './body.ts';
import { describeAnswer, describeDeletion, describe, describeMaking } from './describe.ts';
import { answerJson } from './json.ts';
import { type AppEnv, addMethods } from './methods.ts';
import { storeFile } from './media.ts';
import { makeOnce } from './once.ts';
import { makePublicHeaders, sendFile } from './send-file.ts';
import { type Files, withWorkDirectory } from '../storage/work-directory.ts';
import { getOrganization } from './users.ts';
import {
  changePreset,
  deletePreset,
  findAppearance,
  findFont,
  findOwnPreset,
  insertFont,
  insertPreset,
  listFonts,
  makeNoPresetError,
  markDeleted,
  listPresets,
  readMutedWords,
  readOwnPresetIds,
  writeAppearance,
  writeMutedWords,
} from '../appearance/queries.ts';
import { requireMedia } from '../appearance/media-queries.ts';
import {
  appearanceSchema,
  makeFontObject,
  fontSchema,
  newPresetSchema,
  ownPresetSchema,
  makePresetObject,
} from '../appearance/rules.ts';

interface Dependencies extends Files {
  closing: AbortSignal;
  db: Db;
  log: Log;
  presets: Presets;
}

/** The body of a preset, or of a patch of one. Throws 400 for unknown fields. */
async function readPresetBody(c: Context): Promise<Record<string, unknown>> {
  const body = await readJsonObject(c);
  refuseUnknownFields(newPresetSchema, body);
  return body;
}

const makePresetError = (errors: FieldError[], reason: string): ApiError =>
  makeMisfitError('The style preset is not valid.', errors, reason);

/** A preset of a body. Throws 422 with each field. */
function readPreset(body: unknown): Preset {
  const { success, data, error } = newPresetSchema.safeParse(body);
  if (success) return data;
  throw makePresetError(listFieldErrors(error), 'preset-invalid');
}

async function addPreset({ db, presets }: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const organizationId = getOrganization(c);
  const preset = readPreset(await readPresetBody(c));
  if (presets.has(preset.id)) {
    const message = `must differ from the ids of the built-in presets, was ${preset.id}`;
    throw makePresetError([{ path: 'id', message }], 'preset-exists');
  }
  await requireMedia(db, organizationId, { before: {}, after: preset.style }, 'style');
  const made = await makeOnce(db, c, preset, {
    make: (admit) => insertPreset(db, { organizationId, admit }, preset),
    read: (made) => findOwnPreset(db, organizationId, made),
  });
  return answerJson(makePresetObject(made, new Set([made.id])), 201);
}

async function patchPreset(db: Db, c: Context<AppEnv>): Promise<Response> {
  const organizationId = getOrganization(c);
  const patch = await readPresetBody(c);
  const known = await findOwnPreset(db, organizationId, c.req.param('preset_id') ?? '');
  if (!known) throw makeNoPresetError();
  if (patch['id'] !== undefined && patch['id'] !== known.id) {
    const message = `cannot be changed: it is ${known.id}`;
    throw makePresetError([{ path: 'id', message }], 'preset-invalid');
  }
  const preset = readPreset(withBoxes(mergePatch(known, patch), patch));
  const media = { before: known.style, after: preset.style };
  await requireMedia(db, organizationId, media, 'style');
  if (!(await changePreset(db, organizationId, preset))) throw makeNoPresetError();
  return answerJson(makePresetObject(preset, new Set([preset.id])));
}

function addPresetRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  const { db } = service;
  addMethods(app, '/style-presets', {
    GET: describe(
      describeAnswer('The style presets that the organization can use', z.array(ownPresetSchema)),
      async (c) => {
        const user = c.get('user');
        const own = await readOwnPresetIds(db, user.organization_id);
        const presets = [...(await listPresets(service, user)).values()];
        return answerJson(presets.map((preset) => makePresetObject(preset, own)));
      },
    ),
    POST: describe(
      describeMaking('Add a style preset of the organization', newPresetSchema, ownPresetSchema, [
        'unprocessable',
      ]),
      (c) => addPreset(service, c),
    ),
  });
  addMethods(app, '/style-presets/:preset_id', {
    GET: describe(describeAnswer('A style preset', ownPresetSchema, ['not-found']), async (c) => {
      const user = c.get('user');
      const preset = (await listPresets(service, user)).get(c.req.param('preset_id') ?? '');
      if (!preset) throw makeNoPresetError();
      return answerJson(makePresetObject(preset, await readOwnPresetIds(db, user.organization_id)));
    }),
    PATCH: describe(
      describeAnswer(
        'Change a style preset with a JSON merge patch',
        ownPresetSchema,
        ['not-found', 'unprocessable'],
        {
          details: 'Exports that have already started keep the old style. Null removes a `box`.',
          body: z.looseObject({}),
        },
      ),
      (c) => patchPreset(db, c),
    ),
    DELETE: describe(
      describeDeletion(
        'Delete a style preset of the organization; clips made with it stay',
        'not-found',
      ),
      async (c) => {
        const organizationId = getOrganization(c);
        if (!(await deletePreset(db, organizationId, c.req.param('preset_id') ?? '')))
          throw makeNoPresetError();
        return c.body(null, 204);
      },
    ),
  });
}

/** A merge patch removes what is null, but no box is null. */
function withBoxes(body: Record<string, unknown>, patch: Record<string, unknown>): unknown {
  const [style, changed] = [body, patch].map(({ style }) => Object(style)) as Record<
    string,
    object | undefined
  >[];
  const parts = ['captions', 'title'].flatMap((part) => {
    const { box } = Object(changed![part]) as { box?: unknown };
    return box === null ? [[part, { ...style![part], box }]] : [];
  });
  return parts.length > 0 ? { ...body, style: { ...style, ...Object.fromEntries(parts) } } : body;
}

const noMutedWords = { sound: 'mute', words: [] };

const fontTypes = /^(?:font\/(?:woff2|ttf|otf|sfnt)|application\/octet-stream)$/;

/** The font of a body. Throws 413, 415 and 422. */
async function readFont(c: Context, closing: AbortSignal) {
  requireType(c, fontTypes, 'of a font: Content-Type: font/woff2, font/ttf or font/otf.');
  const sent = await readBytes(c.req.raw, maxFontBytes);
  try {
    return { ...(await readFontFile(sent, closing)), sha256: hash('sha256', sent) };
  } catch (error) {
    if (error instanceof FontError) throw makeUnprocessableError(error.message, 'font-invalid');
    throw error;
  }
}

async function addFont(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { closing, db, storage } = service;
  const organizationId = getOrganization(c);
  const { bytes, family, weight, sha256 } = await readFont(c, closing);
  const make = async (admit: Parameters<typeof insertFont>[1]['admit']): Promise<FontRow> => {
    const id = randomUUID();
    const key = `fonts/${id}/${makeRandomKey()}.ttf`;
    const font = { id, family, weight, bytes: bytes.byteLength, file_key: key };
    return withWorkDirectory(service, `font-${id}`, async (directory) => {
      const path = join(directory, 'font.ttf');
      await writeFile(path, bytes);
      return storeFile(storage, { key, path }, () =>
        insertFont(db, { organizationId, admit }, font),
      );
    });
  };
  const made = await makeOnce(db, c, { sha256 }, { make, read: (id) => findFont(db, id) });
  return answerJson(makeFontObject(made), 201);
}

function addMutedWordsRoute(app: Hono<AppEnv>, service: Dependencies): void {
  const { db } = service;
  addMethods(app, '/muted-words', {
    GET: describe(
      describeAnswer('The words that are not heard in the organization’s clips', mutedWordsSchema),
      async (c) => answerJson((await readMutedWords(db, getOrganization(c))) ?? noMutedWords),
    ),
    PUT: describe(
      describeAnswer(
        'Change the words that are not heard in the clips that are made from now on',
        mutedWordsSchema,
        [],
        {
          details: 'A clip that is there follows with its next change.',
          body: mutedWordsSchema,
        },
      ),
      async (c) => {
        const organizationId = getOrganization(c);
        const list = fit(mutedWordsSchema, await readJsonObject(c));
        await writeMutedWords(db, organizationId, list);
        service.log({ event: 'muted-words-changed', words: list.words.length });
        return answerJson(list);
      },
    ),
  });
}

function addFontRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  const { db } = service;
  addMethods(app, '/fonts', {
    GET: describe(
      describeAnswer('The fonts of the organization, by family', z.array(fontSchema)),
      async (c) => answerJson((await listFonts(db, getOrganization(c))).map(makeFontObject)),
    ),
    POST: describe(
      describeMaking(
        'Add a font: WOFF2, TTF or OTF of at most 5 MB',
        ['font/woff2', 'font/ttf', 'font/otf'],
        fontSchema,
        ['unprocessable'],
      ),
      (c) => addFont(service, c),
    ),
  });
  addMethods(app, '/fonts/:font_id', {
    DELETE: describe(
      describeDeletion(
        'Delete a font; exports that have already started still use it',
        'not-found',
      ),
      async (c) => {
        if (!(await markDeleted(db, 'fonts', getOrganization(c), c.req.param('font_id') ?? ''))) {
          throw new ApiError('not-found', 'The organization has no font with this id.');
        }
        return c.body(null, 204);
      },
    ),
  });
}

/** An organization's look, fonts and caption styles. Not in the specification. */
export function addAppearanceRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  const { db } = service;
  addMethods(app, '/appearance', {
    GET: describe(
      describeAnswer(
        'The appearance of the organization’s pages; an empty object at first',
        appearanceSchema,
      ),
      async (c) => answerJson((await findAppearance(db, getOrganization(c)))?.value ?? {}),
    ),
    PUT: describe(
      describeAnswer('Change the appearance of the organization’s pages', appearanceSchema, [], {
        body: appearanceSchema,
      }),
      async (c) => {
        const organizationId = getOrganization(c);
        const value = fit(appearanceSchema, await readJsonObject(c));
        await writeAppearance(db, organizationId, value);
        return answerJson(value);
      },
    ),
  });
  addMutedWordsRoute(app, service);
  addFontRoutes(app, service);
  addPresetRoutes(app, service);
}

/** The fonts with which the pages of an organization are set: as public as its pages. */
export function addFontFileRoute(app: Hono<AppEnv>, service: Dependencies): void {
  addMethods(app, '/assets/fonts/:font_id', {
    GET: async (c) => {
      const font = await findFont(service.db, c.req.param('font_id') ?? '');
      const headers = makePublicHeaders('font/ttf', 'public, max-age=86400');
      const answer = font && (await sendFile(c, service.storage, font.file_key, headers));
      if (!answer) throw new ApiError('not-found', 'There is no such font.');
      return answer;
    },
  });
}
