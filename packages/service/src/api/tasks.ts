import { randomUUID } from 'node:crypto';
import {
  parseLanguage,
  matchCode,
  RemoteError,
  SourceError,
  type Presets,
  type Translator,
} from 'clip-engine';
import {
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
  metadataSchema,
  taskPageSchema,
  taskSchema,
  taskMoreSchema,
  type TaskType,
  taskWordsSchema,
} from 'clip-kit/contract';
import type { Context, Handler, Hono } from 'hono';
import * as z from 'zod/mini';
import { listPresets } from '../appearance/queries.ts';
import type { Log } from '../config/config.ts';
import type { Estimates } from '../exports/forecast.ts';
import type { Links } from '../links/links.ts';
import type { Changes } from '../operations/changes.ts';
import type { MachineHealth } from '../operations/machine-health.ts';
import type { Queue } from '../queue/queue.ts';
import type { UsageLimits } from '../users/limits.ts';
import { lockPlan } from '../users/queries.ts';
import type { Db, TaskRequest, Trx } from '../db/schema.ts';
import {
  createTask,
  listTaskPlaces,
  type Place,
  readIngest,
  readOwnTask,
  readShownTasks,
  type ShownTask,
  type TasksQuery,
} from '../tasks/queries.ts';
import type { AskedUpload } from '../uploads/queries.ts';
import { deleteTask, undoTask } from '../tasks/deletion-queries.ts';
import { askForWords, undoWords } from '../tasks/words-queries.ts';
import { makeTaskObject } from '../tasks/rules.ts';
import { fit, readJsonObject, readQuery, requirePreset } from './body.ts';
import { describeAnswer, describeDeletion, describe, describeMaking } from './describe.ts';
import { type AppEnv, readLongPoll, addMethods } from './methods.ts';
import { cursorSchema, answerEncoded, answerJson, nextPage, Pacer } from './json.ts';
import { makeOnce } from './once.ts';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import { requireTaskUrl } from './webhooks.ts';
import { parseUploadId } from '../uploads/rules.ts';
import { readPreviewWork } from '../exports/estimate-queries.ts';
import { readOnce } from '../db/live-rows.ts';

interface Dependencies {
  allowPrivateSources: boolean;
  changes: Changes;
  closing: AbortSignal;
  db: Db;
  estimates: Estimates;
  links: Links;
  publicUrl: () => string;
  ingestWaitMs: number;
  limits: UsageLimits;
  log: Log;
  machine: MachineHealth;
  presets: Presets;
  queue: Queue;
  recognisesSpeech: boolean;
  translator: Translator | null;
}

const parse = (type: TaskType, body: Record<string, unknown>): TaskRequest =>
  type === 'video-to-shorts'
    ? {
        type,
        ...fit(videoToShortsRequestSchema, body),
        asks_count: body['target_clip_count'] !== undefined,
      }
    : { type, ...fit(videoToVideoRequestSchema, body) };

/** The uploads that a request names by their addresses. */
function listUploads(
  { publicUrl }: Dependencies,
  request: { source_video_url?: string; subtitles_url?: string | undefined },
): AskedUpload[] {
  return (['source_video_url', 'subtitles_url'] as const).flatMap((field) => {
    const address = request[field];
    const id = address === undefined ? null : parseUploadId(publicUrl(), address);
    return id === null ? [] : [{ field, id }];
  });
}

/** See {@link awaitSource}. */
const awaitTaskSource = (service: Dependencies, c: Context, id: string): Promise<void> =>
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
  service: Dependencies,
  c: Context<AppEnv>,
  request: TaskRequest,
  admit: (trx: Trx, id: string) => Promise<void>,
): Promise<ShownTask> {
  const user = c.get('user');
  const id = randomUUID();
  const asked = { id, authorId: user.id, request, uploads: listUploads(service, request) };
  const task = await createTask(service.db, service.queue, asked, async (trx) => {
    await lockPlan(trx, user);
    await admit(trx, id);
    await service.limits.requireTaskRoom(trx, user);
  });
  try {
    await awaitTaskSource(service, c, id);
    await service.limits.requireTaskRoom(service.db, user, id);
  } catch (error) {
    await undoTask(service.db, user.id, id);
    throw error;
  }
  const { name, source_task_id = null } = request;
  const export_ids = task.ready_exports && [];
  return { ...task, name, source_task_id, source_seconds: null, clips: 0, export_ids };
}

const makeAddresses = ({ links }: Dependencies, c: Context<AppEnv>) =>
  links.addressesOf(c.get('user').organization_id);

