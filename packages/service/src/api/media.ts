import { hash, randomUUID } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BumperError,
  maxBumperBytes,
  maxMusicBytes,
  MusicError,
  readBumperFile,
  readMusicFile,
} from 'clip-engine';
import { bumperSchema, musicSchema } from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import { deleteMedia, insertMedia, listMedia } from '../appearance/media-queries.ts';
import { makeMediaObject, newBumperSchema, newMusicSchema } from '../appearance/rules.ts';
import type { Log } from '../config/config.ts';
import { makeRandomKey } from '../db/id.ts';
import type { Db, MediaRow } from '../db/schema.ts';
import { UserSlots } from '../exports/start-export.ts';
import { type Files, withWorkDirectory } from '../storage/work-directory.ts';
import { fit, readBytes, readQuery, requireType } from './body.ts';
import { describe, describeAnswer, describeDeletion, describeMaking } from './describe.ts';
import { answerJson } from './json.ts';
import { type AppEnv, addMethods } from './methods.ts';
import { makeOnce, type Making } from './once.ts';
import { getOrganization } from './users.ts';

interface Dependencies extends Files {
  closing: AbortSignal;
  db: Db;
  log: Log;
}

/** Stores a file and makes its row: without the row, the file is removed again. */
export async function storeFile<Row>(
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

function addPartRoutes(app: Hono<AppEnv>, service: Dependencies, part: MediaPart): void {
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

/** An organization's music and bumpers, which clips play. Not in the specification. */
export function addMediaRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  for (const part of mediaParts) addPartRoutes(app, service, part);
}
