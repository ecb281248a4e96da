import type { Task } from '../contract/task.ts';
import { nextPoll } from '../flow/poll-schedule.ts';
import { onOtherAccount } from './account.ts';
import { taskList } from './clip-answers.ts';
import type { ClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { HostAnswer } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { pageHost, type PageHostOptions } from './page-host.ts';
import { onReturn, Pause } from './pause.ts';

export interface TaskListener {
  /** The newest tasks, and the cursor of those after them (null: there are no more). */
  onUpdate(tasks: readonly Task[], next: string | null): void;
  /** Several tries have failed (an error), or one works again (null). Watching goes on. */
  onStalled(error: ClipError | null): void;
  /** Watching has ended, or goes on once a user is signed in. */
  onFailed(error: ClipError): void;
  /** Another account is signed in than the one whose tasks are shown. */
  onOtherAccount(): void;
}

/** Short: what changes between two requests is only seen after the second. */
const holdSeconds = 10;
/** Even if the host holds, answers come no faster. */
const minGapMs = 1000;
/** The most that a host gives at once. */
const maxLimit = 100;
/** So many failures in a row are shown. */
const failuresToShow = 3;

const isRefusal = ({ status }: ClipError): boolean =>
  status !== null && status < 500 && status !== 429;

/**
 * Reads the newest `limit()` tasks of the user, and again while one of them runs, with one held
 * request for all. `wake` reads at once.
 */
export function watchTasks(
  options: PageHostOptions,
  limit: () => number,
  listener: TaskListener,
  signal: AbortSignal,
): { wake(): void } {
  const client = pageHost(options);
  const pause = new Pause();
  let request: AbortController | null = null;
  const wake = (): void => {
    request?.abort();
    pause.wake();
  };
  const watch = async (): Promise<void> => {
    let held: boolean | null = null;
    let failures = 0;
    let mayHold = true;
    /** Whether one runs; null before the first answer. */
    let isRunning = null as boolean | null;
    /** Somebody waits for the next answer, which is therefore not held. */
    let isAwaited = true;
    while (!signal.aborted) {
      const asked = Date.now();
      let retryAfter: number | null = null;
      const wait: number = isRunning && mayHold && !isAwaited ? holdSeconds : 0;
      isAwaited = false;
      request = new AbortController();
      try {
        const answer: HostAnswer<Task[]> = await client.get<Task[]>('/tasks', taskList, {
          query: { limit: `${Math.min(maxLimit, limit())}` },
          wait,
          signal: AbortSignal.any([signal, request.signal]),
        });
        if (failures >= failuresToShow) listener.onStalled(null);
        if (wait) held = answer.held;
        // After several failures the host itself was away.
        if (failures > 1) mayHold = true;
        failures = 0;
        isRunning = answer.value.some(({ status }) => status === 'processing');
        listener.onUpdate(answer.value, answer.next);
      } catch (cause) {
        if (signal.aborted) return;
        if (request.signal.aborted) {
          isAwaited = true;
          continue;
        }
        const error = toClipError(cause);
        if (isRunning === null || isRefusal(error)) {
          listener.onFailed(error);
          if (error.code !== 'signed-out') return;
          await client.session!.signedIn(signal);
          isRunning = null;
          isAwaited = true;
          failures = 0;
          continue;
        }
        if (wait && cause instanceof HttpError && cause.status >= 500) mayHold = false;
        if (!mayHold) held = false;
        retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
        if (++failures >= failuresToShow) listener.onStalled(error);
      }
      request = null;
      const now = Date.now();
      // The second question shows whether this host holds.
      if (isRunning && !failures && held === null && !document.hidden) continue;
      const delayMs = nextPoll({
        now,
        waiting: isRunning || failures ? [{ since: asked, estimate: null }] : [],
        held,
        asked,
        failures,
        retryAfter,
        hidden: document.hidden,
        jitter: Math.random(),
      });
      const pauseMs = delayMs === null ? null : Math.max(delayMs, asked + minGapMs - now);
      isAwaited = await pause.for(pauseMs, signal).catch(() => false);
    }
  };
  onReturn(wake, signal);
  onOtherAccount(client.endpoint, () => listener.onOtherAccount(), signal);
  void watch();
  return { wake };
}
