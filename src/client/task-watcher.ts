import type { Task } from '../contract/task.ts';
import { taskList } from './clip-answers.ts';
import {
  anyChange,
  heldPoll,
  pollForUser,
  type HeldPoll,
  type Told,
  type UserListener,
} from './held-poll.ts';
import { pageHost, type PageHostOptions } from './page-host.ts';

export interface TaskListener extends UserListener {
  /** The newest tasks, and the cursor of those after them (null: there are no more). */
  onUpdate(tasks: readonly Task[], next: string | null): void;
}

/** Short: what changes between two requests is only seen after the second. */
const holdSeconds = 10;
/** The most that a host gives at once. */
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
  const client = pageHost(options);
  let poll: HeldPoll;
  const begin = (told: Told): HeldPoll => {
    let isRunning = false;
    let isAnswered = false;
    return (poll = heldPoll({
      ...told,
      holdSeconds,
      trustsHost: true,
      async ask(question) {
        if (!isRunning) question.wait = 0;
        isAnswered = false;
        const { value, next, held } = await client.get<Task[]>('/tasks', taskList, {
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
