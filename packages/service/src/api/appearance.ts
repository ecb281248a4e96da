import { hash, randomUUID } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BumperError,
  FontError,
  maxBumperBytes,
  maxFontBytes,
  maxMusicBytes,
  MusicError,
  type Preset,
  type Presets,
  readBumperFile,
  readFontFile,
  readMusicFile,
} from 'clip-engine';
import {
  bumperSchema,
  type FieldError,
  listFieldErrors,
  musicSchema,
  mutedWordsSchema,
} from 'clip-kit/contract';
import { mergePatch } from 'clip-player';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import { makeRandomKey } from '../db/id.ts';
import type { Log } from '../config/config.ts';
import type { FontRow, Db, MediaRow } from '../db/schema.ts';
import {
  fit,
  makeMisfitError,
  readBytes,
  readJsonObject,
  readQuery,
  refuseUnknownFields,
} from './body.ts';
import { describeAnswer, describeDeletion, describe, describeMaking } from './describe.ts';
import { answerJson } from './json.ts';
import { type AppEnv, addMethods } from './methods.ts';
import { makeOnce, type Making } from './once.ts';
import { makePublicHeaders, sendFile } from './send-file.ts';
import { type Files, withWorkDirectory } from '../storage/work-directory.ts';
import { UserSlots } from '../exports/start-export.ts';
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
import { deleteMedia, insertMedia, listMedia, requireMedia } from '../appearance/media-queries.ts';
import {
  appearanceSchema,
  makeFontObject,
  makeMediaObject,
  fontSchema,
  newBumperSchema,
  newMusicSchema,
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

/** Throws 415 for a body of another type. */
function requireType(c: Context, types: RegExp, wanted: string): void {
  const type = (c.req.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (!types.test(type))
    throw new ApiError('unsupported-media-type', `The body must be the bytes ${wanted}`);
}

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

/** Stores a file and makes its row: without the row, the file is removed again. */
async function storeFile<Row>(
  storage: Dependencies['storage'],
  { key, path }: { key: string; path: string },
  makeRow: () => Promise<Row>,
): Promise<Row> {
  await storage.put(key, path, { maxMs: 5_000 });
  try {
    return await makeRow();
  } catch (error) {
    await storage.remove(key);
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

interface StoreOptions {
  output: string;
  /** The parsed query of the call. */
  query: { name: string; seconds?: number | undefined };
  signal: AbortSignal;
}

/** A kind of media: what is sent, and what is stored of it. */
interface MediaPart {
  readonly kind: MediaRow['kind'];
  readonly noun: 'music' | 'a bumper';
  /** Name of the collection. */
  readonly list: 'music' | 'bumpers';
  readonly types: readonly string[];
  readonly maxBytes: number;
  readonly querySchema: z.ZodMiniType<StoreOptions['query']>;
  readonly schema: typeof musicSchema;
  readonly extension: string;
  /** Throws {@link MusicError} or {@link BumperError}. */
  readonly store: (path: string, options: StoreOptions) => Promise<{ seconds: number }>;
}

const mediaParts: readonly MediaPart[] = [
  {
    kind: 'music',
    noun: 'music',
    list: 'music',
    types: ['audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/wav', 'audio/flac', 'audio/ogg'],
    maxBytes: maxMusicBytes,
    querySchema: newMusicSchema,
    schema: musicSchema,
    extension: 'm4a',
    store: readMusicFile,
  },
  {
    kind: 'bumper',
    noun: 'a bumper',
    list: 'bumpers',
    types: ['video/mp4', 'video/quicktime', 'video/webm', 'image/png', 'image/jpeg', 'image/webp'],
    maxBytes: maxBumperBytes,
    querySchema: newBumperSchema,
    schema: bumperSchema,
    extension: 'mp4',
    store: (path, { query, ...options }) =>
      readBumperFile(path, { ...options, seconds: query.seconds }),
  },
];

/** The number of media files that this process encodes at the same time. */
const mediaSlots = new UserSlots({ all: 2, ofUser: 1 });

/** Stores the music or bumper of a body. Throws 413, 415 and 422. */
async function addMedia(
  service: Dependencies,
  { kind, types, maxBytes, querySchema, extension, ...part }: MediaPart,
  c: Context<AppEnv>,
): Promise<Response> {
  const { closing, db, storage } = service;
  const organizationId = getOrganization(c);
  const query = fit(querySchema, readQuery(c), 'query');
  const families = [...new Set(types.map((type) => type.split('/')[0]))].join('|');
  const allowed = new RegExp(`^(?:(?:${families})/[a-z0-9.+-]+|application/octet-stream)$`);
  requireType(c, allowed, `of ${part.noun}: Content-Type: ${types.join(', ')}.`);
  const sent = await readBytes(c.req.raw, maxBytes);
  const make: Making<MediaRow>['make'] = (admit) => {
    const id = randomUUID();
    const key = `media/${id}/${makeRandomKey()}.${extension}`;
    return withWorkDirectory(service, `${kind}-${id}`, async (directory) => {
      const [path, output] = [join(directory, 'sent'), join(directory, `stored.${extension}`)];
      await writeFile(path, sent);
      const options = { output, query, signal: closing };
      const { seconds } = await mediaSlots
        .run(organizationId, closing, () => part.store(path, options))
        .catch((error: unknown) => {
          if (error instanceof MusicError || error instanceof BumperError)
            throw makeUnprocessableError(error.message, `${kind}-invalid`);
          throw error;
        });
      const { size: bytes } = await stat(output);
      const media = { id, kind, name: query.name, seconds, bytes, file_key: key };
      return storeFile(storage, { key, path: output }, () =>
        insertMedia(db, { organizationId, admit }, media),
      );
    });
  };
  const asked = { ...query, sha256: hash('sha256', sent) };
  const made = await makeOnce(db, c, asked, {
    make,
    read: async (id) => (await listMedia(db, organizationId)).find((one) => one.id === id),
  });
  service.log({ event: `${kind}-added`, id: made.id });
  return answerJson(makeMediaObject(made), 201);
}

function addMediaRoutes(app: Hono<AppEnv>, service: Dependencies, part: MediaPart): void {
  const { db } = service;
  const { kind, noun, list, types, maxBytes, querySchema, schema } = part;
  addMethods(app, `/${list}`, {
    GET: describe(
      describeAnswer(`The ${list} of the organization, by name`, z.array(schema)),
      async (c) => {
        const media = await listMedia(db, c.get('user').organization_id);
        return answerJson(media.filter((one) => one.kind === kind).map(makeMediaObject));
      },
    ),
    POST: describe(
      describeMaking(
        `Add ${noun} of at most ${maxBytes / 1024 ** 2} MB`,
        types,
        schema,
        ['unprocessable'],
        { query: querySchema },
      ),
      (c) => addMedia(service, part, c),
    ),
  });
  addMethods(app, `/${list}/:media_id`, {
    DELETE: describe(
      describeDeletion(`Delete ${noun}; clips that have it keep it`, 'not-found', 'unprocessable'),
      async (c) => {
        const id = c.req.param('media_id') ?? '';
        if (!(await deleteMedia(db, getOrganization(c), { id, kind }))) {
          throw new ApiError('not-found', `The organization has no ${kind} with this id.`);
        }
        service.log({ event: `${kind}-deleted`, id });
        return c.body(null, 204);
      },
    ),
  });
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
  for (const part of mediaParts) addMediaRoutes(app, service, part);
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
