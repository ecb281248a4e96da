import type { Note } from 'clip-kit/contract';
import { sql } from 'kysely';
import { makeUnprocessableError } from '../api-error.ts';
import type { UnsavedClip } from '../clips/queries.ts';
import { makeClipTexts } from '../clips/post-texts.ts';
import { deleteFailedClips, lockTask } from '../clips/preview-queries.ts';
import { makeTextColumns } from '../clips/queries.ts';
import type { Log } from '../config/config.ts';
import type { AskedWords, Db, TaskRequest, TaskRow, Trx } from '../db/schema.ts';
import { schedulePreview } from '../edits/queries.ts';
import {
  type JobAttempt,
  databaseNow,
  type Failure,
  makeFailedRow,
  updateRow,
  writeAs,
} from '../queue/attempt-queries.ts';
import { deleteJobs, takeTurns } from '../queue/queries.ts';
import { type Queue, WorkFailure } from '../queue/queue.ts';
import { removeLeftLater } from '../storage/queries.ts';
import { type AskedUpload, readTaskUploads, replaceSubtitles } from '../uploads/queries.ts';
import { deleteClips } from './deletion-queries.ts';
import { isKept } from './queries.ts';

/** Clips that a person has edited stay: of a whole video, that is the only one. */
const wholeEdited = 'This video was edited by a person, so its words cannot be replaced.';

/** Throws ApiError if a task cannot get other words now. */
async function requireReady(trx: Trx, { id, status, type, source }: TaskRow): Promise<void> {
  if (status !== 'ready') {
    throw makeUnprocessableError(
      'The words can be replaced only when the task is ready.',
      'not-ready',
    );
  }
  if (!source) {
    throw makeUnprocessableError(
      'The source is no longer stored. Create a new task with the video.',
      'source-gone',
    );
  }
  if (type !== 'video-to-video') return;
  const edited = await trx
    .selectFrom('projects')
    .select('id')
    .where('task_id', '=', id)
    .where('edited_at', 'is not', null)
    .executeTakeFirst();
  if (edited) throw makeUnprocessableError(wholeEdited, 'clip-edited');
}

/**
 * Puts a ready task back to work, to get other words: its clips stay until their replacements are
 * chosen. Throws ApiError if it cannot.
 */
export const askForWords = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  { id, author_id: authorId }: Pick<TaskRow, 'id' | 'author_id'>,
  asked: Pick<AskedWords, 'subtitles_url' | 'language'>,
  uploads: readonly AskedUpload[],
  /** Locks the user's turns; throws if it may not be done. */
  admit: (trx: Trx) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await admit(trx);
    const task = await trx
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await requireReady(trx, task);
    await replaceSubtitles(trx, { id, authorId }, uploads);
    const { subtitles_url: file } = await readTaskUploads(trx, id);
    const isFetched = asked.subtitles_url === undefined || file !== undefined;
    const words: AskedWords = {
      ...asked,
      round: task.attempts,
      ...(isFetched && { transcriptKey: file ?? null }),
    };
    const [turn] = await takeTurns(trx, 'tasks', authorId, 1);
    await trx
      .updateTable('tasks')
      .set((own) => ({
        status: 'processing' as const,
        stage: 'queued',
        share: 0,
        scanned: false,
        words: JSON.stringify(words),
        turn: turn!,
        uncounted_attempts: own.ref('attempts'),
        releases: 0,
        finished_at: null,
        failure_code: null,
        failure_message: null,
      }))
      .where('id', '=', id)
      .execute();
    // Those of its first clips, or of earlier words, are done.
    for (const kind of ['ingest', 'scan'] as const) await deleteJobs(trx, kind, [id]);
    const kind = isFetched ? 'scan' : 'ingest';
    await queue.send(kind, { id, turn: turn!, author_id: authorId }, trx);
  });

/** The request of a task with other words. */
export const withWords = (
  { subtitles_url: _, ...request }: TaskRequest,
  { subtitles_url, language }: AskedWords,
): TaskRequest => ({
  ...request,
  ...(subtitles_url !== undefined && { subtitles_url }),
  ...(language !== undefined && { language }),
});

/**
 * The task is as it was before it was asked to get other words, with a note if that failed. Its row
 * is locked.
 */
