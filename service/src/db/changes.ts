import { sql } from 'kysely';
import type { Db, ExportRow, TaskRow } from './schema.ts';

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

const taskColumns = [...workedColumns, 'type', 'output_type', 'output_id'] as const;

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
] as const;

/** What the API shows of a task. */
export type ShownTask = Pick<TaskRow, (typeof taskColumns)[number]>;
/** What the API shows of an export. */
export type ShownExport = Pick<ExportRow, (typeof exportColumns)[number]>;

/** As a single parameter, so that the statement stays the same. */
const among = (ids: readonly string[]) => sql<boolean>`id = any(${ids}::text[])`;

export const readShownTasks = (db: Db, ids: readonly string[]): Promise<ShownTask[]> =>
  db.selectFrom('tasks').select(taskColumns).where(among(ids)).execute();

export const readShownExports = (db: Db, ids: readonly string[]): Promise<ShownExport[]> =>
  db.selectFrom('exports').select(exportColumns).where(among(ids)).execute();

/** What has happened to these, in one query: settled rows, and a word for each list's state. */
export async function readMissed(
  db: Db,
  watched: { tasks: readonly string[]; exports: readonly string[]; users: readonly string[] },
): Promise<{ tasks: string[]; exports: string[]; lists: Map<string, string> }> {
  const { rows } = await sql<{ kind: 'tasks' | 'exports' | 'lists'; key: string; state: string }>`
    select 'tasks' as kind, id as key, '' as state from tasks
      where id = any(${watched.tasks}::text[]) and status <> 'processing'
    union all
    select 'exports', id, '' from exports
      where id = any(${watched.exports}::text[]) and status <> 'processing'
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
    lists: new Map(rows.flatMap((row) => (row.kind === 'lists' ? [[row.key, row.state]] : []))),
  };
}