/** Answers with the task of a request, which is made once for each `Idempotency-Key`. */
async function create(
  service: Dependencies,
  c: Context<AppEnv>,
  request: TaskRequest,
): Promise<Response> {
  for (const [path, id] of [
    ['style_preset_id', request.style_preset_id],
    ['export_when_ready.preset_id', request.export_when_ready?.preset_id],
  ] as const) {
    if (id !== undefined) requirePreset(await listPresets(service, c.get('user')), path, id);
  }
  await refuseUnknownTarget(service, request.translate_to, c.req.raw.signal);
  const task = await makeOnce<ShownTask>(service.db, c, request, {
    make: (admit) => make(service, c, request, admit),
    read: async (id) => {
      // The call that made it may still wait for the source, and take the task back.
      await awaitTaskSource(service, c, id);
      return (await readShownTasks(service.db, [id]))[0];
    },
  });
  return answerJson(makeTaskObject(task, await makeAddresses(service, c)), 201);
}

const makeCreateHandler =
  (service: Dependencies, type: TaskType) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const request = parse(type, await readJsonObject(c));
    await requireTaskUrl(service, c.get('user').organization_id, request.webhook_url);
    return create(service, c, request);
  };

/** Makes the clips of a task again, with other words. */
const addWords =
  (service: Dependencies) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const words = fit(taskWordsSchema, await readJsonObject(c));
    const user = c.get('user');
    const own = await readOwnTask(service.db, user.id, c.req.param('task_id') ?? '');
    if (!own) throw new ApiError('not-found', 'There is no such task.');
    if (words.subtitles_url === undefined) await refuseWithoutSpeech(service);
    const { id } = own;
    const read = async () => (await readShownTasks(service.db, [id]))[0];
    const task = await makeOnce<ShownTask>(service.db, c, words, {
      async make(admit) {
        const uploads = listUploads(service, words);
        await askForWords(service.db, service.queue, own, words, uploads, async (trx) => {
          await lockPlan(trx, user);
          await admit(trx, id);
          await service.limits.requireOpenTask(trx, user);
        });
        try {
          await awaitTaskSource(service, c, id);
          await refuseBadSubtitles(service.db, id);
        } catch (error) {
          await undoWords(service.db, user.id, id);
          throw error;
        }
        return (await read())!;
      },
      read,
    });
    return answerJson(makeTaskObject(task, await makeAddresses(service, c)), 202);
  };

/** Throws SourceError if the subtitles that a task was to get cannot be used. */
async function refuseBadSubtitles(db: Db, id: string): Promise<void> {
  const { failure_code: code, failure_message: message } = (await readIngest(db, id)) ?? {};
  if (!code?.startsWith('subtitles-')) return;
  throw new SourceError(code as SourceError['code'], message ?? '');
}

/** Makes further clips of the source of a task, as a new task. */
const createMore =
  (service: Dependencies) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const more = fit(taskMoreSchema, await readJsonObject(c));
    const own = (id: string) => readOwnTask(service.db, c.get('user').id, id);
    const asked = await own(c.req.param('task_id') ?? '');
    if (!asked) throw new ApiError('not-found', 'There is no such task.');
    const { further, source_task_id: firstId } = asked.request;
    // All further clips of a source are known by its first task, as long as that is there.
    const first = further && firstId !== undefined && (await own(firstId));
    const before = first && first.source ? first : asked;
    if (before.request.type !== 'video-to-shorts') {
      throw makeUnprocessableError(
        'Only video-to-shorts tasks can make further clips.',
        'unsupported',
      );
    }
    if (asked.status !== 'ready' || before.status !== 'ready') {
      throw makeUnprocessableError(
        'Further clips can be made only when the task is ready.',
        'not-ready',
      );
    }
    if (!before.source) {
      throw makeUnprocessableError(
        'The source is no longer stored. Create a new task with the video.',
        'source-gone',
      );
    }
    // The words are those of the analysis, and exports cost: they are asked for each time.
    const { topics: _, subtitles_url: __, export_when_ready: ___, ...request } = before.request;
    const count = more.target_clip_count ?? request.target_clip_count;
    return create(service, c, {
      ...request,
      ...more,
      ...(more.target_clip_count !== undefined && { asks_count: true }),
      target_clip_count: count,
      max_clip_count: count,
      source_task_id: before.id,
      further: true,
    });
  };

