import { sql, type RawBuilder } from 'kysely';
import { listIds, matchAny } from '../db/id.ts';
import { deleteProxies } from '../edits/queries.ts';
import { removeFilesLater, removeLater } from '../storage/queries.ts';
import { deleteUserJobs } from '../queue/queries.ts';
import { deleteHostUsers } from '../users/host-queries.ts';
import { lockTask, settleTask } from '../clips/preview-queries.ts';
import type { Db, Trx } from '../db/schema.ts';
import { readOwnTask } from './queries.ts';
import { deleteUserUploads, releaseUploads, deleteUnusedUploads } from '../uploads/queries.ts';

/** Deletes exports. They stay counted: they were paid for. */
async function deleteExports(trx: Trx, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from exports where ${where} returning id`.execute(trx);
  await removeLater(trx, 'exports', listIds(rows));
  return rows.length;
}

/** The caller has locked their tasks: that is the order everywhere. */
export async function deleteClips(trx: Trx, where: RawBuilder<unknown>): Promise<void> {
  // A start that has begun is waited for, and its export deleted too; a later one finds no clip.
  await sql`select from projects where ${where} order by id for update`.execute(trx);
  await deleteExports(trx, sql`project_id in (select id from projects where ${where})`);
  const { rows } = await sql<{ id: string; task: string; keys: (string | null)[] }>`
    delete from projects where ${where}
      returning id, task_id as task, array[segment ->> 'key', poster_key] as keys`.execute(trx);
  await removeLater(trx, 'projects', listIds(rows));
  // Segments and first posters are kept under the task's id.
  const files = rows.flatMap(({ keys }) => keys).filter((key) => key !== null);
  const tasks = rows.map(({ task }) => task);
  await removeFilesLater(trx, await findUnneeded(trx, tasks, files));
}

/** Finds the files of tasks that no clip has. A copy of a clip has the same files. */
async function findUnneeded(
  trx: Trx,
  tasks: readonly string[],
  files: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${files}::text[]) as file (key) where not exists (
      select from projects where task_id = any(${tasks}::text[])
        and (segment ->> 'key' = key or poster_key = key))`.execute(trx);
  return rows.map(({ key }) => key);
}

async function deleteTasks(trx: Trx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const any = matchAny(ids);
  // First: writers for a task lock its row, and find it deleted afterwards.
  await sql`select from tasks where id = ${any} order by id for update`.execute(trx);
  await deleteClips(trx, sql`task_id = ${any}`);
  await sql`delete from folders where task_id = ${any}`.execute(trx);
  await deleteUnusedUploads(trx, ids);
  const gone = await sql`delete from tasks where id = ${any}`.execute(trx);
  await removeLater(trx, 'tasks', ids);
  return Number(gone.numAffectedRows ?? 0);
}

/** Deletes a task of the user with its clips and their exports; false if it does not exist. */
export const deleteTask = (db: Db, userId: string, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const own = await readOwnTask(trx, userId, id);
    return own !== undefined && (await deleteTasks(trx, [id])) > 0;
  });

/**
 * Removes a task whose creating call is refused after all, with the key that made it: the same call
 * may be sent again. Its source does not count.
 */
export const undoTask = (db: Db, userId: string, id: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    // They can be used for the next try.
    await releaseUploads(trx, [id]);
    await deleteTasks(trx, [id]);
    await sql`delete from idempotency_keys
      where user_id = ${userId} and made_id = ${id}`.execute(trx);
    await sql`delete from source_uses where task_id = ${id}`.execute(trx);
  });

const allDeleted = {
  code: 'clips-deleted',
  message: 'All clips of the task were deleted before their previews were made.',
};

/**
 * Deletes a clip of the user with its exports; false if it is missing. If its task waited only for
 * this clip's preview, the task is settled.
 */
export const deleteClip = (db: Db, userId: string, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const own = await trx
      .selectFrom('projects')
      .select('task_id')
      .where('id', '=', id)
      .where('author_id', '=', userId)
      .executeTakeFirst();
    if (!own) return false;
    const task = await lockTask(trx, own.task_id);
    await deleteClips(trx, sql`id = ${id}`);
    if (task?.status === 'processing') await settleTask(trx, own.task_id, allDeleted);
    return true;
  });

/** Deletes an export of the user's clip; false if it does not exist. */
export const deleteExport = (
  db: Db,
  userId: string,
  { projectId, exportId }: { projectId: string; exportId: string },
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const own = sql`id = ${exportId} and project_id = ${projectId} and author_id = ${userId}`;
    return (await deleteExports(trx, own)) > 0;
  });

