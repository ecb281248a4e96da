import { getTaskState } from '../contract/for-pages.ts';
import type { Project } from '../contract/project.ts';
import type { Task } from '../contract/task.ts';
import { clip, clipList, task as taskReader } from './clip-answers.ts';
import { HttpError, toClipError } from './errors.ts';
import {
  anyChange,
  LongPoll,
  pollForUser,
  type Question,
  type PollEvents,
  type UserListener,
} from './long-poll.ts';
import type { HostAnswer, HostClient } from './host-client.ts';
import { getPageHost, type PageHostOptions } from './page-host.ts';

/** The clips of a folder, or one clip, and the task that makes them, if it may still run. */
export interface ClipSource {
  readonly folder: string | null;
  readonly project: string | null;
  readonly task: string | null;
}

type ReadClip = Project | undefined;

export interface ClipListener extends UserListener {
  /** The clips (undefined: one that cannot be read), and the task if it is known. */
  onUpdate(clips: readonly ReadClip[], task: Task | null): void;
}

/** While the task's stage stays the same, the clips are read no more often. */
const clipsEveryMs = 5000;
/** The stage of a task in which its clips exist. */
const plannedStage = 'preview';

/** Null instead of a 404, except for an address where no host answers. */
const ignoreMissing = <T>(answer: Promise<T>): Promise<T | null> =>
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
  const client = getPageHost(host);
  const begin = (events: PollEvents) => pollClips(client, source, listener.onUpdate, events);
  await pollForUser(client, listener, begin, signal);
}

/** Returns the clips; null if the folder or the clip is not there. */
async function readClips(
  client: HostClient,
  { folder, project }: ClipSource,
  signal: AbortSignal,
): Promise<readonly ReadClip[] | null> {
  const query = folder ? { folder_id: folder } : {};
  const answer = await ignoreMissing<HostAnswer<Project | ReadClip[]>>(
    project
      ? client.get<Project>(`/projects/${encodeURIComponent(project)}`, clip, { query, signal })
      : client.get<ReadClip[]>('/projects', clipList, { query, signal }),
  );
  return answer && [answer.value].flat();
}

/** Returns a task, once its state is another than that of the known one; null if it is missing. */
function readTask(
  client: HostClient,
  id: string,
  known: Task | null,
  question: Question,
): Promise<HostAnswer<Task> | null> {
  const after = known ? { after: getTaskState(known) } : {};
  const path = `/tasks/${encodeURIComponent(id)}`;
  return ignoreMissing(client.get<Task>(path, taskReader, { ...question, ...after }));
}

/** Returns the clips of a task as it is now. `early`: the clips as they were read beside it. */
async function readTaskClips(
  client: HostClient,
  source: ClipSource,
  task: Task | null,
  early: ReturnType<typeof readClips> | null,
  signal: AbortSignal,
): Promise<readonly ReadClip[]> {
  let found = await (early ?? readClips(client, source, signal));
  // What was asked for with the task may be older than the last clips that it has made.
  if (early && (found?.length ?? 0) < (task?.clip_count ?? 0)) {
    found = await readClips(client, source, signal);
  }
  // What a running task has promised does not exist before it is planned.
  if (!found && task?.status !== 'processing') {
    throw new HttpError({ method: 'GET', path: '/projects' }, 404, missing, null);
  }
  return found ?? [];
}

function pollClips(
  client: HostClient,
  source: ClipSource,
  onUpdate: ClipListener['onUpdate'],
  events: PollEvents,
): LongPoll {
  const { project } = source;
  let clips: readonly ReadClip[] | null = null;
  let task: Task | null = null;
  /** The status and stage of the task when the clips were last read. */
  let stageRead = '';
  let readAt = 0;

  /** Reads the task, and the clips if they may have changed. Returns whether the host has held. */
  const read = async (question: Question): Promise<boolean | null> => {
    const { signal } = question;
    // Before anything is shown, both at once. Later the task is held, and says when to read more.
    const early = clips || (source.task && project) ? null : readClips(client, source, signal);
    // Handled below; the task may fail first.
    early?.catch(() => {});
    let held: boolean | null = null;
    if (!task) question.wait = 0;
    if (source.task) {
      const answer = await readTask(client, source.task, task, question);
      task = answer && answer.value;
      if (question.wait) held = !!answer?.held;
      // What is read now is not held.
      question.wait = 0;
    }
    const { status, progress } = task ?? {};
    const stage = `${status} ${progress?.stage}`;
    if (project && status === 'processing' && progress?.stage !== plannedStage) {
      // A promised clip does not exist before it is planned, and browsers log each 404.
      clips = [];
    } else if (early || stage !== stageRead || Date.now() - readAt >= clipsEveryMs) {
      clips = await readTaskClips(client, source, task, early, signal);
      readAt = Date.now();
      stageRead = stage;
    }
    return held;
  };

  const poll = new LongPoll({
    ...events,
    waitSeconds: 25,
    asksForChange: true,
    trustsHost: true,
    async ask(question) {
      const held = await read(question);
      onUpdate(clips!, task);
      if (task?.status !== 'processing') poll.end();
      return held;
    },
    waiting: () => anyChange,
  });
  return poll;
}

const missing = { type: 'about:blank', title: '', code: 'clip-not-found' };
