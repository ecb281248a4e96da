import type { Note } from 'clip-kit/contract';
import { sql } from 'kysely';
import { lockRenderSource } from '../clips/queries.ts';
import { AlreadyMade } from '../db/idempotency-keys.ts';
import type { Db, TaskRow, Trx } from '../db/schema.ts';

/** Whether no export that a task has started is at work. */
const isOver = sql`not exists (
  select from task_exports join exports on exports.id = export_id
    where task_id = tasks.id and exports.status = 'processing')`;

/**
 * Lists ready tasks whose exports are to be started, or are all over: some of them, or one by its
 * id, a clip of it, or an export.
 */
export async function listDueTasks(
  db: Db,
  { taskId, clipId, exportId }: { taskId?: string; clipId?: string; exportId?: string },
): Promise<TaskRow[]> {
  const one =
    exportId !== undefined
      ? sql`and id = (select task_id from task_exports where export_id = ${exportId})`
      : clipId !== undefined
        ? sql`and id = (select task_id from projects where id = ${clipId})`
        : taskId !== undefined
          ? sql`and id = ${taskId}`
          : sql``;
  const { rows } = await sql<TaskRow>`
    select * from tasks where ready_exports <> 'done' and status = 'ready' ${one}
      and (ready_exports <> 'started' or ${isOver})
      order by random() limit 100`.execute(db);
  return rows;
}

/** Chooses the best clips of a ready task, once: those that play, in the order of its list. */
export async function chooseClips(db: Db, { id, request }: TaskRow): Promise<void> {
  const { count = 'all' } = request.export_when_ready ?? {};
  const most = count === 'all' ? null : count;
  await sql`
    with task as (
      update tasks set ready_exports = 'chosen'
        where id = ${id} and status = 'ready' and ready_exports = 'asked' returning id
    )
    insert into task_exports (task_id, project_id, place)
      select task.id, projects.id, position from task join projects on task_id = task.id
        where preview = 'ready' order by position limit ${most}::int`.execute(db);
}

/** Lists the chosen clips of a task that have no export yet, best first. */
export async function listUnexportedClips(db: Db, taskId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select project_id as id from task_exports
      where task_id = ${taskId} and export_id is null order by place`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Records the export of a chosen clip, in the transaction that makes and counts it: whoever else
 * starts it waits here. Throws {@link AlreadyMade} if there is one.
 */
export async function claimExport(
  trx: Trx,
  { taskId, clipId }: { taskId: string; clipId: string },
  id: string,
): Promise<void> {
  // The task before what belongs to it: that is the order everywhere.
  await lockRenderSource(trx, clipId);
  const { rows } = await sql<{ mine: boolean; export_id: string }>`
    with claimed as (
      update task_exports set export_id = ${id}
        where task_id = ${taskId} and project_id = ${clipId} and export_id is null returning 1
    )
    select exists (select from claimed) as mine, export_id from task_exports
      where task_id = ${taskId} and project_id = ${clipId}`.execute(trx);
  if (!rows[0]?.mine) throw new AlreadyMade(rows[0]?.export_id ?? '');
}

/** Notes that all exports of a task are started but those that were refused. */
export const noteStarted = (db: Db, id: string, refusals: readonly Note[]): Promise<unknown> =>
  sql`update tasks
    set ready_exports = 'started', notes = coalesce(notes, '[]') || ${JSON.stringify(refusals)}::jsonb
    where id = ${id} and ready_exports = 'chosen'`.execute(db);

/** Ends the exports of a task when none of them is at work. Its event is sent once. */
export const endReadyExports = (db: Db, id: string): Promise<unknown> =>
  sql`update tasks set ready_exports = 'done'
    where id = ${id} and ready_exports = 'started' and ${isOver}`.execute(db);