async function deleteOfUsers(trx: Trx, userIds: readonly string[]): Promise<void> {
  const tasks = await trx
    .selectFrom('tasks')
    .select('id')
    .where('author_id', '=', matchAny(userIds))
    .execute();
  await deleteTasks(trx, listIds(tasks));
  await deleteUserUploads(trx, userIds);
  await deleteHostUsers(trx, userIds);
  await deleteUserJobs(trx, userIds);
}

/** Erases a managed user with all that the user has; false if it does not exist. */
export const eraseUser = (db: Db, organizationId: string, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // Nothing new is made for the user from here on.
    const user = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('is_guest', '=', true)
      .forUpdate()
      .executeTakeFirst();
    if (!user) return false;
    await deleteOfUsers(trx, [id]);
    await trx.deleteFrom('users').where('id', '=', id).execute();
    return true;
  });

/** Erases an organization with its users, keys and all that they have; false if it is missing. */
export const eraseOrganization = (db: Db, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const organization = await trx
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!organization) return false;
    const users = await trx
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', id)
      .orderBy('id')
      .forUpdate()
      .execute();
    await deleteOfUsers(trx, listIds(users));
    await trx.deleteFrom('api_keys').where('organization_id', '=', id).execute();
    await trx.deleteFrom('users').where('organization_id', '=', id).execute();
    await trx.deleteFrom('organizations').where('id', '=', id).execute();
    return true;
  });

/** Settled rows are removed this many at a time. */
const atATime = 100;

/** Whether a row was settled at least `days` ago. */
const isSettledFor = (days: number) =>
  sql`status <> 'processing' and finished_at < now() - make_interval(days => ${days})`;

/** No export or proxy of a clip is at work, and no preview, which an edit asks for again. */
const isIdle = sql`projects.preview <> 'preparing'
  and not exists (select 1 from exports
    where exports.project_id = projects.id and exports.status = 'processing')
  and not exists (select 1 from proxies
    where proxies.id = projects.id and proxies.status = 'processing')`;

/** No clip of a task is at work. */
const allIdle = sql`not exists (
  select 1 from projects where projects.task_id = tasks.id and not (${isIdle}))`;

/** Locks tasks that have been settled for some days, with nothing of theirs at work. */
async function lockOldTasks(trx: Trx, days: number, more = sql`true`): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tasks where ${more} and ${isSettledFor(days)} and ${allIdle}
      order by id limit ${atATime} for update`.execute(trx);
  // Once more: work that was begun before the lock was given is seen only by a new statement.
  const idle = await sql<{ id: string }>`
    select id from tasks where id = ${matchAny(listIds(rows))} and ${more} and ${allIdle}`.execute(
    trx,
  );
  return listIds(idle.rows);
}

/** Deletes tasks that have been settled for some days, with nothing of theirs at work. */
export const deleteOldTasks = (db: Db, days: number): Promise<number> =>
  db.transaction().execute(async (trx) => deleteTasks(trx, await lockOldTasks(trx, days)));

/** Deletes exports that were settled at least `days` ago. */
export const deleteOldExports = (db: Db, days: number): Promise<number> =>
  db.transaction().execute((trx) => {
    const old = sql`select id from exports where ${isSettledFor(days)} limit ${atATime}`;
    return deleteExports(trx, sql`id in (${old})`);
  });

/** Deletes the sources of tasks that were settled at least `days` ago; returns their number. */
export const deleteOldSources = (db: Db, days: number): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const ids = await lockOldTasks(trx, days, sql`source is not null`);
    await sql`update tasks set source = null where id = ${matchAny(ids)}`.execute(trx);
    await sql`delete from analyses where task_id = any(${ids}::text[])`.execute(trx);
    await deleteUnusedUploads(trx, ids);
    const proxies = await deleteProxies(trx, ids);
    await removeFilesLater(trx, [...ids.map((id) => `sources/${id}`), ...proxies]);
    return ids.length;
  });

/** Deletes the segments of tasks that were settled at least `days` ago; returns their number. */
export const deleteOldSegments = (db: Db, days: number): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const locked = await sql<{ id: string }>`
      select projects.id from projects join tasks on tasks.id = projects.task_id
        where segment is not null and tasks.status <> 'processing'
          and tasks.finished_at < now() - make_interval(days => ${days}) and ${isIdle}
        order by projects.id limit ${atATime} for update of projects`.execute(trx);
    // Once more, as for tasks.
    const { rows } = await sql<{ key: string; task: string }>`
      with old as (
        select id, task_id as task, segment ->> 'key' as key
          from projects where id = ${matchAny(listIds(locked.rows))} and ${isIdle}
      )
      update projects set segment = null from old where projects.id = old.id
        returning old.key, old.task`.execute(trx);
    const tasks = rows.map(({ task }) => task);
    const keys = rows.map(({ key }) => key);
    const files = [...(await findUnneeded(trx, tasks, keys)), ...(await deleteProxies(trx, tasks))];
    await removeFilesLater(trx, files);
    return rows.length;
  });
