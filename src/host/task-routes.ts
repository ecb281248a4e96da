import type * as z from 'zod/mini';
import type { ServiceCallOptions } from '../client/service-client.ts';
import {
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
  type Task,
} from '../contract/task.ts';
import { knownState } from '../contract/known-state.ts';
import { waitSeconds } from '../contract/wait.ts';
import { parsedOrRefused } from './host-problem.ts';
import { readJson } from './json-body.ts';
import { emptyQuerySchema, readQuery } from './query.ts';
import { jsonResponse, type Answer, type RouteContext } from './route-context.ts';
import { upstreamProblem } from './upstream-problem.ts';

/**
 * Validates the body but forwards it unchanged: the service fills in the defaults and can tell
 * which fields were omitted.
 */
const create =
  <T extends z.core.$ZodType>(
    schema: T & { safeParse(value: unknown): z.core.util.SafeParseResult<z.output<T>> },
    send: (context: RouteContext, body: z.input<T>, options: ServiceCallOptions) => Promise<Task>,
  ): Answer =>
  async (context) => {
    const body = await readJson(context.request);
    parsedOrRefused(schema, body);
    await context.allow('task');
    await context.pay();
    try {
      const task = await context.users.with(context.hostUser, (onBehalfOf) =>
        send(context, body as z.input<T>, { onBehalfOf }),
      );
      context.audit.note({ taskId: task.id });
      return jsonResponse(task, 201);
    } catch (cause) {
      throw upstreamProblem(cause, 'task');
    }
  };

/** `POST /tasks/video-to-shorts` */
export const createVideoToShorts = create(
  videoToShortsRequestSchema,
  ({ service }, body, options) => service.createVideoToShorts(body, options),
);

/** `POST /tasks/video-to-video` */
export const createVideoToVideo = create(videoToVideoRequestSchema, ({ service }, body, options) =>
  service.createVideoToVideo(body, options),
);

/** `GET /tasks/{task_id}`; with `Prefer: wait=N` held until the task changes. */
export const readTask: Answer = async (context) => {
  const {
    request,
    url,
    ids: [id = ''],
    hostUser,
    users,
    taskWatch,
  } = context;
  readQuery(url, emptyQuerySchema);
  await context.allow('read');
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
