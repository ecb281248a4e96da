import { maxInputSeconds } from 'clip-kit/contract';
import type { ServiceContext } from '../context.ts';
import { passToScan } from '../db/tasks.ts';
import { AttemptLost, type Begun } from '../db/worked-rows.ts';
import { discardSource, fetchSource } from '../tasks/source.ts';
import { taskShare } from '../tasks/task-stages.ts';
import type { RowProgress } from './progress.ts';

/** Fetches a task's source and passes the task on to its scan. */
export async function ingestSource(
  service: Pick<
    ServiceContext,
    | 'allowPrivateSources'
    | 'db'
    | 'downloadMs'
    | 'maxSourceSeconds'
    | 'queue'
    | 'storage'
    | 'workDirectory'
  >,
  { attempt, row: task }: Begun<'ingest'>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const tell = (share: number) => progress.report('ingest', taskShare('ingest', share));
  tell(0);
  const source = await fetchSource(service, attempt, task.request.source_video_url, {
    maxSeconds: maxInputSeconds[task.type],
    language: task.request.language,
    signal,
    onProgress: tell,
  });
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
