import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { unscheduleNeeded } from '../storage/queries.ts';

/** Counts the work that waits beside the jobs. */
export async function readBacklog(db: Db): Promise<{ deliveries: number; files: number }> {
  const { rows } = await sql<{ deliveries: number; files: number }>`
    select (select count(*)::int from webhook_deliveries where status = 'waiting') as deliveries,
      (select count(*)::int from files_to_remove) as files`.execute(db);
  return rows[0]!;
}

interface FailedWork {
  kind: 'task' | 'export';
  id: string;
  organization: string;
  code: string;
  message: string;
  at: Date;
}

/** The tasks and exports that ended in an error, the last first. */
export async function listFailedWork(
  db: Db,
): Promise<(FailedWork & Record<string, string | Date>)[]> {
  const failed = (kind: FailedWork['kind']) => sql`
    select ${kind} as kind, work.id, users.organization_id as organization,
        failure_code as code, failure_message as message, finished_at as at
      from ${sql.table(`${kind}s`)} as work join users on users.id = work.author_id
      where status = 'error'`;
  const { rows } = await sql<FailedWork & Record<string, string | Date>>`
    ${failed('task')} union all ${failed('export')} order by at desc limit 100`.execute(db);
  return rows;
}

const again = sql`status = 'processing', stage = 'queued', share = 0, failure_code = null,
  failure_message = null, finished_at = null, uncounted_attempts = attempts`;

/**
 * Retries a failed task or export, with all of its attempts. The next search for rows without jobs
 * creates its job. Objects that were removed with the failure are lost: the watermark of an export,
 * and the other clips of a task of which some were kept.
 */
export const retryWork = (db: Db, id: string): Promise<'retried' | 'not-failed' | 'needs-new'> =>
  db.transaction().execute(async (trx) => {
    const changed = await sql`
      with task as (
        update tasks set ${again}, source = null where id = ${id} and status = 'error'
          and not exists (select from projects where task_id = tasks.id) returning id
      ), export as (
        update exports set ${again}, started_at = null, share_at = null
          where id = ${id} and status = 'error' and watermark is null returning id
      )
      select from task union all select from export`.execute(trx);
    if (changed.rows.length > 0) {
      await unscheduleNeeded(trx, 'tasks', id);
      return 'retried';
    }
    const left = await sql`
      select from tasks where id = ${id} and status = 'error'
      union all select from exports where id = ${id} and status = 'error'`.execute(trx);
    return left.rows.length > 0 ? 'needs-new' : 'not-failed';
  });

/** Returns the rows that are settled or deleted. */
const selectSettled = (table: 'tasks' | 'exports' | 'projects', ids: readonly string[]) => sql`
  select ${table} as kind, id as key, '' as state from unnest(${ids}::text[]) as asked (id)
    where not exists (
      select from ${sql.table(table)} as known
        where known.id = asked.id and known.status = 'processing')`;

/** Reads the changes of the watched rows in one query; for lists, a word for the state of each. */
export async function readMissed(
  db: Db,
  watched: Record<'tasks' | 'exports' | 'clips' | 'users', readonly string[]>,
): Promise<Record<'tasks' | 'exports' | 'clips', string[]> & { lists: Map<string, string> }> {
  const { rows } = await sql<{ kind: string; key: string; state: string }>`
    ${selectSettled('tasks', watched.tasks)}
    union all ${selectSettled('exports', watched.exports)}
    union all ${selectSettled('projects', watched.clips)}
    union all
    select 'lists', author_id,
        count(*) || ' ' || count(*) filter (where status = 'processing')
      from exports where author_id = any(${watched.users}::text[]) group by author_id
  `.execute(db);
  const keys = (kind: string): string[] =>
    rows.filter((row) => row.kind === kind).map(({ key }) => key);
  return {
    tasks: keys('tasks'),
    exports: keys('exports'),
    clips: keys('projects'),
    lists: new Map(rows.flatMap((row) => (row.kind === 'lists' ? [[row.key, row.state]] : []))),
  };
}
