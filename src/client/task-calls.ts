import type { Task } from '../contract/task.ts';
import { readTaskList } from './clip-answers.ts';
import { ClipError } from './clip-error.ts';
import { HttpError, isOtherAccount, toClipError } from './errors.ts';
import type { HostAnswer } from './host-client.ts';
import { getPageHost, type PageHostOptions } from './page-host.ts';
import {
  anyChange,
  LongPoll,
  pollForUser,
  type PollEvents,
  type UserListener,
} from './long-poll.ts';

/** `GET /tasks`: a page of the user's tasks, newest first. */
export const readTasks = (
  options: PageHostOptions,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<HostAnswer<Task[]>> =>
  getPageHost(options).get<Task[]>('/tasks', readTaskList, { query, signal });

/** `DELETE /tasks/{id}`. A missing task counts as deleted. */
export async function deleteTask(
  options: PageHostOptions,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await getPageHost(options).change(`/tasks/${encodeURIComponent(id)}`, () => undefined, {
      signal,
    });
  } catch (cause) {
    const isGone = cause instanceof HttpError && [404, 410].includes(cause.status);
    if (!isGone || cause.problem?.code === 'endpoint-not-found') throw cause;
  }
}

/** The error that a page sees. */
export function makeTaskError(cause: unknown): ClipError {
  if (cause instanceof HttpError && cause.status === 409 && !isOtherAccount(cause)) {
    const message = 'This video cannot be deleted now. Try again when it has finished processing.';
    return new ClipError('task-not-deleted', message, { status: 409, cause, retryable: true });
  }
  return toClipError(cause);
}

export interface TaskListener extends UserListener {
  /** The newest tasks, and the cursor of those after them (null: there are no more). */
  onUpdate(tasks: readonly Task[], next: string | null): void;
}

/** Short: what changes between two requests is only seen after the second. */
const waitSeconds = 10;
/** The most that a host returns at once. */
const maxLimit = 100;

/**
 * Reads the newest `limit()` tasks of the user, and again while one of them runs, with one held
 * request for all. What is returned reads at once.
 */
export function watchTasks(
  options: PageHostOptions,
  limit: () => number,
  listener: TaskListener,
  signal: AbortSignal,
): () => void {
  const client = getPageHost(options);
  let poll: LongPoll;
  const begin = (events: PollEvents): LongPoll => {
    let isRunning = false;
    let isAnswered = false;
    return (poll = new LongPoll({
      ...events,
      waitSeconds,
      trustsHost: true,
      async ask(question) {
        if (!isRunning) question.wait = 0;
        isAnswered = false;
        const { value, next, held } = await client.get<Task[]>('/tasks', readTaskList, {
          query: { limit: `${Math.min(maxLimit, limit())}` },
          ...question,
        });
        isAnswered = true;
        isRunning = value.some(({ status }) => status === 'processing');
        listener.onUpdate(value, next);
        return question.wait ? held : null;
      },
      waiting: () => (isRunning || !isAnswered ? anyChange : []),
    }));
  };
  void pollForUser(client, listener, begin, signal);
  return () => poll.refresh();
}
