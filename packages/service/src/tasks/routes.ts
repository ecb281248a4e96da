import { randomUUID } from 'node:crypto';
import { languageCode, matchingCode, RemoteError } from 'clip-engine';
import {
  type TaskType,
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
} from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import { readShownTasks, type ShownTask } from './shown-queries.ts';
import { lockPlan } from '../users/queries.ts';
import type { TaskRequest, Trx } from '../db/schema.ts';
import { createTask } from './queries.ts';
import type { AskedUpload } from '../uploads/queries.ts';
import { exportAddress } from '../storage/export-address.ts';
import { deleteTask, takeBack } from './deletion-queries.ts';
import { awaitSource } from './await-source.ts';
import { taskObject } from './task-object.ts';
import { fit, readJsonObject } from '../http/body.ts';
import { holdOf } from '../http/hold.ts';
import { json } from '../http/json.ts';
import { type AppEnv, methods } from '../http/methods.ts';
import { once } from '../http/once.ts';
import { requirePreset } from '../http/preset-field.ts';
import { ApiError } from '../http/problem.ts';
import { uploadIdOf } from '../uploads/upload-object.ts';
import { estimateOf, taskList, type TaskListNeeds } from './list-routes.ts';

type Needs = TaskListNeeds &
  Pick<
    ServiceContext,
    'ingestWaitMs' | 'limits' | 'log' | 'machine' | 'presets' | 'queue' | 'translator'
  >;

const parse = (type: TaskType, body: Record<string, unknown>): TaskRequest =>
  type === 'video-to-shorts'
    ? { type, ...fit(videoToShortsRequestSchema, body) }
    : { type, ...fit(videoToVideoRequestSchema, body) };

/** The uploads that a request names by their addresses. */
function uploadsOf({ publicUrl }: Pick<Needs, 'publicUrl'>, request: TaskRequest): AskedUpload[] {
  return (['source_video_url', 'subtitles_url'] as const).flatMap((field) => {
    const address = request[field];
    const id = address === undefined ? null : uploadIdOf(publicUrl(), address);
    return id === null ? [] : [{ field, id }];
  });
}

/** See {@link awaitSource}. */
const sourceAwaited = (service: Needs, c: Context, id: string): Promise<void> =>
  awaitSource(service, id, {
    ms: service.ingestWaitMs,
    gone: c.req.raw.signal,
    requireHope() {
      const { refusal } = service.machine;
      if (!refusal) return;
      throw new ApiError('service-unavailable', refusal.message, { reason: refusal.code });
    },
  });

/** `admit`: throws if a task with this id may not be made. */
async function make(
  service: Needs,
  c: Context<AppEnv>,
  request: TaskRequest,
  admit: (trx: Trx, id: string) => Promise<void>,
): Promise<ShownTask> {
  const user = c.get('user');
  const id = randomUUID();
  const asked = { id, authorId: user.id, request, uploads: uploadsOf(service, request) };
  const task = await createTask(service.db, service.queue, asked, async (trx) => {
    await lockPlan(trx, user);
    await admit(trx, id);
    await service.limits.requireTaskRoom(trx, user);
  });
  try {
    await sourceAwaited(service, c, id);
    await service.limits.requireTaskRoom(service.db, user, id);
  } catch (error) {
    await takeBack(service.db, user.id, id);
    throw error;
  }
  return { ...task, name: request.name, source_seconds: null, clips: 0 };
}

const create =
  (service: Needs, type: TaskType) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const request = parse(type, await readJsonObject(c));
    refuseWithoutTranslator(service, request.translate_to);
    if (request.style_preset_id !== undefined) {
      requirePreset(service.presets, 'style_preset_id', request.style_preset_id);
    }
    await refuseUnknownTarget(service, request.translate_to, c.req.raw.signal);
    const task = await once<ShownTask>(service.db, c, request, {
      make: (admit) => make(service, c, request, admit),
      read: async (id) => {
        // The call that made it may still wait for the source, and take the task back.
        await sourceAwaited(service, c, id);
        return (await readShownTasks(service.db, [id]))[0];
      },
    });
    return json(taskObject(task, exportAddress(service)), 201);
  };

/** Sections 4.1 to 4.3, and the list. */
export function taskRoutes(app: Hono<AppEnv>, service: Needs): void {
  methods(app, '/tasks', { GET: taskList(service) });
  methods(app, '/tasks/video-to-shorts', { POST: create(service, 'video-to-shorts') });
  methods(app, '/tasks/video-to-video', { POST: create(service, 'video-to-video') });
  methods(app, '/tasks/:task_id', {
    DELETE: async (c) => {
      const deleted = await deleteTask(service.db, c.get('user').id, c.req.param('task_id') ?? '');
      if (!deleted) throw new ApiError('not-found', 'There is no such task.');
      service.changes.deleted();
      return c.body(null, 204);
    },
    GET: async (c) => {
      const id = c.req.param('task_id') ?? '';
      const hold = holdOf(c, service);
      const userId = c.get('user').id;
      const own = (row: ShownTask): boolean => row.author_id === userId;
      const task = await service.changes.tasks.settled(id, own, hold);
      if (!task) throw new ApiError('not-found', 'There is no such task.');
      const estimate = await estimateOf(service, task);
      return json(taskObject(task, exportAddress(service), estimate), 200, hold.headers);
    },
  });
}

/** How long a request waits for the list of languages. */
const listWaitMs = 5000;

const refused = (message: string): ApiError =>
  new ApiError('unprocessable', message, {
    errors: [{ path: 'translate_to', message }],
    reason: 'unsupported',
  });

/** Refuses a `translate_to` if there is no translation server. */
function refuseWithoutTranslator(
  { translator }: Pick<ServiceContext, 'translator'>,
  wanted: string | undefined,
): void {
  if (wanted === undefined || translator) return;
  throw refused(
    'this service has no translation server: its operator sets TRANSLATE_URL to one that is compatible with ' +
      'LibreTranslate. Leave the field out to keep the source’s own language',
  );
}

/**
 * Refuses a `translate_to` that is no language, or that the translation server does not know. If
 * the server does not answer in time, the request goes on: the task tries again, and may fail.
 */
async function refuseUnknownTarget(
  service: Pick<ServiceContext, 'translator' | 'log'>,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (wanted === undefined || !service.translator) return;
  if (languageCode(wanted) === null) {
    throw refused('translate_to is no language code: give one such as de or pt-BR.');
  }
  let known: string[];
  try {
    const wait = AbortSignal.any([signal, AbortSignal.timeout(listWaitMs)]);
    known = await service.translator.targets(wait);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof RemoteError ? error.message : 'no answer in time';
    service.log({ event: 'translation-languages-failed', reason });
    return;
  }
  if (matchingCode(wanted, known)) return;
  throw refused(
    `The translation server of this service does not translate to ${languageCode(wanted)}. It knows: ${known.toSorted().join(', ')}.`,
  );
}
