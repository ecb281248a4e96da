import { sql } from 'kysely';
import type { Db, ExportRow, TaskRow } from '../db/schema.ts';

const workedColumns = [
  'id',
  'author_id',
  'status',
  'stage',
  'share',
  'failure_code',
  'failure_message',
  'notes',
  'created_at',
  'finished_at',
] as const;

const taskColumns = [...workedColumns, 'type', 'output_type', 'output_id', 'picture_key'] as const;

export const exportColumns = [
  ...workedColumns,
  'project_id',
  'folder_id',
  'name',
  'file_key',
  'watermark',
  'estimated_ready_at',
  'share_at',
  'started_at',
  'work',
  'copied',
  'turn',
  'revision',
] as const;

/** What the API shows of a task. */
export interface ShownTask extends Pick<TaskRow, (typeof taskColumns)[number]> {
  name: string;
  /** Null until the source is known. */
  source_seconds: number | null;
  clips: number;
}
/** What the API shows of an export. */
export type ShownExport = Pick<ExportRow, (typeof exportColumns)[number]>;

/**
 * A place in a list: of an export that may have been deleted since. Microseconds since 1970, as
 * dates of JavaScript are less exact than the database's.
 */
export interface Place {
  id: string;
  createdMicroseconds: string;
}

/** As a single parameter, so that the statement stays the same. */
const among = (ids: readonly string[]) => sql<boolean>`id = any(${ids}::text[])`;

/** Tasks as the API shows them, to be narrowed down. */
export const selectShownTasks = (db: Db) =>
  db.selectFrom('tasks').select([
    ...taskColumns,
    sql<string>`request ->> 'name'`.as('name'),
    // Earlier versions have not written it down.
    sql<number | null>`coalesce(source_seconds, (source -> 'media' ->> 'duration')::float8)`.as(
      'source_seconds',
    ),
    sql<number>`(select count(*)::int from projects where projects.task_id = tasks.id)`.as('clips'),
  ]);

export const readShownTasks = (db: Db, ids: readonly string[]): Promise<ShownTask[]> =>
  selectShownTasks(db).where(among(ids)).execute();

export const readShownExports = (db: Db, ids: readonly string[]): Promise<ShownExport[]> =>
  db.selectFrom('exports').select(exportColumns).where(among(ids)).execute();

/** Of these rows, those that are settled or gone. */
const settled = (table: 'tasks' | 'exports' | 'projects', ids: readonly string[]) => sql`
  select ${table} as kind, id as key, '' as state from unnest(${ids}::text[]) as asked (id)
    where not exists (
      select from ${sql.table(table)} as known
        where known.id = asked.id and known.status = 'processing')`;

/** What has happened to these, in one query; of lists, a word for each one's state. */
export async function readMissed(
  db: Db,
  watched: Record<'tasks' | 'exports' | 'clips' | 'users', readonly string[]>,
): Promise<Record<'tasks' | 'exports' | 'clips', string[]> & { lists: Map<string, string> }> {
  const { rows } = await sql<{ kind: string; key: string; state: string }>`
    ${settled('tasks', watched.tasks)}
    union all ${settled('exports', watched.exports)}
    union all ${settled('projects', watched.clips)}
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
