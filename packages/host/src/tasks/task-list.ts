import { HttpError, type ServiceClient } from 'clip-kit/client';
import { type Task, getTaskState } from 'clip-kit/contract';
import { HostProblem } from '../http/host-problem.ts';
import type { HostRecords, StartedTask, TaskPlace } from '../stores/records.ts';

/** A page of a user's list. */
export interface TaskPageQuery {
  readonly hostUser: string;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface TaskPage {
  readonly tasks: readonly Task[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** The time for which a service without a list is not asked again: it may get one by an update. */
const withoutListMs = 5 * 60 * 1000;

/** The time for which a task that is over counts as unchanged: others may delete it. */
const settledMs = 60 * 1000;
const maxSettled = 10_000;

/** The number of tasks of a page that are read at a time. */
const readsAtOnce = 4;

/** Whether the service lacks the route, or the object of the call. */
export const isMissing = (cause: unknown): cause is HttpError =>
  cause instanceof HttpError && [404, 405, 501].includes(cause.status);

/** Returns the parts of a page of tasks that a list shows, as one text. */
export const describePage = ({ tasks }: TaskPage): string =>
  JSON.stringify(
    tasks.map((task) => [
      task.id,
      getTaskState(task),
      task.name,
      task.picture_url,
      task.clip_count,
    ]),
  );

export const isMovingPage = ({ tasks }: TaskPage): boolean =>
  tasks.some(({ status }) => status === 'processing');

interface Parts {
  readonly service: ServiceClient;
  readonly records: HostRecords;
  readonly now: () => number;
}

/** The tasks of users: the service's list, or the host's own where the service has none. */
export class TaskList {
  readonly #service: ServiceClient;
  readonly #records: HostRecords;
  readonly #now: () => number;
  /** Null until the service was asked. */
  #serviceLists: boolean | null = null;
  #askAgainAt = -Infinity;
  readonly #settled = new Map<string, { readonly task: Task; readonly until: number }>();

  constructor({ service, records, now }: Parts) {
    this.#service = service;
    this.#records = records;
    this.#now = now;
  }

  async read(managedUser: string, query: TaskPageQuery): Promise<TaskPage> {
    if (this.#now() >= this.#askAgainAt) {
      const { limit, cursor } = query;
      try {
        const page = await this.#service.listTasks(
          { limit, ...(cursor !== null && { cursor }) },
          { onBehalfOf: managedUser },
        );
        this.#serviceLists = true;
        return page;
      } catch (cause) {
        // One that has given a list fails.
        if (this.#serviceLists || !isMissing(cause)) throw cause;
        this.#askAgainAt = this.#now() + withoutListMs;
      }
    }
    return this.#ownPage(managedUser, query);
  }

  /** Remembers a task that was started, for a service without a list. Never fails. */
  async keep(hostUser: string, { id }: Task, name: string): Promise<void> {
    if (this.#serviceLists) return;
    // The task is started and paid for, whatever becomes of the list.
    await this.#records.keepTask({ hostUser, id, name, startedAt: this.#now() }).catch(() => {});
  }

  /** Deletes a task. Where the service cannot, it only leaves the list. */
  async remove(managedUser: string, hostUser: string, taskId: string): Promise<void> {
    let isDeleted = true;
    try {
      await this.#service.deleteTask(taskId, { onBehalfOf: managedUser });
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
      isDeleted = false;
    }
    if (isDeleted) {
      // It is gone, whatever becomes of the list, which forgets it when it is read.
      await this.#records.dropTask(hostUser, taskId).catch(() => {});
      return;
    }
    // Asked before the list forgets it: a failure changes nothing.
    const isLeft = await this.#exists(managedUser, taskId);
    if (await this.#records.dropTask(hostUser, taskId)) return;
    throw isLeft
      ? new HostProblem('not-supported', { detail: 'The clip service cannot delete videos.' })
      : new HostProblem('not-found');
  }

  async #exists(managedUser: string, taskId: string): Promise<boolean> {
    try {
      await this.#service.getTask(taskId, { onBehalfOf: managedUser });
      return true;
    } catch (cause) {
      if (isMissing(cause)) return false;
      throw cause;
    }
  }

  async #ownPage(
    managedUser: string,
    { hostUser, limit, cursor }: TaskPageQuery,
  ): Promise<TaskPage> {
    const after = cursor === null ? null : decodeCursor(cursor);
    const found = await this.#records.startedTasks(hostUser, limit + 1, after);
    const page = found.slice(0, limit);
    const tasks: (Task | null)[] = Array(page.length).fill(null);
    const rest = page.entries();
    const readRest = async (): Promise<void> => {
      for (const [at, started] of rest) tasks[at] = await this.#task(managedUser, started);
    };
    await Promise.all(Array.from({ length: readsAtOnce }, readRest));
    return {
      tasks: tasks.filter((task) => task !== null),
      next: found.length > limit ? encodeCursor(page.at(-1)!) : null,
    };
  }

  /** Reads the task; null if the service has deleted it. */
  async #task(managedUser: string, { hostUser, id, name }: StartedTask): Promise<Task | null> {
    const key = JSON.stringify([managedUser, id]);
    const settled = this.#settled.get(key);
    if (settled && settled.until > this.#now()) return settled.task;
    try {
      const found = await this.#service.getTask(id, { onBehalfOf: managedUser });
      const task = { ...found, name: found.name ?? name };
      if (task.status !== 'processing') {
        if (this.#settled.size >= maxSettled) this.#settled.clear();
        this.#settled.set(key, { task, until: this.#now() + settledMs });
      }
      return task;
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
      // The bare 404 of a proxy says nothing of the task.
      if (cause.problem) await this.#records.dropTask(hostUser, id);
      return null;
    }
  }
}

/** Returns the cursor in characters that a query may contain. */
function encodeCursor({ startedAt, id }: TaskPlace): string {
  const bytes = new TextEncoder().encode(id);
  return `${startedAt}.${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function decodeCursor(cursor: string): TaskPlace {
  const [, startedAt, hex] = /^(\d{1,16})\.((?:[\da-f]{2})+)$/.exec(cursor) ?? [];
  if (startedAt === undefined || hex === undefined) {
    throw new HostProblem('invalid-request', {
      errors: [{ path: 'cursor', message: 'must be a cursor from the Link header of this list' }],
    });
  }
  const bytes = Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16));
  return { startedAt: Number(startedAt), id: new TextDecoder().decode(bytes) };
}
