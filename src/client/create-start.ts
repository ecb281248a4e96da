import type { Task } from '../contract/task.ts';
import { retryDelay } from '../flow/backoff.ts';
import { task as taskReader, taskList } from './clip-answers.ts';
import { ClipError } from './clip-error.ts';
import { taskOutcomeUnknown, toStartError } from './create-errors.ts';
import { updateJob, type CreateJob } from './create-store.ts';
import { HttpError } from './errors.ts';
import type { HostClient } from './host-client.ts';
import { onReturn, Pause } from './pause.ts';

/** How often a start whose outcome is open is asked about before a person decides. */
const maxQuestions = 6;

/** One for each click, however often its start is sent. */
const attemptOf = (job: CreateJob): string => `clip-task-${job.id}`;

/** Every 4xx says that nothing was started, and a 5xx that says so itself. */
const isSurelyRefused = (cause: unknown): boolean =>
  cause instanceof HttpError &&
  ((cause.status < 500 && cause.status !== 408) || cause.problem?.unknown_outcome === false);

/**
 * Starts the task of a job, at most once: if an answer was lost, also before a reload, the host is
 * asked what the attempt has started before it is sent again. Rejects with a `ClipError`.
 */
export async function startTask(
  host: HostClient,
  job: CreateJob,
  signal: AbortSignal,
): Promise<Task> {
  let open = job.startSentAt !== null;
  let lost: unknown = null;
  const pause = new Pause();
  const life = new AbortController();
  onReturn(() => pause.wake(), AbortSignal.any([signal, life.signal]));
  try {
    for (let questions = 0; ; questions++) {
      const known = open ? await ask(host, job, signal) : 'not-started';
      if (typeof known === 'object') return known;
      if (known === 'not-started') {
        updateJob(job.id, { startSentAt: Date.now() });
        try {
          return await send(host, job, signal);
        } catch (cause) {
          if (isSurelyRefused(cause)) {
            updateJob(job.id, { startSentAt: null });
            throw toStartError(cause);
          }
          signal.throwIfAborted();
          open = true;
          lost = cause;
        }
      }
      if (questions >= maxQuestions || known === 'unknown') throw taskOutcomeUnknown(lost);
      const retryAfter = lost instanceof HttpError ? lost.retryAfter : null;
      const jitter = Math.random();
      await pause.for(
        retryDelay({ failures: questions + 1, retryAfter, hidden: false, jitter }),
        signal,
      );
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

/** What the host knows of the attempt. `open`: it may know more soon. */
async function ask(
  host: HostClient,
  job: CreateJob,
  signal: AbortSignal,
): Promise<Task | 'not-started' | 'open' | 'unknown'> {
  try {
    const answer = await host.byAttempt<Task>('/tasks', attemptOf(job), taskList, signal);
    if (answer.inFlight) return 'open';
    const [found] = answer.value;
    // A host that does not name the key may have answered another question.
    if (!answer.keepsKeys) return 'unknown';
    return found ?? 'not-started';
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof HttpError && cause.status < 500 && cause.status !== 429) {
      const error = toStartError(cause);
      if (error.status === 401 || error.status === 403) throw error;
      return 'unknown';
    }
    if (cause instanceof ClipError) throw cause;
    return 'open';
  }
}
