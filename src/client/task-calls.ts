import type { Task } from '../contract/task.ts';
import { taskList } from './clip-answers.ts';
import { ClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { HostAnswer } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { isOtherAccount } from './other-account.ts';
import { pageHost, type PageHostOptions } from './page-host.ts';

/** What a list of videos asks of the host. Loaded when it is shown. */
export { watchTasks } from './task-watcher.ts';

/** `GET /tasks`: a page of the user's tasks, newest first. */
export const readTasks = (
  options: PageHostOptions,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<HostAnswer<Task[]>> =>
  pageHost(options).get<Task[]>('/tasks', taskList, { query, signal });

/** `DELETE /tasks/{id}`. What is not there is deleted. */
export async function deleteTask(
  options: PageHostOptions,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pageHost(options).change(`/tasks/${encodeURIComponent(id)}`, () => undefined, { signal });
  } catch (cause) {
    const isGone = cause instanceof HttpError && [404, 410].includes(cause.status);
    if (!isGone || cause.problem?.code === 'endpoint-not-found') throw cause;
  }
}

/** The error that a page sees. */
export function taskError(cause: unknown): ClipError {
  if (cause instanceof HttpError && cause.status === 409 && !isOtherAccount(cause)) {
    const message = 'This video cannot be deleted now. Try again when its work has ended.';
    return new ClipError('task-not-deleted', message, { status: 409, cause, retryable: true });
  }
  return toClipError(cause);
}
