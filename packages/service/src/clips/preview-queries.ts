import type { Edit, FramingAnalysis } from 'clip-engine';
import type { Note } from 'clip-kit/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  type JobAttempt,
  databaseNow,
  type Failure,
  makeFailedRow,
  selectOwnRow,
  updateAs,
} from '../queue/attempt-queries.ts';
import { listIds } from '../db/id.ts';
import { removeLater, removeLeftLater } from '../storage/queries.ts';
import type { Db, ProjectRow, StoredStream, Trx } from '../db/schema.ts';

/** Returns the analysis of a clip's pictures; null if they were not analysed. */
export const findAnalysis = async (db: Db, projectId: string): Promise<FramingAnalysis | null> =>
  (
    await db
      .selectFrom('edits')
      .select('analysis')
      .where('project_id', '=', projectId)
      .executeTakeFirst()
  )?.analysis ?? null;

/**
 * Stores the analysis of a clip's pictures, and the edit that is framed by it. `decide` gets what
 * is stored, and returns what to store: the first analysis stays, so that the preview and all
 * exports show the same.
 * @returns the stored analysis; null if the clip was deleted
 */
export const storeAnalysis = (
  db: Db,
  projectId: string,
  decide: (stored: { analysis: FramingAnalysis | null; edit: Edit }) => {
    analysis: FramingAnalysis;
    edit: Edit;
    notes: readonly Note[];
  },
): Promise<FramingAnalysis | null> =>
  db.transaction().execute(async (trx) => {
    const clip = await trx
      .selectFrom('projects')
      .innerJoin('edits', 'project_id', 'projects.id')
      .select(['projects.edit', 'notes', 'analysis'])
      .where('projects.id', '=', projectId)
      .forUpdate('projects')
      .executeTakeFirst();
    if (!clip) return null;
    const { analysis, edit, notes } = decide(clip);
    if (analysis !== clip.analysis) {
      await trx
        .updateTable('edits')
        .set({ analysis: JSON.stringify(analysis) })
        .where('project_id', '=', projectId)
        .execute();
    }
    if (edit !== clip.edit) {
      const before = clip.notes ?? [];
      const more = notes.filter(({ code }) => before.every((note) => note.code !== code));
      await trx
        .updateTable('projects')
        .set({ edit: JSON.stringify(edit), notes: JSON.stringify([...before, ...more]) })
        .where('id', '=', projectId)
        .execute();
    }
    return analysis;
  });

/** Claims the next clip of the task that is not analysed, for one caller. */
export async function claimAnalysis(db: Db, taskId: string): Promise<ProjectRow | undefined> {
  const { rows } = await sql<ProjectRow>`
    update projects set analysed_ahead = true where id = (
      select id from projects
        where task_id = ${taskId} and preview = 'preparing' and stage = 'queued'
          and not analysed_ahead and edit -> 'needsAnalysis' is not null
        order by turn limit 1 for update skip locked
    ) returning *`.execute(db);
  return rows[0];
}

/** Whether a clip's preview is to be made, but not yet. */
export const isPreviewLater = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .selectFrom('projects')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .where('preview_due_at', '>', databaseNow)
    .executeTakeFirst()) !== undefined;

/** Notes the segments of a preview that is being rendered. Throws `AttemptLost`. */
export const writeStream = (
  db: Db,
  attempt: JobAttempt,
  stream: Omit<StoredStream, 'attempt'>,
): Promise<void> =>
  updateAs(db, attempt, {
    preview_stream: JSON.stringify({ attempt: attempt.number, ...stream }),
  });

/** The state of a task after the end of a preview. */
export interface SettledTask {
  id: string;
  /** Null: it was settled before, and the preview was made again. */
  status: 'processing' | 'ready' | 'error' | null;
}

/** The share of a task that is done before its previews. */
export const shareBeforePreviews = 0.55;

/**
 * Notes how far a preview is, and its task with it: the share of a task follows those of all its
 * clips, and never goes back. A task that another transaction has locked is left out, not waited
 * for with the clip locked. While its clips are still chosen, a task is as far as that is.
 */