/** Refuses to recognise speech if nothing here does. */
function refuseWithoutSpeech(service: Dependencies): void {
  if (service.recognisesSpeech) return;
  const message = 'This service does not recognise speech. Add a subtitle file instead.';
  throw makeUnprocessableError(message, 'unsupported', 'subtitles_url');
}

/** Sections 4.1 to 4.3, and the list. */
export function addTaskRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  addMethods(app, '/tasks', {
    GET: describe(
      describeAnswer(
        'The user’s tasks, newest first; `Link` with `rel="next"` leads to the next page',
        z.array(taskSchema),
        [],
        { query: querySchema, headers: ['Prefer'] },
      ),
      makeTaskListHandler(service),
    ),
  });
  addMethods(app, '/tasks/video-to-shorts', {
    POST: describe(
      describeMaking(
        'Turn a long video into shorts (4.1)',
        videoToShortsRequestSchema,
        taskSchema,
        ['unprocessable'],
      ),
      makeCreateHandler(service, 'video-to-shorts'),
    ),
  });
  addMethods(app, '/tasks/video-to-video', {
    POST: describe(
      describeMaking('Edit a single video (4.2)', videoToVideoRequestSchema, taskSchema, [
        'unprocessable',
      ]),
      makeCreateHandler(service, 'video-to-video'),
    ),
  });
  addMethods(app, '/tasks/:task_id/words', {
    POST: describe(
      describeMaking(
        'Make the clips of a task again from other words',
        taskWordsSchema,
        taskSchema,
        ['not-found', 'unprocessable'],
        { answers: { 202: ['The task, processing again', taskSchema] } },
      ),
      addWords(service),
    ),
  });
  addMethods(app, '/tasks/:task_id/more', {
    POST: describe(
      describeMaking(
        'Make further clips from the source of a task, as a new task',
        taskMoreSchema,
        taskSchema,
        ['not-found', 'unprocessable'],
      ),
      createMore(service),
    ),
  });
  addOneTaskRoutes(app, service);
}

function addOneTaskRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  addMethods(app, '/tasks/:task_id', {
    DELETE: describe(
      describeDeletion('Delete a task with its clips and exports', 'not-found'),
      async (c) => {
        const deleted = await deleteTask(
          service.db,
          c.get('user').id,
          c.req.param('task_id') ?? '',
        );
        if (!deleted) throw new ApiError('not-found', 'There is no such task.');
        service.changes.deleted();
        return c.body(null, 204);
      },
    ),
    GET: describe(
      describeAnswer('A task (4.3)', taskSchema, ['not-found'], { headers: ['Prefer'] }),
      async (c) => {
        const id = c.req.param('task_id') ?? '';
        const poll = readLongPoll(c, service);
        const userId = c.get('user').id;
        const own = (row: ShownTask): boolean => row.author_id === userId;
        const task = await service.changes.tasks.settled(id, own, poll);
        if (!task) throw new ApiError('not-found', 'There is no such task.');
        const estimate = await estimateReady(service, task);
        const addresses = await makeAddresses(service, c);
        return answerJson(makeTaskObject(task, addresses, estimate), 200, poll.headers);
      },
    ),
  });
}

/** The time for which a request waits for the list of languages. */
const listWaitMs = 5000;

const makeRefusal = (message: string): ApiError =>
  makeUnprocessableError(message, 'unsupported', 'translate_to');

/**
 * Refuses a `translate_to` without a translation server, or with a language that the server lacks.
 * If the server does not answer in time, the request is accepted: the task tries again, and may
 * fail.
 */
async function refuseUnknownTarget(
  { translator, log }: Dependencies,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (wanted === undefined) return;
  if (!translator) {
    throw makeRefusal(
      'this service has no translation server: its operator sets TRANSLATE_URL to one that is compatible with ' +
        'LibreTranslate. Leave the field out to keep the source’s own language',
    );
  }
  if (parseLanguage(wanted) === null) {
    throw makeRefusal('`translate_to` must be a language code. Send one such as de or pt-BR.');
  }
  let known: string[];
  try {
    const wait = AbortSignal.any([signal, AbortSignal.timeout(listWaitMs)]);
    known = await translator.targets(wait);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof RemoteError ? error.message : 'no answer in time';
    log({ event: 'translation-languages-failed', reason });
    return;
  }
  if (matchCode(wanted, known)) return;
  throw makeRefusal(
    `The translation server of this service does not translate to ${parseLanguage(wanted)}. It knows: ${known.toSorted().join(', ')}.`,
  );
}

