import { SourceError } from 'clip-engine';
import { maxInputSeconds } from 'clip-kit/contract';
import type { ServiceContext } from '../context.ts';
import type { KeptSource, TaskRow } from '../db/schema.ts';
import { passToScan, readTask } from '../db/tasks.ts';
import { AttemptLost, type Attempt } from '../db/worked-rows.ts';
import { discardSource, fetchSource } from '../tasks/source.ts';
import { taskShare } from '../tasks/task-stages.ts';
import type { RowProgress } from './progress.ts';

/** Tells how much of the source is here. */
const telling = (progress: RowProgress) => (share: number) =>
  progress.report('ingest', taskShare('ingest', share));

/** The source that the creating call has left on its way; null if there is none, or it failed. */
async function takeOver(
  service: ServiceContext,
  task: TaskRow,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<KeptSource | null> {
  const left = service.fetches?.take(task.id);
  if (!left) return null;
  const tell = telling(progress);
  tell(left.share);
  left.onProgress = tell;
  signal.addEventListener('abort', left.stop, { once: true });
  try {
    return await left.source;
  } catch (error) {
    signal.throwIfAborted();
    // What is wrong with the source itself stays wrong; a lost connection is tried once more.
    if (error instanceof SourceError && error.code !== 'source-unreachable') throw error;
    return null;
  } finally {
    signal.removeEventListener('abort', left.stop);
  }
}

/**
 * Fetches a task's source, or takes over a download that the creating call has left, and passes the
 * task on to its scan.
 */
export async function ingestSource(
  service: ServiceContext,
  attempt: Attempt,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const task = await readTask(service.db, attempt.id);
  const taken = await takeOver(service, task, progress, signal);
  const tell = telling(progress);
  if (!taken) tell(0);
  const source =
    taken ??
    (await fetchSource(service, attempt, task.request.source_video_url, {
      maxSeconds: maxInputSeconds[task.type],
      language: task.request.language,
      signal,
      onProgress: tell,
    }));
  await progress.settled();
  try {
    await passToScan(service.db, service.queue, attempt, task, {
      source,
      share: taskShare('scan', 0),
    });
  } catch (error) {
    if (error instanceof AttemptLost) await discardSource(service.storage, source);
    throw error;
  }
}
