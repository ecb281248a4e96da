import type { Task } from '../contract/task.ts';
import { retryDelay } from '../flow/backoff.ts';
import { task as taskReader, taskList } from './clip-answers.ts';
import type { ClipError } from './clip-error.ts';
import { taskOutcomeUnknown, taskOutcomeUnresolved, toStartError } from './create-errors.ts';
import type { CreateJob } from './create-store.ts';
import { HttpError } from './errors.ts';
import type { HostClient } from './host-client.ts';
import { isOverdue, isSurelyRefused, outcomeOf, type Outcome } from './lost-start.ts';
import { onReturn, Pause } from './pause.ts';

/** How often a start is sent before a person tries again. */
const maxSends = 6;

/** One for each decision of a person to start the task, however often its start is sent. */
const attemptOf = ({ id, tries = 0 }: CreateJob): string =>
  `clip-task-${id}${tries ? `-${tries}` : ''}`;

/** The job of a start, under its tab lock. */
export interface TaskStart {
  readonly host: HostClient;
  /** The job as it was last read or stored. */
  readonly job: () => CreateJob;
  /** Reads the job again, and stores a change. If it was removed, the signal is aborted. */
  readonly update: (change: Partial<CreateJob>) => void;
  /** Called whenever it is not known what became of the start; it is being found out. */
  readonly onOpen: (error: ClipError) => void;
  readonly signal: AbortSignal;
}

/**
 * Starts the task of a job, at most once for each decision of a person: if an answer was lost, also
 * before a reload, the host is asked what the attempt has started before it is sent again. Rejects
 * with a `ClipError`.
 */
export async function startTask({ host, job, update, onOpen, signal }: TaskStart): Promise<Task> {
  let lost: unknown = null;
  let sends = 0;
  const pause = new Pause();
  const life = new AbortController();
  onReturn(() => pause.wake(), AbortSignal.any([signal, life.signal]));
  try {
    for (let failures = 1; ; failures++) {
      const { startSentAt, tries = 0, unresolvedTry } = job();
      const known = startSentAt === null ? 'not-started' : await ask(host, job(), signal);
      if (typeof known === 'object') return known.value;
      const isUnresolved = known === 'unknown' && isOverdue(startSentAt!);
      if (isUnresolved && unresolvedTry !== tries) throw taskOutcomeUnresolved(lost);
      if (isUnresolved || known === 'not-started') {
        if (sends++ === maxSends) throw toStartError(lost);
        // Stored before it is sent. Another tab may have removed the job.
        update({ startSentAt: Date.now(), ...(isUnresolved && { tries: tries + 1 }) });
        signal.throwIfAborted();
        try {
          return await send(host, job(), signal);
        } catch (cause) {
          const error = toStartError(cause);
          const isRefused = isSurelyRefused(cause);
          // Also if the refusal has ended this session: another account is signed in.
          if (isRefused) update({ startSentAt: null });
          signal.throwIfAborted();
          // A full service may still have started it: the next try asks first.
          if (isRefused || error.code === 'storage-full') throw error;
          lost = cause;
        }
      }
      onOpen(taskOutcomeUnknown(lost));
      const retryAfter = lost instanceof HttpError ? lost.retryAfter : null;
      const { hidden } = document;
      await pause.for(retryDelay({ failures, retryAfter, hidden, jitter: Math.random() }), signal);
    }
  } finally {
    life.abort();
  }
}

async function send(host: HostClient, job: CreateJob, signal: AbortSignal): Promise<Task> {
  const body = {
    ...job.body,
    source_video_url: job.sourceUrl,
    ...(job.subtitlesUrl && { subtitles_url: job.subtitlesUrl }),
  };
  const path = `/tasks/${job.type}`;
  return (await host.change<Task>(path, taskReader, { body, attempt: attemptOf(job), signal }))
    .value;
}

/** What the host knows of the attempt; `open` also if it cannot be asked now. */
async function ask(host: HostClient, job: CreateJob, signal: AbortSignal): Promise<Outcome<Task>> {
  try {
    const question = host.byAttempt<Task>('/tasks', attemptOf(job), taskList, signal);
    return await outcomeOf(question, job.startSentAt!);
  } catch (cause) {
    signal.throwIfAborted();
    const error = toStartError(cause);
    if (error.status === 401 || error.status === 403) throw error;
    return 'open';
  }
}