const defaultLimit = 20;

const querySchema = z.extend(taskPageSchema, {
  cursor: z.optional(cursorSchema),
  metadata: z.optional(metadataSchema),
});

/** Reads the query of the list, with each `metadata[key]=value` as a pair of `metadata`. */
function readListQuery(c: Context): z.output<typeof querySchema> {
  const pairs: [string, string][] = [];
  const others = Object.entries(readQuery(c)).filter(([name, value]) => {
    const [, key] = /^metadata\[(?!__proto__\])(.*)\]$/.exec(name) ?? [];
    if (key !== undefined) pairs.push([key, value]);
    return key === undefined;
  });
  const metadata = pairs.length > 0 && { metadata: Object.fromEntries(pairs) };
  return fit(querySchema, { ...metadata, ...Object.fromEntries(others) }, 'query');
}

/**
 * Estimates when a task will be ready. Before its clips are known there is no estimate.
 */
async function estimateReady(
  service: Dependencies,
  { id, status, stage }: ShownTask,
): Promise<Date | undefined> {
  if (status !== 'processing' || stage !== 'preview') return undefined;
  return (await service.estimates.current()).taskReady(await readPreviewWork(service.db, id));
}

/**
 * The user's tasks: an extension of the specification. Who asks for the same at the same moment, as
 * after a change, shares an answer.
 */
function makeTaskListHandler(service: Dependencies): Handler<AppEnv> {
  const pages = readOnce(async (key) => {
    type Asked = TasksQuery & { organizationId: string; limit: number; after?: Place };
    const { organizationId, limit, after, ...asked } = JSON.parse(key) as Asked;
    const { userId } = asked;
    const places = await listTaskPlaces(service.db, asked, { limit: limit + 1, after });
    const shown = places.slice(0, limit);
    const own = (row: ShownTask): boolean => row.author_id === userId;
    const now = { ms: 0, signal: service.closing };
    // Most are settled, and need not be read again.
    const read = shown.map(({ id }) => service.changes.tasks.settled(id, own, now));
    const rows = (await Promise.all(read)).filter((row) => row !== undefined);
    const addresses = await service.links.addressesOf(organizationId);
    const tasks = await Promise.all(
      rows.map(async (row) => makeTaskObject(row, addresses, await estimateReady(service, row))),
    );
    const last = places.length > limit ? shown.at(-1) : undefined;
    return { json: Buffer.from(JSON.stringify(tasks)), last };
  });
  const answers = new Pacer();
  return async (c) => {
    const { limit = defaultLimit, cursor: after, metadata } = readListQuery(c);
    const { id: userId, organization_id: organizationId } = c.get('user');
    const poll = readLongPoll(c, service);
    await service.changes.taskListChanged(userId, poll);
    // A change may end thousands of holds at once.
    if (poll.ms > 0) await answers.next();
    const asked = { userId, metadata, organizationId, limit, after };
    const { json, last } = (await pages.read(JSON.stringify(asked)))!;
    return answerEncoded(json, {
      ...poll.headers,
      ...(last && { Link: nextPage(service, c, 'tasks', last) }),
    });
  };
}

/** The time for which a change may stay unnoticed if the database cannot send notices. */
const pollIntervalMs = 2000;

/**
 * Waits while a job fetches the source of a task that was just created, so that a bad source is
 * refused at once with a SourceError. Ends when the source is here, after `ms`, or when `closing`
 * is aborted; throws the reason of `gone` if the client goes away, and what `requireHope` throws
 * while no job can fetch it.
 */
async function awaitSource(
  service: Dependencies,
  id: string,
  { ms, gone, requireHope }: { ms: number; gone: AbortSignal; requireHope: () => void },
): Promise<void> {
  const end = performance.now() + ms;
  const signal = AbortSignal.any([gone, service.closing]);
  const watcher = service.changes.tasks.watch(id);
  try {
    for (;;) {
      const ingest = await readIngest(service.db, id);
      if (!ingest || ingest.fetched) return;
      const { status, failure_code: code, failure_message: message } = ingest;
      if (status === 'error') {
        if (!/^(?:source|subtitles|range)-/.test(code ?? '')) return;
        throw new SourceError(code as SourceError['code'], message ?? '');
      }
      gone.throwIfAborted();
      requireHope();
      const left = end - performance.now();
      if (left <= 0 || service.closing.aborted) return;
      await watcher.next(Math.min(left, pollIntervalMs), signal);
    }
  } finally {
    watcher.close();
  }
}
