import { taskState } from '../../contract/known-state.ts';
import type { Task } from '../../contract/task.ts';
import type { Holds } from '../holds.ts';

/** Pause between two reads of a task that somebody waits for. */
const lookMs = 1000;

/** Resolves after `ms` milliseconds, or when the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(null);
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

/** Holds requests until a task changes. Requests for the same task share each read. */
export class TaskWatch {
  readonly #read: (managedUser: string, taskId: string) => Promise<Task>;
  readonly #holds: Holds;
  /** Aborted when the host closes. */
  readonly #closing: AbortSignal;
  /** The next read of a task, by user and task. */
  readonly #next = new Map<string, Promise<Task | null>>();
  /** Who holds a request for a task, by its id. */
  readonly #listeners = new Map<string, Set<(task: Task) => void>>();

  constructor(
    read: (managedUser: string, taskId: string) => Promise<Task>,
    holds: Holds,
    closing: AbortSignal,
  ) {
    this.#read = read;
    this.#holds = holds;
    this.#closing = closing;
  }

  /** Ends the holds that wait for this task: the service has reported a change. */
  notify(task: Task): void {
    for (const listener of this.#listeners.get(task.id) ?? []) listener(task);
  }

  /**
   * The task: at once if it is settled or `waitMs` is 0, otherwise when its state is no longer
   * `known` (by default the present one) or the time is over. A failed read during the hold is
   * tried again. `held` is false if there are too many requests or the host is closing.
   */
  async watch(
    managedUser: string,
    taskId: string,
    waitMs: number,
    known: string | null,
    request: Pick<Request, 'signal'>,
  ): Promise<{ task: Task; held: boolean }> {
    let task = await this.#read(managedUser, taskId);
    const closing = this.#closing;
    const mayHold = waitMs > 0 && task.status === 'processing' && !closing.aborted;
    const release = mayHold ? this.#holds.take(managedUser) : null;
    if (!release) return { task, held: false };
    const done = new AbortController();
    const ends = AbortSignal.any([request.signal, closing, done.signal]);
    let isOver = false;
    const over = pause(waitMs, ends).then(() => {
      isOver = true;
      return null;
    });
    let notified: Task | null = null;
    const listener = (changed: Task): void => {
      notified = changed;
      done.abort();
    };
    const listeners = this.#listeners.get(taskId) ?? new Set();
    this.#listeners.set(taskId, listeners.add(listener));
    try {
      const before = known ?? taskState(task);
      while (!isOver && taskState(task) === before) {
        task = (await Promise.race([this.#look(managedUser, taskId), over])) ?? task;
      }
      return { task: notified ?? task, held: !closing.aborted };
    } finally {
      listeners.delete(listener);
      if (!listeners.size) this.#listeners.delete(taskId);
      done.abort();
      release();
    }
  }

  /** The next read, shared by all who wait for it; null if it fails. */
  #look(managedUser: string, taskId: string): Promise<Task | null> {
    const key = JSON.stringify([managedUser, taskId]);
    const closing = this.#closing;
    let look = this.#next.get(key);
    if (!look) {
      look = pause(lookMs, closing)
        .then(() => (closing.aborted ? null : this.#read(managedUser, taskId)))
        .catch(() => null)
        .finally(() => this.#next.delete(key));
      this.#next.set(key, look);
    }
    return look;
  }
}
