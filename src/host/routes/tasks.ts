import { videoToShortsRequestSchema, videoToVideoRequestSchema } from '../../contract/task.ts';
import { knownState } from '../../contract/known-state.ts';
import { waitSeconds } from '../../contract/wait.ts';
import { attemptKeyOf, attemptResponse } from './attempt-request.ts';
import { parsedOrRefused } from '../http/host-problem.ts';
import { readJson } from '../http/json-body.ts';
import { emptyQuerySchema, readQuery } from '../http/query.ts';
import { jsonResponse, type Answer } from './route-context.ts';
import { TaskCall, type TaskRequest } from '../tasks/task-call.ts';
import { upstreamProblem } from '../http/upstream-problem.ts';

type Starting =
  | 'addresses'
  | 'allow'
  | 'audit'
  | 'hostUser'
  | 'pay'
  | 'request'
  | 'service'
  | 'starts'
  | 'uploads';
type Reading = 'allow' | 'hostUser' | 'ids' | 'request' | 'taskWatch' | 'url' | 'users';

/**
 * Validates the body but forwards it unchanged: the service fills in the defaults and can tell
 * which fields were omitted.
 */
const create =
  (schema: Parameters<typeof parsedOrRefused>[0], type: TaskRequest['type']): Answer<Starting> =>
  async (context) => {
    const { request, hostUser, starts, service, audit, addresses, uploads } = context;
    const key = attemptKeyOf(request);
    const body = await readJson(request);
    parsedOrRefused(schema, body);
    await context.allow('task');
    const call = new TaskCall(service, { type, body } as TaskRequest, async (address) => {
      const uploadId = addresses.idOf(address);
      return uploadId === null ? null : uploads.source(hostUser, uploadId);
    });
    const { value, replayed } = await starts.start(hostUser, key, call, context.pay);
    audit.note({ taskId: value.id, replayed });
    return jsonResponse(value, replayed ? 200 : 201);
  };

/** `POST /tasks/video-to-shorts` */
export const createVideoToShorts = create(videoToShortsRequestSchema, 'video-to-shorts');

/** `POST /tasks/video-to-video` */
export const createVideoToVideo = create(videoToVideoRequestSchema, 'video-to-video');

/** `GET /tasks?attempt=KEY` */
export const findTask: Answer<'allow' | 'hostUser' | 'service' | 'starts' | 'url'> = async (
  context,
) => {
  await context.allow('read');
  return attemptResponse(context, (stored) => TaskCall.stored(context.service, stored));
};

/** `GET /tasks/{task_id}`; with `Prefer: wait=N` held until the task changes. */
export const readTask: Answer<Reading> = async ({
  request,
  url,
  ids: [id = ''],
  hostUser,
  users,
  taskWatch,
  allow,
}) => {
  readQuery(url, emptyQuerySchema);
  await allow('read');
  const prefer = request.headers.get('Prefer');
  const seconds = waitSeconds(prefer);
  try {
    const { task, held } = await users.with(hostUser, (onBehalfOf) =>
      taskWatch.watch(onBehalfOf, id, seconds * 1000, knownState(prefer), request),
    );
    return jsonResponse(task, 200, held ? { 'Preference-Applied': `wait=${seconds}` } : {});
  } catch (cause) {
    throw upstreamProblem(cause, 'task');
  }
};
