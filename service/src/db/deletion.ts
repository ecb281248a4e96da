import { sql } from 'kysely';
import { isId } from './id.ts';
import { lockTask, settleTask } from './previews.ts';
import type { Db, Trx } from './schema.ts';

/** What is gone from the database: the ids under which files are kept. */
export interface Deleted {
  tasks: string[];
  projects: string[];
  exports: string[];
  /** Keys of single files that are kept under the id of a row that stays. */
  files: string[];
}

const nothing: Deleted = { tasks: [], projects: [], exports: [], files: [] };

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Deletes exports. They stay counted: they were paid for. */
async function deleteExports(trx: Trx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return idsOf(await trx.deleteFrom('exports').where('id', 'in', ids).returning('id').execute());
}

async function deleteProjects(trx: Trx, ids: readonly string[]): Promise<Deleted> {
  if (ids.length === 0) return nothing;
  const exports = await trx
    .selectFrom('exports')
    .select('id')
    .where('project_id', 'in', ids)
    .execute();
  const goneExports = await deleteExports(trx, idsOf(exports));
  const gone = await trx
    .deleteFrom('projects')
    .where('id', 'in', ids)
    .returning(['id', 'stretch', 'poster_key'])
    .execute();
  // Stretches and first posters are kept under the task's id.
  const files = gone.flatMap(({ stretch, poster_key }) => [stretch?.key, poster_key]);
  return {
    ...nothing,
    projects: idsOf(gone),
    exports: goneExports,
    files: files.filter((key) => typeof key === 'string'),
  };
}

async function deleteTasks(trx: Trx, ids: readonly string[]): Promise<Deleted> {
  if (ids.length === 0) return nothing;
  // First: whoever writes for a task holds its row, and finds it gone afterwards.
  const tasks = await trx
    .selectFrom('tasks')
    .select('id')
    .where('id', 'in', ids)
    .forUpdate()
    .execute();
  const projects = await trx
    .selectFrom('projects')
    .select('id')
    .where('task_id', 'in', ids)
    .execute();
  const gone = await deleteProjects(trx, idsOf(projects));
  await trx.deleteFrom('folders').where('task_id', 'in', ids).execute();
  await trx.deleteFrom('tasks').where('id', 'in', ids).execute();
  return { ...gone, tasks: idsOf(tasks) };
}

/** Deletes a task of the user with its clips and their exports; null if there is none. */
export const deleteTask = (db: Db, userId: string, id: string): Promise<Deleted | null> =>
  db.transaction().execute(async (trx) => {
    if (!isId(id)) return null;
    const own = await trx
      .selectFrom('tasks')
      .select('id')
      .where('id', '=', id)
      .where('author_id', '=', userId)
      .executeTakeFirst();
    return own ? deleteTasks(trx, [id]) : null;
  });

const allDeleted = {
  code: 'clips-deleted',
  message: 'All clips of the task were deleted before their previews were made.',
};

/**
 * Deletes a clip of the user with its exports; null if there is none. If its task waited only for
 * this clip's preview, the task is settled.
 */
export const deleteProject = (db: Db, userId: string, id: string): Promise<Deleted | null> =>
  db.transaction().execute(async (trx) => {
    if (!isId(id)) return null;
    const own = await trx
      .selectFrom('projects')
      .select('task_id')
      .where('id', '=', id)
      .where('author_id', '=', userId)
      .executeTakeFirst();
    if (!own) return null;
    await lockTask(trx, own.task_id);
    const deleted = await deleteProjects(trx, [id]);
    const task = await trx
      .selectFrom('tasks')
      .select('status')
      .where('id', '=', own.task_id)
      .executeTakeFirst();
    if (task?.status !== 'processing') return deleted;
    const { gone } = await settleTask(trx, own.task_id, allDeleted);
    return { ...deleted, projects: [...deleted.projects, ...gone] };
  });

/** Deletes an export of the user's clip; null if there is none. */
export const deleteExport = (
  db: Db,
  userId: string,
  { projectId, exportId }: { projectId: string; exportId: string },
): Promise<Deleted | null> =>
  db.transaction().execute(async (trx) => {
    if (!isId(projectId) || !isId(exportId)) return null;
    const own = await trx
      .selectFrom('exports')
      .select('id')
      .where('id', '=', exportId)
      .where('project_id', '=', projectId)
      .where('author_id', '=', userId)
      .executeTakeFirst();
    if (!own) return null;
    return { ...nothing, exports: await deleteExports(trx, [exportId]) };
  });

async function deleteOfUsers(trx: Trx, userIds: readonly string[]): Promise<Deleted> {
  if (userIds.length === 0) return nothing;
  const tasks = await trx
    .selectFrom('tasks')
    .select('id')
    .where('author_id', 'in', userIds)
    .execute();
  return deleteTasks(trx, idsOf(tasks));
}

/** Erases a managed user with all that the user has; null if there is none. */
export const eraseUser = (db: Db, organizationId: string, id: string): Promise<Deleted | null> =>
  db.transaction().execute(async (trx) => {
    if (!isId(id)) return null;
    // Nothing new is made for the user from here on.
    const user = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('is_guest', '=', true)
      .forUpdate()
      .executeTakeFirst();
    if (!user) return null;
    const gone = await deleteOfUsers(trx, [id]);
    await trx.deleteFrom('users').where('id', '=', id).execute();
    return gone;
  });

