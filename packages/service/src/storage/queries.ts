import { sql } from 'kysely';
import type { Db, Trx } from '../db/schema.ts';
import type { LiveFile } from './live-files.ts';

/** The kinds of stored files that belong to rows, and whose ids they are kept under. */
export const owners = {
  sources: 'tasks',
  segments: 'tasks',
  posters: 'tasks',
  previews: 'projects',
  proxies: 'projects',
  exports: 'exports',
  watermarks: 'exports',
  pictures: 'tasks',
  uploads: 'uploads',
  fonts: 'fonts',
  media: 'media',
} as const;

export type StoredKind = keyof typeof owners;
export type Owner = (typeof owners)[StoredKind];

export const storedKinds = Object.keys(owners) as StoredKind[];

/** Files that were taken but not removed within this time are given to another process. */
const takenFor = sql`interval '10 minutes'`;

/**
 * Schedules the removal of files, after the transaction: keys, `kind/id` for all below it, or
 * `kind/id/` for what no row needs of it. Without `soon` they stay for ten more minutes.
 */
export async function removeFilesLater(
  db: Db,
  prefixes: readonly string[],
  { soon = true } = {},
): Promise<void> {
  if (prefixes.length === 0) return;
  await sql`insert into files_to_remove (prefix, taken_at)
    select unnest(${prefixes}::text[]), ${soon ? sql`null::timestamptz` : sql`now()`}
    on conflict do nothing`.execute(db);
}

const listPrefixes = (owner: Owner, ids: readonly string[]): string[] =>
  storedKinds
    .filter((kind) => owners[kind] === owner)
    .flatMap((kind) => ids.map((id) => `${kind}/${id}`));

/** Schedules the removal of all files of rows that are deleted in this transaction. */
export const removeLater = (trx: Trx, owner: Owner, ids: readonly string[]): Promise<void> =>
  removeFilesLater(trx, listPrefixes(owner, ids));

/** Schedules the removal of what lost attempts at a row have left: `kind/id/`. */
export const removeLeftLater = (db: Db, owner: Owner, id: string): Promise<void> =>
  removeFilesLater(
    db,
    listPrefixes(owner, [id]).map((prefix) => `${prefix}/`),
  );

/** Unschedules the files of a row that is retried, except those that no row needs. */
export async function unscheduleNeeded(trx: Trx, owner: Owner, id: string): Promise<void> {
  const { rows } = await sql<{ prefix: string }>`
    delete from files_to_remove where prefix = any(${listPrefixes(owner, [id])}::text[])
      returning prefix`.execute(trx);
  if (rows.length > 0) await removeLeftLater(trx, owner, id);
}

/** Claims some of the files that are to be removed, oldest first. */
export async function takeFilesToRemove(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ prefix: string }>`
    with due as materialized (
      select prefix from files_to_remove
        where taken_at is null or taken_at < now() - ${takenFor}
        order by added_at limit ${count} for update skip locked
    )
    update files_to_remove set taken_at = now() from due
      where files_to_remove.prefix = due.prefix
      returning files_to_remove.prefix`.execute(db);
  return rows.map(({ prefix }) => prefix);
}

/** The store has removed them. */
export const deleteRemoved = (db: Db, prefixes: readonly string[]): Promise<unknown> =>
  sql`delete from files_to_remove where prefix = any(${prefixes}::text[])`.execute(db);

/** The store could not remove them: they are taken again later. */
export const leaveToRemove = (db: Db, prefixes: readonly string[]): Promise<unknown> =>
  sql`update files_to_remove set taken_at = null
    where prefix = any(${prefixes}::text[])`.execute(db);

/** Returns the file of a key; null if it is about to be removed, and must not be served. */
export async function findLiveFile(db: Db, key: string): Promise<LiveFile | null> {
  const [kind = '', id = ''] = key.split('/');
  const table = owners[kind as StoredKind];
  const { rows } = await sql<LiveFile>`
    select (select private_clips from ${sql.table(table)} as owner
        join users on users.id = owner.author_id
        join organizations on organizations.id = users.organization_id
        where owner.id = ${id}) as "privateClips"
      where not exists (
        select from files_to_remove where prefix = any(${[key, `${kind}/${id}`]}::text[]))`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The table whose rows name the files of a kind, and the keys that a row names. */
const naming = {
  sources: ['tasks', sql`array[source ->> 'key', source ->> 'transcriptKey']`],
  segments: [
    'tasks',
    sql`array(select segment ->> 'key' from projects where projects.task_id = tasks.id)`,
  ],
  posters: ['tasks', sql`array(select poster_key from projects where projects.task_id = tasks.id)`],
  previews: ['projects', sql`array[preview_key, poster_key, storyboard ->> 'key']`],
  proxies: ['proxies', sql`array[made ->> 'videoKey', made ->> 'stripKey']`],
  exports: ['exports', sql`array[file_key, cover_key]`],
  watermarks: ['exports', sql`array[case when status <> 'error' then watermark ->> 'key' end]`],
  pictures: ['tasks', sql`array[picture_key]`],
  uploads: ['uploads', sql`array[file_key]`],
  fonts: ['fonts', sql`array[file_key]`],
  media: ['media', sql`array[file_key]`],
} as const satisfies Record<StoredKind, unknown>;

const processing = sql`status = 'processing'`;

/** Whether a row may have files that it does not name yet. */
const unfinished = {
  tasks: processing,
  projects: processing,
  proxies: processing,
  exports: processing,
  uploads: sql`finished_at is null`,
  fonts: sql`false`,
  media: sql`false`,
};

/**
 * Finds the files that rows of these ids name; `null` for a row that is at work and may have more.
 */
export async function findNeededFiles(
  db: Db,
  kind: StoredKind,
  ids: readonly string[],
): Promise<Map<string, ReadonlySet<string> | null>> {
  const [table, keys] = naming[kind];
  const working = unfinished[table];
  const { rows } = await sql<{ id: string; working: boolean; keys: (string | null)[] }>`
    select id, ${working} as working, ${keys} as keys
      from ${sql.table(table)} where id = any(${ids}::text[])`.execute(db);
  return new Map(
    rows.map(({ id, working, keys }) => [
      id,
      working ? null : new Set(keys.filter((key) => key !== null)),
    ]),
  );
}
