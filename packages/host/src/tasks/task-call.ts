import type { ServiceCallOptions, ServiceClient } from 'clip-kit/client';
import type {
  Task,
  TaskMore,
  TaskWords,
  VideoToShortsInput,
  VideoToVideoInput,
} from 'clip-kit/contract';
import type { PaidCall } from '../paid-starts/paid-starts.ts';

/** A request for a task, as it is stored with its attempt. */
export type TaskCallRequest =
  | { readonly type: 'video-to-shorts'; readonly body: VideoToShortsInput }
  | { readonly type: 'video-to-video'; readonly body: VideoToVideoInput }
  | { readonly type: 'words'; readonly taskId: string; readonly body: TaskWords }
  | { readonly type: 'more'; readonly taskId: string; readonly body: TaskMore };

/** Called with each new task and its name; never fails. */
type Started = (task: Task, name: string) => Promise<void>;

/** The text of a value with the fields of its objects in order. */
const canonicalize = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/**
 * Creates the call that creates a task. The specification lists no tasks, so a lost one cannot be
 * searched: a service that keeps keys gives it when the start is sent again.
 */
export function createTaskCall(
  service: ServiceClient,
  task: TaskCallRequest,
  started: Started,
): PaidCall<Task> {
  const request = canonicalize(task);
  return {
    subject: 'task',
    request,
    isSameRequest: (stored) => stored === request,
    async send(call) {
      const { body } = task;
      const made = await sendTask(service, task, call);
      await started(made, ('name' in body ? body.name : made.name) ?? 'Upload');
      return { id: made.id, complete: () => Promise.resolve(made) };
    },
    read: (id, call) => service.getTask(id, call),
    async search(_, key, call) {
      if (key === null) return { found: null, keepsKeys: false };
      const { keepsKeys } = await service.findExports(key, {}, call);
      return { found: null, keepsKeys };
    },
  };
}

function sendTask(
  service: ServiceClient,
  task: TaskCallRequest,
  call: ServiceCallOptions,
): Promise<Task> {
  switch (task.type) {
    case 'video-to-shorts':
      return service.createVideoToShorts(task.body, call);
    case 'video-to-video':
      return service.createVideoToVideo(task.body, call);
    case 'words':
      return service.addWords(task.taskId, task.body, call);
    case 'more':
      return service.createMore(task.taskId, task.body, call);
  }
}
