import { randomUUID } from 'node:crypto';
import {
  maxInputSeconds,
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
  waitSeconds,
  type TaskType,
} from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import type { ServiceContext } from '../../context.ts';
import { readPreviewWork } from '../../db/estimates.ts';
import { readShownTasks, type ShownTask } from '../../db/changes.ts';
import { lockOrganization } from '../../db/accounts.ts';
import { machineFault } from '../../db/machine-fault.ts';
import type { KeptSource, TaskRequest, TaskRow, Trx } from '../../db/schema.ts';
import { createTask } from '../../db/tasks.ts';
import { deleteTask } from '../../db/deletion.ts';
import { mayBeKept } from '../../db/worked-rows.ts';
import type { Fetching } from '../../tasks/fetches.ts';
import { awaitFetch } from '../../tasks/fetched-elsewhere.ts';
import { discardSource, fetchSource } from '../../tasks/source.ts';
import { taskObject } from '../../tasks/task-object.ts';
import { fit, readJsonObject } from '../body.ts';
import { preferenceApplied, waitOf } from '../hold.ts';
import { json } from '../json.ts';
import { methods, type AppEnv } from '../methods.ts';
import { once } from '../once.ts';
import { requirePreset } from '../preset-field.ts';
import { ApiError } from '../problem.ts';
import { refuseUnknownTarget, refuseWithoutTranslator } from '../translation-target.ts';

/** Starts to fetch a task's source; it ends with the service, or when it is stopped. */
function startFetching(service: ServiceContext, taskId: string, request: TaskRequest): Fetching {
  const stopped = new AbortController();
  const fetching: Fetching = {
    source: fetchSource(service, { id: taskId, number: 0 }, request.source_video_url, {
      maxSeconds: maxInputSeconds[request.type],
      language: request.language,
      signal: AbortSignal.any([stopped.signal, service.closing]),
      onProgress: (share) => {
        fetching.share = share;
        fetching.onProgress(share);
      },
    }),
    share: 0,
    onProgress: () => {},
    stop: () => stopped.abort(new Error('The source is not waited for any longer.')),
  };
  return fetching;
}

const aborted = (signal: AbortSignal): Promise<'aborted'> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });

/**
 * Fetches the source while the client waits, so that a bad one is refused at once. Gives null if
 * that takes too long: then the download goes on until the task's job takes it over, or, if nothing
 * has come so far, the job begins one of its own.
 */
async function fetchWhileWaiting(
  service: ServiceContext,
  c: Context,
  taskId: string,
  request: TaskRequest,
): Promise<KeptSource | null> {
  const deadline = AbortSignal.timeout(service.ingestWaitMs);
  const gone = c.req.raw.signal;
  const fetching = startFetching(service, taskId, request);
  try {
    const first = await Promise.race([fetching.source, aborted(AbortSignal.any([deadline, gone]))]);
    if (first !== 'aborted') return first;
    if (!gone.aborted && fetching.share > 0 && service.fetches?.leave(taskId, fetching))
      return null;
    fetching.stop();
    // Until what was written is gone, or it is here after all.
    const late = await fetching.source.catch(() => null);
    if (gone.aborted) {
      if (late) await discardSource(service.storage, late);
      throw gone.reason;
    }
    return late;
  } catch (error) {
    if (service.closing.aborted) {
      throw new ApiError('service-unavailable', 'The service is stopping: try again in a moment.');
    }
    // The probe was killed from outside: the job fetches it again.
    if (machineFault(error)?.transient) return null;
    throw error;
  }
}

const parse = (type: TaskType, body: Record<string, unknown>): TaskRequest =>
  type === 'video-to-shorts'
    ? { type, ...fit(videoToShortsRequestSchema, body) }
    : { type, ...fit(videoToVideoRequestSchema, body) };

/** Waits while a worker fetches the source of a new task; see {@link awaitFetch}. */
const awaitSource = (
  service: ServiceContext,
  c: Context,
  { id, made }: { id: string; made: boolean },
): Promise<void> =>
  awaitFetch(service, id, { made, ms: service.ingestWaitMs, signal: c.req.raw.signal });

/** `admit`: throws if a task with this id may not be made. */
async function make(
  service: ServiceContext,
  c: Context<AppEnv>,
  request: TaskRequest,
  admit: (trx: Trx, id: string) => Promise<void>,
): Promise<TaskRow> {
  const user = c.get('user');
  // Nothing is fetched for a task that is refused. Below, it is asked again.
  await service.limits.requireTaskRoom(service.db, user, null);
  const id = randomUUID();
  const asked = { id, authorId: user.id, request };
  const create = (source: KeptSource | null): Promise<TaskRow> =>
    createTask(service.db, service.queue, { ...asked, source }, async (trx) => {
      await lockOrganization(trx, user.organization_id);
      await admit(trx, id);
      await service.limits.requireTaskRoom(trx, user, source?.media.duration ?? null);
    });
  if (service.role === 'api') {
    const task = await create(null);
    await awaitSource(service, c, { id, made: true });
    return task;
  }
  const source = await fetchWhileWaiting(service, c, id, request);
  try {
    return await create(source);
  } catch (error) {
    const left = service.fetches?.take(id);
    left?.stop();
    const kept = source ?? (await left?.source.catch(() => null));
    if (kept && !(await mayBeKept(service.db, 'scan', id))) {
      await discardSource(service.storage, kept);
    }
    throw error;
  }
}

const create =
  (service: ServiceContext, type: TaskType) =>
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
        if (service.role === 'api') await awaitSource(service, c, { id, made: false });
        return (await readShownTasks(service.db, [id]))[0];
      },
    });
    return json(taskObject(task), 201);
  };

/** Sections 4.1 to 4.3. */
export function taskRoutes(app: Hono<AppEnv>, service: ServiceContext): void {
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
      const wait = waitSeconds(c.req.header('prefer'));
      const userId = c.get('user').id;
      const own = (row: ShownTask): boolean => row.author_id === userId;
      const task = await service.changes.tasks.settled(id, own, waitOf(c, service, wait));
      if (!task) throw new ApiError('not-found', 'There is no such task.');
      // Before its clips are known, nobody knows how long a task will take.
      const known = task.status === 'processing' && task.stage === 'preview';
      const estimate = known
        ? (await service.estimates.current()).taskReady(await readPreviewWork(service.db, id))
        : undefined;
      return json(taskObject(task, estimate), 200, preferenceApplied(wait));
    },
  });
}
