import type { ServiceCallOptions, ServiceClient } from 'clip-kit/client';
import type {
  Task,
  TaskMore,
  TaskWords,
  VideoToShortsInput,
  VideoToVideoInput,
} from 'clip-kit/contract';
import type { StartSearch, PaidCall } from '../paid-starts/paid-starts.ts';
import type { PaidStart } from '../stores/records.ts';

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

/** The creation of a task. The specification lists no tasks, so a lost one cannot be searched. */
export class TaskCall implements PaidCall<Task> {
  readonly subject = 'task';
  readonly request: string;
  readonly #service: ServiceClient;
  readonly #task: TaskCallRequest;
  readonly #started: Started;

  constructor(service: ServiceClient, task: TaskCallRequest, started: Started) {
    this.#service = service;
    this.#task = task;
    this.#started = started;
    this.request = canonicalize(task);
  }

  isSameRequest(stored: string): boolean {
    return stored === this.request;
  }

  async send(call: ServiceCallOptions) {
    const task = await this.#create(call);
    const { body } = this.#task;
    await this.#started(task, ('name' in body ? body.name : task.name) ?? 'Upload');
    return { id: task.id, complete: () => Promise.resolve(task) };
  }

  #create(call: ServiceCallOptions): Promise<Task> {
    const task = this.#task;
    switch (task.type) {
      case 'video-to-shorts':
        return this.#service.createVideoToShorts(task.body, call);
      case 'video-to-video':
        return this.#service.createVideoToVideo(task.body, call);
      case 'words':
        return this.#service.addWords(task.taskId, task.body, call);
      case 'more':
        return this.#service.createMore(task.taskId, task.body, call);
    }
  }

  read(id: string, call: ServiceCallOptions): Promise<Task> {
    return this.#service.getTask(id, call);
  }

  /** Finds nothing: a service that keeps keys gives the task when the start is sent again. */
  async search(
    _: PaidStart,
    key: string | null,
    call: ServiceCallOptions,
  ): Promise<StartSearch<Task>> {
    if (key === null) return { found: null, keepsKeys: false };
    const { keepsKeys } = await this.#service.findExports(key, {}, call);
    return { found: null, keepsKeys };
  }
}