/** Erases an organization with its users, keys and all that they have; null if there is none. */
export const eraseOrganization = (db: Db, id: string): Promise<Deleted | null> =>
  db.transaction().execute(async (trx) => {
    const organization = await trx
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!organization) return null;
    const users = await trx
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', id)
      .forUpdate()
      .execute();
    const gone = await deleteOfUsers(trx, idsOf(users));
    await trx.deleteFrom('api_keys').where('organization_id', '=', id).execute();
    await trx.deleteFrom('users').where('organization_id', '=', id).execute();
    await trx.deleteFrom('organizations').where('id', '=', id).execute();
    return gone;
  });

/** Settled rows are removed this many at a time. */
const atATime = 100;

/** Deletes tasks that have been settled for so long, with nothing of theirs at work. */
export const deleteOldTasks = (db: Db, days: number): Promise<Deleted> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from tasks
        where status <> 'processing' and finished_at < now() - make_interval(days => ${days})
          and not exists (
            select 1 from exports join projects on projects.id = exports.project_id
              where projects.task_id = tasks.id and exports.status = 'processing')
        limit ${atATime}`.execute(trx);
    return deleteTasks(trx, idsOf(rows));
  });

/** Deletes exports that have been settled for so long. */
export const deleteOldExports = (db: Db, days: number): Promise<Deleted> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from exports
        where status <> 'processing' and finished_at < now() - make_interval(days => ${days})
        limit ${atATime}`.execute(trx);
    return { ...nothing, exports: await deleteExports(trx, idsOf(rows)) };
  });

/** Forgets the sources of tasks that have been settled for so long; gives the tasks. */
export async function forgetOldSources(db: Db, days: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update tasks set source = null where id in (
      select id from tasks
        where status <> 'processing' and source is not null
          and finished_at < now() - make_interval(days => ${days})
          and not exists (
            select 1 from exports join projects on projects.id = exports.project_id
              where projects.task_id = tasks.id and exports.status = 'processing')
        limit ${atATime} for update
    ) returning id`.execute(db);
  return idsOf(rows);
}

/** Forgets the stretches of clips whose tasks have been settled for so long; gives their keys. */
export async function forgetOldStretches(db: Db, days: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with old as (
      select projects.id, projects.stretch ->> 'key' as key
        from projects join tasks on tasks.id = projects.task_id
        where stretch is not null and tasks.status <> 'processing'
          and tasks.finished_at < now() - make_interval(days => ${days})
          and not exists (
            select 1 from exports
              where exports.project_id = projects.id and exports.status = 'processing')
        limit ${atATime} for update of projects
    )
    update projects set stretch = null from old where projects.id = old.id
      returning old.key`.execute(db);
  return rows.map(({ key }) => key);
}

/** Of these ids, the files that rows name; `null` for a row that is at work and may have more. */
export async function neededFiles(
  db: Db,
  kind: StoredKind,
  ids: readonly string[],
): Promise<Map<string, ReadonlySet<string> | null>> {
  const { rows } = await filesOf[kind](ids).execute(db);
  return new Map(
    rows.map(({ id, working, keys }) => [
      id,
      working ? null : new Set(keys.filter((key) => key !== null)),
    ]),
  );
}

/** The kinds of stored files that belong to rows. */
export const storedKinds = [
  'sources',
  'stretches',
  'posters',
  'previews',
  'exports',
  'watermarks',
] as const;
export type StoredKind = (typeof storedKinds)[number];

type Named = { id: string; working: boolean; keys: (string | null)[] };
type FilesOf = (ids: readonly string[]) => ReturnType<typeof sql<Named>>;

const filesOf: Readonly<Record<StoredKind, FilesOf>> = {
  sources: (ids) => sql<Named>`
    select id, status = 'processing' as working,
        array[source ->> 'key', source ->> 'transcriptKey'] as keys
      from tasks where id = any(${ids}::text[])`,
  stretches: (ids) => sql<Named>`
    select tasks.id, tasks.status = 'processing' as working,
        array_agg(projects.stretch ->> 'key') as keys
      from tasks left join projects on projects.task_id = tasks.id
      where tasks.id = any(${ids}::text[]) group by tasks.id`,
  posters: (ids) => sql<Named>`
    select tasks.id, tasks.status = 'processing' as working,
        array_agg(projects.poster_key) as keys
      from tasks left join projects on projects.task_id = tasks.id
      where tasks.id = any(${ids}::text[]) group by tasks.id`,
  previews: (ids) => sql<Named>`
    select id, status = 'processing' as working, array[preview_key, poster_key] as keys
      from projects where id = any(${ids}::text[])`,
  exports: (ids) => sql<Named>`
    select id, status = 'processing' as working, array[file_key] as keys
      from exports where id = any(${ids}::text[])`,
  watermarks: (ids) => sql<Named>`
    select id, status = 'processing' as working,
        array[case when status <> 'error' then watermark ->> 'key' end] as keys
      from exports where id = any(${ids}::text[])`,
};