export const writePreviewProgress = (
  db: Db,
  attempt: JobAttempt,
  { stage, share }: { stage: string; share: number },
): Promise<unknown> =>
  sql`with task as materialized (
      select id from tasks where status = 'processing' and scanned
        and id = (select task_id from projects where id = ${attempt.id}) for no key update skip locked
    ), clip as (
      update projects set stage = ${stage}, share = ${share} where ${selectOwnRow(attempt)} returning id
    ), clips as (
      select avg(case when preview <> 'preparing' then 0
          when id = ${attempt.id} then 1 - ${share}::double precision else 1 - share end) as rest
        from projects where task_id = (select id from task)
    )
    update tasks
      set share = greatest(share, 1 - ${1 - shareBeforePreviews}::double precision * clips.rest)
      from task, clip, clips where tasks.id = task.id`.execute(db);

/**
 * Forgets a failed task's clips, with their files, and its source. Clips with exports stay, and
 * with them the source that they need.
 */
export async function deleteFailedClips(trx: Trx, taskId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from projects where task_id = ${taskId}
      and not exists (select from exports where exports.project_id = projects.id)
      returning id`.execute(trx);
  await sql`update tasks set source = null
    where id = ${taskId} and not exists (select from projects where task_id = tasks.id)`.execute(
    trx,
  );
  await removeLater(trx, 'projects', listIds(rows));
}

/**
 * Settles a task that is processing and whose row is locked: ready when all its clips are chosen
 * and no preview is left to make, in `error` if none could be made.
 */
export async function settleTask(trx: Trx, id: string, failure: Failure): Promise<SettledTask> {
  const { scanned, open, ready, rest } = await trx
    .selectFrom('projects')
    .select([
      sql<boolean>`(select scanned from tasks where id = ${id})`.as('scanned'),
      sql<number>`(count(*) filter (where preview = 'preparing'))::int`.as('open'),
      sql<number>`(count(*) filter (where preview = 'ready'))::int`.as('ready'),
      sql<number>`avg(case preview when 'preparing' then 1 - share else 0 end)`.as('rest'),
    ])
    .where('task_id', '=', id)
    .executeTakeFirstOrThrow();
  if (!scanned) return { id, status: 'processing' };
  if (open > 0) {
    const share = 1 - (1 - shareBeforePreviews) * rest;
    await sql`update tasks set share = greatest(share, ${share}) where id = ${id}`.execute(trx);
    return { id, status: 'processing' };
  }
  const status = ready > 0 ? 'ready' : 'error';
  await trx
    .updateTable('tasks')
    .set(
      status === 'ready' ? { status, share: 1, finished_at: databaseNow } : makeFailedRow(failure),
    )
    .where('id', '=', id)
    .execute();
  if (status === 'error') await deleteFailedClips(trx, id);
  // The first posters, which those of the previews have replaced, what lost scans have left, and
  // the source of a failed task. Its picture stays: lists show it.
  await removeLeftLater(trx, 'tasks', id);
  return { id, status };
}

/** Locks a task: no preview of it settles meanwhile. */
export const lockTask = (trx: Trx, id: string | RawBuilder<string>) =>
  trx
    .selectFrom('tasks')
    .select(['id', 'status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/**
 * Notes what became of a clip's preview, and settles the task with the last of them: exactly once,
 * as each locks the task before it looks at the others. Throws `AttemptLost`.
 */
export const settlePreview = (
  db: Db,
  attempt: JobAttempt,
  preview:
    | { preview: 'failed' }
    | { preview: 'ready'; preview_key: string; poster_key: string; storyboard: string },
  /** Why the task failed, if this was its last preview and none could be made. */
  failure: Failure,
): Promise<SettledTask> =>
  db.transaction().execute(async (trx) => {
    const ofClip = sql<string>`(select task_id from projects where id = ${attempt.id})`;
    const task = await lockTask(trx, ofClip);
    await updateAs(trx, attempt, preview);
    if (task?.status !== 'processing') return { id: task?.id ?? '', status: null };
    return settleTask(trx, task.id, failure);
  });