async function endWords(trx: Trx, id: string, failure: Failure | null): Promise<Note | null> {
  const { notes } = await trx
    .selectFrom('tasks')
    .select('notes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const before = (notes ?? []).filter(({ code }) => code !== 'words-failed');
  const note = failure && {
    code: 'words-failed',
    message: `The clips are unchanged, because the new words could not be used: ${failure.message}`,
  };
  await trx
    .updateTable('tasks')
    .set({
      status: 'ready',
      share: 1,
      scanned: true,
      words: null,
      finished_at: databaseNow,
      failure_code: failure?.code ?? null,
      failure_message: failure?.message ?? null,
      notes: JSON.stringify(note ? [...before, note] : before),
    })
    .where('id', '=', id)
    .execute();
  await removeLeftLater(trx, 'tasks', id);
  return note;
}

/** Withdraws the request of {@link askForWords}, with the key of its call. */
export const undoWords = (db: Db, userId: string, id: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockTask(trx, id))) return;
    await endWords(trx, id, null);
    await sql`delete from idempotency_keys
      where user_id = ${userId} and made_id = ${id}`.execute(trx);
  });

/**
 * Ends a task in `error`: its clips are removed, except those with exports. One that was to get
 * other words stays as it was. Throws `AttemptLost`.
 */
export async function failTask(
  { db, log }: { db: Db; log: Log },
  attempt: JobAttempt,
  failure: Failure,
): Promise<void> {
  const { id } = attempt;
  const note = await writeAs(db, attempt, async (trx) => {
    const { words } = await trx
      .selectFrom('tasks')
      .select('words')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (words) return endWords(trx, id, failure);
    await updateRow(trx, attempt, makeFailedRow(failure));
    await deleteFailedClips(trx, id);
    return null;
  });
  if (note) log({ event: 'note', id, ...note });
}

/**
 * Makes room for the clips of a task that has got other words. Clips in use stay.
 * Returns the new clips that do not overlap these. The task is locked.
 */
export async function replaceClips<Clip extends UnsavedClip>(
  trx: Trx,
  queue: Pick<Queue, 'send'>,
  task: TaskRow,
  clips: readonly Clip[],
): Promise<Clip[]> {
  // An edit or an export that has begun is waited for.
  await sql`select from projects where task_id = ${task.id} order by id for update`.execute(trx);
  if (task.type === 'video-to-video') {
    await remakeWhole(trx, queue, task, clips[0]!);
    return [];
  }
  await deleteClips(trx, sql`task_id = ${task.id} and not ${isKept}`);
  const kept = await trx
    .selectFrom('projects')
    .select('edit')
    .where('task_id', '=', task.id)
    .execute();
  const spanOf = ({ edit: { ranges } }: Pick<UnsavedClip, 'edit'>) => ({
    start: ranges[0]!.start,
    end: ranges.at(-1)!.end,
  });
  const taken = kept.map(spanOf);
  return clips.filter((clip) => {
    const { start, end } = spanOf(clip);
    return taken.every((one) => start >= one.end || end <= one.start);
  });
}

/** The clip of a whole video is made again, with its id and its exports. */
async function remakeWhole(
  trx: Trx,
  queue: Pick<Queue, 'send'>,
  { id: taskId }: TaskRow,
  made: UnsavedClip,
): Promise<void> {
  const clip = await trx
    .selectFrom('projects')
    .selectAll()
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  if (!clip || clip.edited_at) throw new WorkFailure('clip-edited', wholeEdited);
  const { edit, inputs, notes, segment, work } = made;
  const [turn = clip.turn] = await takeTurns(trx, 'projects', clip.author_id, 1);
  await trx
    .updateTable('projects')
    .set((own) => ({
      ...makeTextColumns(makeClipTexts(made, {})),
      titles: JSON.stringify(inputs.post.titles),
      edit: JSON.stringify(edit),
      notes: JSON.stringify(notes),
      segment: segment && JSON.stringify(segment),
      preview: 'preparing' as const,
      stage: 'queued',
      share: 0,
      work,
      turn,
      // A preview that is being made is of the edit before.
      revision: clip.revision + 1,
      uncounted_attempts: own.ref('attempts'),
    }))
    .where('id', '=', clip.id)
    .execute();
  await trx
    .updateTable('edits')
    .set({ inputs: JSON.stringify(inputs) })
    .where('project_id', '=', clip.id)
    .execute();
  await schedulePreview(trx, queue, { ...clip, turn }, 0);
}
