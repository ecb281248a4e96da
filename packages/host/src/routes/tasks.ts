import {
  pageVideoToShortsSchema,
  pageVideoToVideoSchema,
  readKnownState,
  type Task,
  taskPageSchema,
  taskMoreSchema,
  taskWordsSchema,
  waitSeconds,
} from 'clip-kit/contract';
import { answerHeaders, parseOrRefuse } from '../http/host-problem.ts';
import { type Answer, makeJsonResponse, readStart, requireWithinLimits } from './route-context.ts';
import { readQuery } from '../http/json-body.ts';
import { createTaskCall, type TaskCallRequest } from '../tasks/task-call.ts';
import type { TaskPageQuery } from '../tasks/task-list.ts';

/** Returns a task without what is for the customer's own server: it may name internal ids. */
const makePageTask = ({ metadata: _, export_ids: __, ...task }: Task) => task;

/** The tasks of a page, if the request does not say. */
const defaultLimit = 20;

/**
 * Validates the body but forwards it unchanged: the service fills in the defaults and can tell
 * which fields were omitted.
 */
const create =
  (schema: Parameters<typeof parseOrRefuse>[0], type: TaskCallRequest['type']): Answer =>
  async (context) => {
    const { request, ids, hostUser, starts, service, audit } = context;
    const [taskId] = ids;
    const { asked: body, ...attempt } = await readStart(request);
    parseOrRefuse(schema, body);
    await context.allow('task');
    // New clips need no tool of the editor. Other words of clips that are there are text.
    const { presets, text } = await context.readEditorLimits();
    const { style_preset_id = null, subtitles_url } = body as Record<string, unknown>;
    requireWithinLimits(presets ? { presets } : {}, { style_preset_id });
    if (type === 'words' && subtitles_url) requireWithinLimits({ text }, { subtitles_url });
    const asked = { type, body, ...(taskId !== undefined && { taskId }) } as TaskCallRequest;
    const call = createTaskCall(service, asked, (task, name) =>
      context.taskList.keep(hostUser, task, name),
    );
    const { value, replayed } = await starts.start(hostUser, attempt, call, () =>
      context.pay('task'),
    );
    audit.note({ taskId: value.id, replayed });
    return makeJsonResponse(makePageTask(value), replayed ? 200 : 201);
  };

/** `POST /tasks/video-to-shorts` */
export const createVideoToShorts = create(pageVideoToShortsSchema, 'video-to-shorts');

/** `POST /tasks/video-to-video` */
export const createVideoToVideo = create(pageVideoToVideoSchema, 'video-to-video');

/** `POST /tasks/{task_id}/words` */
export const addWords = create(taskWordsSchema, 'words');

/** `POST /tasks/{task_id}/more` */
export const createMore = create(taskMoreSchema, 'more');

/** `GET /tasks`, page by page, newest first. */
export const readTasks: Answer = async (context) => {
  const { request, url, hostUser, callService, taskListWatch } = context;
  const { limit = defaultLimit, cursor = null } = readQuery(url, taskPageSchema);
  await context.allow('read');
  const prefer = request.headers.get('Prefer');
  const seconds = waitSeconds(prefer);
  const query: TaskPageQuery = { hostUser, limit, cursor };
  const { value, held } = await callService('task', (managedUser) =>
    taskListWatch.watch(managedUser, JSON.stringify(query), seconds * 1000, null, request),
  );
  // Relative, because the host does not know what a proxy has removed of its path.
  const next = value.next && `<?${new URLSearchParams({ limit: `${limit}`, cursor: value.next })}>`;
  return makeJsonResponse(value.tasks.map(makePageTask), 200, {
    ...(next && { Link: `${next}; rel="next"` }),
    ...(held && { 'Preference-Applied': `wait=${seconds}` }),
  });
};

/** `DELETE /tasks/{task_id}` */
export const deleteTask: Answer = async (context) => {
  const { ids, hostUser, callService, taskList, audit } = context;
  const [id = ''] = ids;
  await context.allow('delete');
  audit.note({ taskId: id });
  await callService('task', (managedUser) => taskList.remove(managedUser, hostUser, id));
  return new Response(null, { status: 204, headers: answerHeaders });
};

/** `GET /tasks/{task_id}`; with `Prefer: wait=N` held until the task changes. */
export const readTask: Answer = async ({
  request,
  ids: [id = ''],
  taskWatch,
  allow,
  callService,
}) => {
  await allow('read');
  const prefer = request.headers.get('Prefer');
  const seconds = waitSeconds(prefer);
  const { value, held } = await callService('task', (onBehalfOf) =>
    taskWatch.watch(onBehalfOf, id, seconds * 1000, readKnownState(prefer), request),
  );
  const headers = { ...(held && { 'Preference-Applied': `wait=${seconds}` }) };
  return makeJsonResponse(makePageTask(value), 200, headers);
};
