import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/schema.ts';
import { findNeededFiles, owners, storedKinds } from '../storage/queries.ts';
import { selectHostUsers } from '../users/host-queries.ts';

/** Which rows of each table are a user's. Tables that are not here have none. */
function selectUserRows(id: string): Readonly<Record<string, RawBuilder<unknown>>> {
  const tasks = sql`(select id from tasks where author_id = ${id})`;
  const clips = sql`(select id from projects where author_id = ${id})`;
  const exports = sql`(select id from exports where author_id = ${id})`;
  const uploads = sql`(select id from uploads where author_id = ${id})`;
  const author = sql`author_id = ${id}`;
  const ofHost = sql`host_user in (${selectHostUsers([id])})`;
  return {
    users: sql`id = ${id}`,
    tasks: author,
    analyses: sql`task_id in ${tasks}`,
    folders: author,
    projects: author,
    edits: sql`project_id in ${clips}`,
    edit_revisions: sql`project_id in ${clips}`,
    proxies: author,
    clip_views: sql`project_id in ${clips}`,
    exports: author,
    share_links: author,
    task_exports: sql`task_id in ${tasks}`,
    uploads: author,
    upload_parts: sql`upload_id in ${uploads}`,
    upload_uses: sql`task_id in ${tasks}`,
    source_uses: author,
    idempotency_keys: sql`user_id = ${id}`,
    webhook_deliveries: sql`row_id in ${tasks} or row_id in ${exports}`,
    exported_clips: sql`project_id in ${clips}`,
    clip_host_user: ofHost,
    clip_host_attempt: ofHost,
    clip_host_task: ofHost,
    'pgboss.job': sql`group_id = ${id}`,
  };
}

/**
 * Returns all that is stored of a user: the rows by their tables, and the keys of the stored files.
 * Files of work that has not ended are not among them.
 */
export const readStoredData = (
  db: Db,
  id: string,
): Promise<{ tables: Record<string, { id?: string }[]>; files: string[] }> =>
  // One state of the database, however long it takes.
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const tables: Record<string, { id?: string }[]> = {};
      for (const [table, ofUser] of Object.entries(selectUserRows(id))) {
        const { rows } = await sql<{ id?: string }>`
          select * from ${sql.table(table)} where ${ofUser}`.execute(trx);
        tables[table] = rows;
      }
      const files: string[] = [];
      for (const kind of storedKinds) {
        const ids = (tables[owners[kind]] ?? []).map((row) => row.id!);
        const needed = await findNeededFiles(trx, kind, ids);
        for (const keys of needed.values()) files.push(...(keys ?? []));
      }
      return { tables, files: [...new Set(files)].toSorted() };
    });
