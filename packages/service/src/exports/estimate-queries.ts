import { sql } from 'kysely';
import type { Db, ExportRow } from '../db/schema.ts';

/** An encode that ended, and how long a slot had it. */
export interface SettledExport {
  taskId: string;
  /** All clips of its task. */
  projectIds: readonly string[];
  work: number;
  /** Seconds since 1970. */
  from: number;
  until: number;
}

/** The facts from which the time of an export in progress is estimated. */
export type OpenExport = Pick<
  ExportRow,
  | 'project_id'
  | 'stage'
  | 'share'
  | 'share_at'
  | 'started_at'
  | 'created_at'
  | 'work'
  | 'copied'
  | 'turn'
>;

/** All that waits up to a place in the queue, itself included. */
export interface Waiting {
  turn: number;
  created_at: Date;
  jobs: number;
  /** Work of the encodes among them. */
  work: number;
  copies: number;
}

/** The known facts of the installation, as far as estimates need them. */
export interface QueueSnapshot {
  /** Newest first. */
  settled: readonly SettledExport[];
  running: readonly OpenExport[];
  /** In the order of the queue. The further back, the more rows are between two of them. */
  waiting: readonly Waiting[];
  /** Seconds that the last tasks took for a unit of their previews' work; null if none is known. */
  previewPace: number | null;
}

/** No statement reads more rows of the queue. */
const rowsAtOnce = 2000;

/** Reads the last finished exports: few, so that they reflect the present. */
const readSettled = async (db: Db): Promise<SettledExport[]> =>
  (
    await sql<SettledExport>`
      select task_id as "taskId", ended.work,
          array(select id from projects where task_id = own.task_id limit 100) as "projectIds",
          extract(epoch from started_at)::float8 as from,
          extract(epoch from ended.finished_at)::float8 as until
        from (select * from exports where status <> 'processing' and finished_at is not null
          order by finished_at desc limit 100) ended
        join projects own on own.id = ended.project_id
        where ended.status = 'ready' and not copied and ended.work > 0 and started_at is not null
        order by ended.finished_at desc`.execute(db)
  ).rows;

/** Also counts the waiting of the previews for their turns, as the next task will. */
const readPreviewPace = async (db: Db): Promise<number | null> =>
  (
    await sql<{ pace: number | null }>`
      select percentile_cont(0.5) within group (
          order by extract(epoch from finished_at - previews.began)::float8 / previews.work) as pace
        from (select id, status, finished_at from tasks
          where status <> 'processing' and finished_at is not null
          order by finished_at desc limit 20) ended
        cross join lateral (select min(created_at) as began, sum(work) as work
          from projects where task_id = ended.id) previews
        where ended.status = 'ready' and previews.work > 0`.execute(db)
  ).rows[0]?.pace ?? null;

const readRunning = (db: Db): Promise<OpenExport[]> =>
  db
    .selectFrom('exports')
    .select(['project_id', 'stage', 'share', 'share_at', 'started_at', 'created_at'])
    .select(['work', 'copied', 'turn'])
    .where('status', '=', 'processing')
    .where('stage', '<>', 'queued')
    .orderBy('turn')
    .limit(rowsAtOnce)
    .execute();

/**
 * Reads the queue in pages, so that a long one does not block the database.  Of each page the
 * database gives a few places: every one at the front, then one for each 2 % more.
 */
export async function readWaiting(db: Db): Promise<Waiting[]> {
  const places: Waiting[] = [];
  for (let from = { turn: -1, exact: '-infinity', id: '' }; ;) {
    const before = places.at(-1) ?? { jobs: 0, work: 0, copies: 0 };
    const { rows } = await sql<Waiting & { exact: string; id: string }>`
      select turn, created_at, created_at::text as exact, id, jobs::float8, work, copies
        from (
          select turn, created_at, id, jobs, lead(floor(50 * ln(jobs))) over w as next,
              sum(case when copied then 0 else work end) over w as work,
              (count(*) filter (where copied) over w)::float8 as copies
            from (
              select turn, created_at, id, work, copied,
                  ${before.jobs}::float8 + row_number() over (order by turn, created_at, id) as jobs
                from exports
                where status = 'processing' and stage = 'queued'
                  and (turn, created_at, id) > (${from.turn}::float8, ${from.exact}::timestamptz, ${from.id})
                order by turn, created_at, id limit ${rowsAtOnce}
            ) page window w as (order by jobs)
        ) counted where next is distinct from floor(50 * ln(jobs)) order by jobs`.execute(db);
    const last = rows.at(-1);
    for (const { turn, created_at, jobs, work, copies } of rows) {
      const sum = { work: before.work + work, copies: before.copies + copies };
      places.push({ turn, created_at, jobs, ...sum });
    }
    if (!last || last.jobs - before.jobs < rowsAtOnce) return places;
    from = last;
  }
}

export const readSnapshot = async (db: Db): Promise<QueueSnapshot> => ({
  settled: await readSettled(db),
  previewPace: await readPreviewPace(db),
  running: await readRunning(db),
  waiting: await readWaiting(db),
});

/** The work of a task's previews that is not done. */
export const readPreviewWork = async (db: Db, taskId: string): Promise<number> =>
  (
    await db
      .selectFrom('projects')
      .select(sql<number | null>`sum(work * (1 - share))`.as('left'))
      .where('task_id', '=', taskId)
      .where('preview', '=', 'preparing')
      .executeTakeFirst()
  )?.left ?? 0;
