import { Server } from '@tus/server';
import { newUploadSchema, uploadSchema } from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import type { Log, UploadLimits } from '../config/config.ts';
import type { IncomingFiles, Storage } from '../storage/storage.ts';
import type { UploadRow, Db } from '../db/schema.ts';
import { createUpload, deleteUpload, lockAnnouncedBytes, readUpload } from '../uploads/queries.ts';
import { makeRandomKey } from '../db/id.ts';
import {
  getKind,
  makeNoRoomError,
  requireUploadable,
  requireUploadRoom,
  uploadObject,
} from '../uploads/rules.ts';
import { UploadLocks } from '../uploads/locks.ts';
import { UploadStore, uploadTaken } from '../uploads/store.ts';
import { makeProblem, makeTusProblem } from './answer-error.ts';
import { fit, readJsonObject } from './body.ts';
import { describeAnswer, describeDeletion, describe, describeMaking } from './describe.ts';
import { answerJson } from './json.ts';
import { addMethods, type AppEnv } from './methods.ts';
import { makeOnce } from './once.ts';
import { ApiError } from '../api-error.ts';
import { answerProblem } from './problem.ts';

interface Dependencies {
  incomingFiles: IncomingFiles;
  closing: AbortSignal;
  db: Db;
  log: Log;
  maxSourceSeconds: number;
  publicUrl: () => string;
  storage: Storage;
  untakenUploadDays: number;
  uploadLimits: Required<UploadLimits>;
}

const makeNoUploadError = (): ApiError => new ApiError('not-found', 'There is no such upload.');

async function findOwnUpload(service: Dependencies, c: Context<AppEnv>): Promise<UploadRow> {
  const row = await readUpload(service.db, c.req.param('upload_id') ?? '');
  if (row?.author_id !== c.get('user').id) throw makeNoUploadError();
  return row;
}

async function create(service: Dependencies, c: Context<AppEnv>): Promise<UploadRow> {
  const asked = fit(newUploadSchema, await readJsonObject(c));
  const { db, incomingFiles, uploadLimits, maxSourceSeconds } = service;
  requireUploadable(asked, { ...uploadLimits, maxSourceSeconds });
  return makeOnce<UploadRow>(db, c, asked, {
    make: (admit) => {
      const id = makeRandomKey();
      const upload = {
        id,
        author_id: c.get('user').id,
        name: asked.name,
        kind: getKind(asked.name),
        size: asked.size,
        sha256: asked.sha256 ?? null,
        // The uploader must not be able to guess the file's public address in a bucket.
        file_key: `uploads/${id}/${makeRandomKey()}`,
      };
      return createUpload(db, upload, async (trx, usage) => {
        await admit(trx, id);
        requireUploadRoom(uploadLimits, usage, asked.size);
        const room = await incomingFiles.room();
        if (room === null) return;
        const left = room - (await lockAnnouncedBytes(trx));
        if (left < asked.size) throw makeNoRoomError(asked.size, Math.max(0, left));
      });
    },
    read: (id) => readUpload(db, id),
  });
}

/** The calls of the API: an extension of the specification. */
export function uploadRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  const store = new UploadStore(service, new UploadLocks(service.db));
  const shown = async (row: UploadRow) =>
    uploadObject(row, service.publicUrl(), await store.received(row));
  addMethods(app, '/uploads', {
    POST: describe(
      describeMaking(
        'Create an upload: an address that accepts a file by tus 1.0',
        newUploadSchema,
        uploadSchema,
        ['unprocessable', 'no-room'],
      ),
      async (c) => answerJson(await shown(await create(service, c)), 201),
    ),
  });
  addMethods(app, '/uploads/:upload_id', {
    GET: describe(
      describeAnswer('An upload, with the number of bytes received', uploadSchema, ['not-found']),
      async (c) => answerJson(await shown(await findOwnUpload(service, c)), 200),
    ),
    DELETE: describe(
      describeDeletion('Delete an upload that no task uses', 'not-found', 'unprocessable'),
      async (c) => {
        const { id } = await findOwnUpload(service, c);
        if ((await deleteUpload(service.db, id)) === 'taken') throw uploadTaken();
        return c.body(null, 204);
      },
    ),
  });
}

const allowed = ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'];

/** Returns the answer of tus, with its own errors as problems. */
async function asProblem(response: Response): Promise<Response> {
  if (response.status < 400 || response.headers.get('content-type')?.includes('json'))
    return response;
  const text = await response.text();
  if (text.startsWith('{')) return new Response(text, response);
  const problem = answerProblem(makeTusProblem(response.status, text));
  for (const [name, value] of response.headers) {
    if (/^tus-|^upload-/.test(name)) problem.headers.set(name, value);
  }
  return problem;
}

/** Lets pages of every site read the answer, and says what kind of text it is. */
function openToBrowsers(response: Response): Response {
  response.headers.set('Access-Control-Allow-Origin', '*');
  response.headers.set('Cache-Control', 'no-store');
  if (response.status >= 400) {
    response.headers.set('Content-Type', 'application/problem+json');
    response.headers.set('X-Content-Type-Options', 'nosniff');
  }
  return response;
}

/** tus 1.0 for the bytes. The id in the address is what allows it; nothing is given out there. */
export function addTusRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  const locks = new UploadLocks(service.db);
  const server = new Server({
    path: '/uploads',
    // Otherwise a query would be part of the id.
    getFileIdFromRequest: ({ url }) => new URL(url).pathname.split('/').at(-1),
    datastore: new UploadStore(service, locks),
    locker: locks,
    // The earlier connection is dead, or its client has begun again.
    lockDrainTimeout: 1,
    async onResponseError(request, error) {
      const asked = { path: new URL(request.url).pathname, quiet: request.signal.aborted };
      const problem = answerProblem(
        'status_code' in error
          ? makeTusProblem(error.status_code, error.body)
          : makeProblem(service.log, error, asked),
      );
      return { status_code: problem.status, body: await problem.text() };
    },
  });
  const refused = (detail: string) =>
    openToBrowsers(
      answerProblem(
        new ApiError('method-not-allowed', detail, { headers: { Allow: allowed.join(', ') } }),
      ),
    );
  app.all('/uploads/:upload_id', async (c) => {
    // Hono has the handlers of GET answer HEAD too.
    if (!allowed.includes(c.req.raw.method)) {
      return refused('This address only accepts the bytes of an upload, by tus 1.0.');
    }
    if (c.req.header('upload-length') !== undefined) {
      throw new ApiError(
        'invalid-request',
        'Upload-Length was set when the upload was created, and cannot change.',
      );
    }
    const answer = openToBrowsers(await asProblem(await server.handleWeb(c.req.raw)));
    // So the bytes that follow go over a fresh connection. If one is cut that was used before, the
    // browser repeats the request automatically, from the old offset.
    if (c.req.raw.method === 'HEAD') answer.headers.set('Connection', 'close');
    return answer;
  });
  app.all('/uploads', () =>
    refused('Create an upload with POST /v2/uploads. It returns the address for the bytes.'),
  );
}
