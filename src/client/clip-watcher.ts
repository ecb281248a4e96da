import { taskState } from '../contract/known-state.ts';
import type { Project } from '../contract/project.ts';
import type { Task } from '../contract/task.ts';
import { nextPoll } from '../flow/poll-schedule.ts';
import { onOtherAccount } from './account.ts';
import { clip, clipList, task as taskReader } from './clip-answers.ts';
import type { ClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { HostAnswer, HostClient } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { pageHost, type PageHostOptions } from './page-host.ts';
import { onReturn, Pause } from './pause.ts';

/** Which clips: those of a folder, or one; and the task that makes them, if it may still run. */
export interface ClipSource {
  readonly folder: string | null;
  readonly project: string | null;
  readonly task: string | null;
}

type ReadClip = Project | undefined;

export interface ClipListener {
  /** The clips (undefined: one that cannot be read), and the task if it is known. */
  onUpdate(clips: readonly ReadClip[], task: Task | null): void;
  /** Several tries have failed (an error), or one works again (null). Watching goes on. */
  onStalled(error: ClipError | null): void;
  /** Watching has ended, or goes on once a user is signed in. */
  onFailed(error: ClipError): void;
  /** Another account is signed in than the one whose clips are shown. */
  onOtherAccount(): void;
}

const holdSeconds = 25;
/** Even if the host holds, answers come no faster. */
const minGapMs = 1000;
/** While the task's stage stays the same, the clips are read no more often. */
const clipsEveryMs = 5000;
/** The stage of a task in which its clips exist. */
const plannedStage = 'preview';
/** So many failures in a row are shown. */
const failuresToShow = 3;

const statusOf = (cause: unknown): number => (cause instanceof HttpError ? cause.status : 0);

/** Null instead of a 404, except for an address where no host answers. */
const orMissing = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((cause: unknown) => {
    if (toClipError(cause).code === 'clip-not-found') return null;
    throw cause;
  });

/** Reads clips, and again while their task runs, with one held request at a time. */
export async function watchClips(
  host: PageHostOptions,
  source: ClipSource,
  listener: ClipListener,
  signal: AbortSignal,
): Promise<void> {
  const client = pageHost(host);
  onOtherAccount(client.endpoint, () => listener.onOtherAccount(), signal);
  let reader = new ClipReader(client, source);
  const pause = new Pause();
  let request: AbortController | null = null;
  // The connection of a page that returns may be dead.
  onReturn(() => {
    request?.abort();
    pause.wake();
  }, signal);
  let failures = 0;
  while (!signal.aborted) {
    const asked = Date.now();
    let retryAfter: number | null = null;
    request = new AbortController();
    try {
      await reader.read(AbortSignal.any([signal, request.signal]));
      if (failures >= failuresToShow) listener.onStalled(null);
      // After several failures the host itself was away.
      if (failures > 1) reader.mayHold = true;
      failures = 0;
      listener.onUpdate(reader.clips!, reader.task);
      if (reader.task?.status !== 'processing') return;
    } catch (cause) {
      if (signal.aborted) return;
      if (!request.signal.aborted) {
        const error = toClipError(cause);
        const status = error.status ?? 0;
        if (!reader.clips || (status >= 400 && status < 500 && status !== 429)) {
          listener.onFailed(error);
          if (error.code !== 'signed-out') return;
          await client.session!.signedIn(signal);
          reader = new ClipReader(client, source);
          failures = 0;
          continue;
        }
        retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
        if (++failures >= failuresToShow) listener.onStalled(error);
      }
    }
    const now = Date.now();
    // The first question is not held; the next one shows whether this host holds.
    if (!failures && reader.held === null && !document.hidden) continue;
    const delayMs = nextPoll({
      now,
      waiting: [{ since: asked, estimate: null }],
      held: reader.held,
      asked,
      failures,
      retryAfter,
      hidden: document.hidden,
      jitter: Math.random(),
    })!;
    await pause.for(Math.max(delayMs, asked + minGapMs - now), signal).catch(() => {});
  }
}

/** What is known of the clips and their task, read when it is due. */
class ClipReader {
  readonly #client: HostClient;
  readonly #source: ClipSource;
  clips: readonly ReadClip[] | null = null;
  task: Task | null = null;
  /** Whether this host holds; null until it is known. */
  held: boolean | null = null;
  /** False if only the requests fail that are to be held. */
  mayHold = true;
  /** The status and stage of the task when the clips were last read. */
  #stage = '';
  #readAt = 0;

  constructor(client: HostClient, source: ClipSource) {
    this.#client = client;
    this.#source = source;
  }

  /** Reads the task, and the clips if they may have changed. */
  async read(signal: AbortSignal): Promise<void> {
    const { task, project } = this.#source;
    // Before anything is shown, both at once. Later the task is held, and says when to read more.
    const early = this.clips || (task && project) ? null : this.#readClips(signal);
    // Handled below; the task may fail first.
    early?.catch(() => {});
    if (task) {
      const known = this.mayHold ? this.task : null;
      const wait = known ? holdSeconds : 0;
      const hold = known && { wait, after: taskState(known) };
      const answer = await orMissing(
        this.#client.get<Task>(`/tasks/${encodeURIComponent(task)}`, taskReader, {
          ...hold,
          signal,
        }),
      ).catch((cause: unknown) => {
        if (statusOf(cause) >= 500) this.mayHold = !wait;
        if (!this.mayHold) this.held = false;
        throw cause;
      });
      this.task = answer && answer.value;
      if (wait) this.held = !!answer?.held;
    }
    const { status, progress } = this.task ?? {};
    const stage = `${status} ${progress?.stage}`;
    if (project && status === 'processing' && progress?.stage !== plannedStage) {
      // A promised clip does not exist before it is planned, and browsers log each 404.
      this.clips = [];
      return;
    }
    const isDue = stage !== this.#stage || Date.now() - this.#readAt >= clipsEveryMs;
    if (!early && !isDue) return;
    let clips = await (early ?? this.#readClips(signal));
    // What was asked for with the task may be older than the last clips that it has made.
    if (early && (clips?.length ?? 0) < (this.task?.clip_count ?? 0)) {
      clips = await this.#readClips(signal);
    }
    this.#readAt = Date.now();
    this.#stage = stage;
    this.clips = clips ?? this.#missing();
  }

  /** The clips; null if the folder or the clip is not there. */
  async #readClips(signal: AbortSignal): Promise<readonly ReadClip[] | null> {
    const { folder, project } = this.#source;
    const answer = await orMissing<HostAnswer<Project | ReadClip[]>>(
      project
        ? this.#client.get<Project>(`/projects/${encodeURIComponent(project)}`, clip, {
            ...(folder && { query: { folder_id: folder } }),
            signal,
          })
        : this.#client.get<ReadClip[]>('/projects', clipList, {
            query: { folder_id: folder! },
            signal,
          }),
    );
    return answer && [answer.value].flat();
  }

  /** What a running task has promised does not exist before it is planned. */
  #missing(): readonly Project[] {
    if (this.task?.status === 'processing') return [];
    throw new HttpError({ method: 'GET', path: '/projects' }, 404, missing, null);
  }
}

const missing = { type: 'about:blank', title: '', code: 'clip-not-found' };
