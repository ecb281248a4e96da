import type { Task } from '../contract/task.ts';
import { retryDelay } from '../flow/poll-schedule.ts';
import { taskList, task as taskReader } from './clip-answers.ts';
import { ClipError } from './clip-error.ts';
import type { CreateJob } from './create-store.ts';
import { HttpError, isOtherAccount, toClipError } from './errors.ts';
import type { HostClient } from './host-client.ts';
import { isOverdue, isSurelyRefused, type Outcome, outcomeOf } from './lost-start.ts';
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

/** The error that a page sees for a failed upload. */
export function toUploadError(cause: unknown): ClipError {
  if (!(cause instanceof HttpError) || isOtherAccount(cause)) return toClipError(cause);
  const { status, problem } = cause;
  if (status === 402) {
    return new ClipError('task-limit', 'Your plan allows no more videos at the moment.', {
      status,
      cause,
      retryable: true,
    });
  }
  if (status === 507) {
    const message = 'There is no room for this file at the moment. Try again later.';
    return new ClipError('storage-full', message, { status, cause, retryable: true });
  }
  const isOpening = cause.call.method === 'POST' && cause.call.path === '/uploads';
  const isGone = isOpening
    ? status === 409
    : status === 404 && problem?.code !== 'endpoint-not-found';
  if (isGone || status === 410) {
    const message = 'What was sent of this file is no longer there. Send it again.';
    return new ClipError('upload-gone', message, { status, cause, retryable: true });
  }
  if (status === 413 || status === 415 || (status === 422 && problem)) {
    const message = problem?.detail || problem?.title || 'This file cannot be used.';
    return new ClipError('upload-refused', message, { status, cause });
  }
  return toClipError(cause);
}

/** The error that a page sees for a refused start of a task. */
function toStartError(cause: unknown): ClipError {
  if (cause instanceof HttpError && (cause.status === 400 || cause.status === 422)) {
    const { problem, status } = cause;
    const [field] = problem?.errors ?? [];
    const message = problem?.detail || (field && `${field.path}: ${field.message}`);
    return new ClipError('task-refused', message || 'The service does not take this request.', {
      status,
      cause,
    });
  }
  return toUploadError(cause);
}

const taskOutcomeUnknown = (cause: unknown): ClipError =>
  new ClipError(
    'task-outcome-unknown',
    'It is not known yet whether the clips are being made. This is being checked; nothing is started twice.',
    { retryable: true, cause },
  );

const taskOutcomeUnresolved = (cause: unknown): ClipError =>
  new ClipError(
    'task-outcome-unresolved',
    'This site cannot say whether the clips are being made. Look at your videos first: trying again may use up another one.',
    { retryable: true, cause },
  );
