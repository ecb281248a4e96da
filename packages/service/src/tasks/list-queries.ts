import { sql } from 'kysely';
import { selectShownTasks, type Place, type ShownTask } from './shown-queries.ts';
import type { Db } from '../db/schema.ts';

/** The user's tasks, newest first, each with its place. */
export async function listTasks(
  db: Db,
  userId: string,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<(ShownTask & Place)[]> {
  let page = selectShownTasks(db).where('author_id', '=', userId);
  if (after) {
    page = page.where(
      sql<boolean>`(created_at, id) < (
        'epoch'::timestamptz + ${after.createdMicroseconds}::bigint * interval '1 microsecond',
        ${after.id})`,
    );
  }
  return page
    .select(
      sql<string>`(extract(epoch from created_at) * 1000000)::bigint::text`.as(
        'createdMicroseconds',
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** What a user's list of tasks shows, in figures. */
export interface TaskListState {
  all: number;
  /** Tasks that are being processed. */
  open: number;
  /** Tasks whose source is known. */
  known: number;
  clips: number;
}

export async function readTaskListState(db: Db, userId: string): Promise<TaskListState> {
  const { rows } = await sql<TaskListState>`
    select count(*)::int as all, (count(*) filter (where status = 'processing'))::int as open,
        (count(*) filter (where source is not null))::int as known,
        (select count(*)::int from projects where author_id = ${userId}) as clips
      from tasks where author_id = ${userId}`.execute(db);
  return rows[0]!;
}
