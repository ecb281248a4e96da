import { join } from 'node:path';
import { renderSourcePicture, SourceError } from 'clip-engine';
import { maxInputSeconds, type SourceRange } from 'clip-kit/contract';
import type { Queue } from '../queue/queue.ts';
import type { AskedWords, StoredSource, TaskRow, Db } from '../db/schema.ts';
import { passToScan, readOwnTask } from '../tasks/queries.ts';
import { readTaskUploads } from '../uploads/queries.ts';
import {
  AttemptLost,
  type JobAttempt,
  type Begun,
  writeProgress,
} from '../queue/attempt-queries.ts';
import { type Files, withWorkDirectory, withLocalFiles } from '../storage/work-directory.ts';
import { discardSource, fetchSource, type NamedFiles, storeSubtitles } from './source.ts';
import { failTask } from '../tasks/words-queries.ts';
import { computeTaskShare, unknownTaskFailure } from '../tasks/rules.ts';
import type { RowKind } from './run-job.ts';
import type { RowProgress } from './progress.ts';
import { makeAttemptFileName, publish } from './publish.ts';

type Dependencies = Parameters<typeof fetchSource>[0] & { db: Db; queue: Queue };

/**
 * Finds the files that the task names: uploads that it has taken, the source of another task, or
 * addresses.
 */
async function findNamedFiles(
  db: Db,
  { id, author_id: authorId, request }: TaskRow,
): Promise<NamedFiles> {
  const { source_video_url: url, subtitles_url: subtitles, source_task_id: sourceTaskId } = request;
  const uploads = await readTaskUploads(db, id);
  const named = (key: string | undefined, address: string) =>
    key === undefined ? { url: address } : { key };
  const other = sourceTaskId === undefined ? null : await readOwnTask(db, authorId, sourceTaskId);
  return {
    video:
      uploads.source_video_url === undefined && other?.source
        ? other.source
        : named(uploads.source_video_url, url),
    subtitles:
      subtitles !== undefined
        ? named(uploads.subtitles_url, subtitles)
        : sourceTaskId === undefined
          ? 'find'
          : 'none',
  };
}

/** Draws a picture of the source and does the rest with its key; null for a video without one. */
const withPicture = (
  service: Files,
  attempt: JobAttempt,
  { key: sourceKey, media }: StoredSource,
  signal: AbortSignal,
  note: (pictureKey: string | null) => Promise<unknown>,
): Promise<unknown> =>
  withWorkDirectory(service, `task-${attempt.id}-${attempt.number}-picture`, async (directory) => {
    const output = join(directory, 'picture.jpg');
    const drawn = await withLocalFiles(service.storage, signal, async (localPath) =>
      renderSourcePicture(media, { source: await localPath(sourceKey), output, signal }),
    );
    if (!drawn) return note(null);
    const key = `pictures/${attempt.id}/${makeAttemptFileName(attempt, 'jpg')}`;
    return publish(service.storage, { [key]: output }, () => note(key));
  });

/** A range may end this much after the source: lengths are rounded where people see them. */
const rangeGraceSeconds = 1;

/** Throws {@link SourceError} if the source does not have the range of the request. */
function requireRange(range: SourceRange | undefined, { media: { duration } }: StoredSource): void {
  const isInside = !range || (range.start < duration && range.end <= duration + rangeGraceSeconds);
  if (isInside) return;
  throw new SourceError(
    'range-outside-source',
    `The video ends after ${Number(duration.toFixed(1))} seconds, and source_range at ${range.end}. Use a range inside the video.`,
  );
}

/** Fetches the subtitles that a task with clips is to get. */
async function fetchWords(
  service: Dependencies,
  attempt: JobAttempt,
  task: TaskRow,
  words: AskedWords,
  signal: AbortSignal,
): Promise<void> {
  const transcriptKey = await storeSubtitles(service, attempt, words.subtitles_url!, signal);
  const fetched = { ...words, transcriptKey };
  await passToScan(service.db, service.queue, attempt, task, { words: fetched });
}

export const ingestRows: RowKind<'ingest'> = {
  fail: failTask,
  writeProgress,
  kind: 'ingest',
  logName: 'task',
  doneEvent: 'task-fetched',
  unknownFailure: unknownTaskFailure,
};

/** Fetches a task's source, or its other words, and passes the task on to its scan. */
export async function fetchTaskSource(
  service: Dependencies,
  { attempt, row: task }: Begun<'ingest'>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const reportShare = (share: number) =>
    progress.report('ingest', computeTaskShare('ingest', share));
  reportShare(0);
  if (task.words) return fetchWords(service, attempt, task, task.words, signal);
  const source = await fetchSource(service, attempt, await findNamedFiles(service.db, task), {
    maxSeconds: maxInputSeconds[task.type],
    language: task.request.language,
    signal,
    onProgress: reportShare,
  });
  try {
    requireRange(task.request.source_range, source);
    await withPicture(service, attempt, source, signal, async (pictureKey) => {
      await progress.settled();
      await passToScan(service.db, service.queue, attempt, task, {
        source,
        picture_key: pictureKey,
        share: computeTaskShare('scan', 0),
      });
    });
  } catch (error) {
    if (error instanceof AttemptLost || error instanceof SourceError) {
      await discardSource(service.storage, source);
    }
    throw error;
  }
}
