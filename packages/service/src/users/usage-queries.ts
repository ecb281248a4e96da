import { sql } from 'kysely';
import type { Db, UserRow } from '../db/schema.ts';

/** A number for a user, and one for all users of the organization. */
export type OfHolders<T> = Record<'user' | 'organization', T>;

/** Of the tasks that a user, or an organization, has. */
export interface TaskUsage {
  openTasks: number;
  /** Of the sources that were fetched in the last 24 hours. */
  sourceSeconds: number;
  /** Seconds until the oldest of these is a day old. */
  sourceSecondsLessIn: number;
}

/** @param most nobody needs to know of more; 0: it need not be counted */
export async function countOpenExports(
  db: Db,
  { id, organization_id }: UserRow,
  most: OfHolders<number>,
): Promise<OfHolders<number>> {
  const { rows } = await sql<OfHolders<number>>`
    select
      (select count(*)::int from (select from exports
        where status = 'processing' and author_id = ${id} limit ${most.user}) open) as "user",
      (select count(*)::int from (select from exports
        where status = 'processing' and organization_id = ${organization_id}
        limit ${most.organization}) open) as organization`.execute(db);
  return rows[0]!;
}

/** @param upTo counts sources only up to that of this task; none if its length is not known */
export async function readTaskUsage(
  db: Db,
  { id, organization_id }: UserRow,
  upTo: string | null,
): Promise<OfHolders<TaskUsage>> {
  const sources = sql`
    coalesce(sum(seconds), 0)::float8 as "sourceSeconds",
    coalesce(extract(epoch from min(known_at) + interval '1 day' - now()), 0)::float8
      as "sourceSecondsLessIn"
    from source_uses
    where organization_id = ${organization_id} and known_at > now() - interval '1 day'
      and (${upTo}::text is null
        or known_at <= (select known_at from source_uses where task_id = ${upTo}))`;
  const { rows } = await sql<TaskUsage>`
    select (select count(*)::int from tasks
        where status = 'processing' and author_id = ${id}) as "openTasks",
      ${sources} and author_id = ${id}
    union all
    select (select count(*)::int from tasks join users on users.id = author_id
        where status = 'processing' and organization_id = ${organization_id}),
      ${sources}`.execute(db);
  const [user, organization] = rows;
  return { user: user!, organization: organization! };
}

/** What counts no more. */
export const forgetOldSourceUses = (db: Db): Promise<unknown> =>
  sql`delete from source_uses where known_at <= now() - interval '1 day'`.execute(db);
