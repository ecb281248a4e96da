import type { ServiceCallOptions, ServiceClient } from 'clip-kit/client';
import type {
  Task,
  TaskMore,
  TaskWords,
  VideoToShortsInput,
  VideoToVideoInput,
} from 'clip-kit/contract';
import { HostProblem } from '../http/host-problem.ts';
import type { AttemptSearch, PaidCall } from '../attempts/paid-starts.ts';
import type { Attempt } from '../stores/store.ts';

/** A request for a task, as it is stored with its attempt. */
export type TaskRequest =
  | { readonly type: 'video-to-shorts'; readonly body: VideoToShortsInput }
  | { readonly type: 'video-to-video'; readonly body: VideoToVideoInput }
  | { readonly type: 'words'; readonly taskId: string; readonly body: TaskWords }
  | { readonly type: 'more'; readonly taskId: string; readonly body: TaskMore };

interface TaskHooks {
  /** The address that is sent instead of one of the host's own; null for any other. */
  readonly sourceOf: (address: string) => Promise<string | null>;
  /** Called with each new task and its name; never fails. */
  readonly started: (task: Task, name: string) => Promise<void>;
}

const noHooks: TaskHooks = {
  sourceOf: () => Promise.resolve(null),
  started: () => Promise.resolve(),
};

/** The text of a value with the fields of its objects in order. */
const canonical = (value: unknown): string =>
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
  readonly #task: TaskRequest;
  readonly #hooks: TaskHooks;

  constructor(service: ServiceClient, task: TaskRequest, hooks: TaskHooks) {
    this.#service = service;
    this.#task = task;
    this.#hooks = hooks;
    this.request = canonical(task);
  }

  /** The call of a stored attempt, which can only be read and searched for. */
  static stored(service: ServiceClient, request: string): TaskCall {
    if (!request.startsWith('{')) {
      throw new HostProblem('attempt-mismatch', { detail: 'This key was used for an export.' });
    }
    return new TaskCall(service, JSON.parse(request) as TaskRequest, noHooks);
  }

  isSameRequest(stored: string): boolean {
    return stored === this.request;
  }

  async send(call: ServiceCallOptions) {
    const task = await this.#create(call);
    const { body } = this.#task;
    await this.#hooks.started(task, ('name' in body ? body.name : task.name) ?? 'Upload');
    return { id: task.id, complete: () => Promise.resolve(task) };
  }

  /** The stored request keeps the host's own addresses: those that are sent may end. */
  async #create(call: ServiceCallOptions): Promise<Task> {
    const task = this.#task;
    const { sourceOf } = this.#hooks;
    switch (task.type) {
      case 'video-to-shorts':
        return this.#service.createVideoToShorts(
          await withReadableSources(task.body, sourceOf),
          call,
        );
      case 'video-to-video':
        return this.#service.createVideoToVideo(
          await withReadableSources(task.body, sourceOf),
          call,
        );
      case 'words': {
        const body = await withReadableSources(task.body, sourceOf);
        return this.#service.addWords(task.taskId, body, call);
      }
      case 'more':
        return this.#service.createMore(task.taskId, task.body, call);
    }
  }

  read(id: string, call: ServiceCallOptions): Promise<Task> {
    return this.#service.getTask(id, call);
  }

  /** Finds nothing: a service that keeps keys gives the task when the start is sent again. */
  async search(
    _: Attempt,
    key: string | null,
    call: ServiceCallOptions,
  ): Promise<AttemptSearch<Task>> {
    if (key === null) return { found: null, keepsKeys: false, isCertain: false };
    const { keepsKeys } = await this.#service.findExports(key, {}, call);
    return { found: null, keepsKeys, isCertain: keepsKeys };
  }
}

interface Sources {
  readonly source_video_url?: string;
  readonly subtitles_url?: string | undefined;
}

/**
 * The request with the addresses that the service can read, instead of the host's own ones of
 * uploads. `sourceOf`: null for any other address. Throws 404 and 422 with the field.
 */
async function withReadableSources<Body extends Sources>(
  body: Body,
  sourceOf: (address: string) => Promise<string | null>,
): Promise<Body> {
  const readable = async (path: keyof Sources): Promise<Partial<Sources>> => {
    const address = body[path];
    if (address === undefined) return {};
    try {
      const source = await sourceOf(address);
      return source === null ? {} : { [path]: source };
    } catch (cause) {
      if (!(cause instanceof HostProblem) || cause.status >= 500) throw cause;
      const { message, details } = cause;
      throw new HostProblem(cause.code, { ...details, errors: [{ path, message }] });
    }
  };
  return {
    ...body,
    ...(await readable('source_video_url')),
    ...(await readable('subtitles_url')),
  };
}
