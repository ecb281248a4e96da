import { sql } from 'kysely';
import type { Db, UserRow } from './schema.ts';

/** What a user, or an organization, keeps the service busy with. */
export interface UsageNow {
  openTasks: number;
  queuedExports: number;
  /** Of the tasks of the last 24 hours, as far as their sources are known. */
  sourceSeconds: number;
  /** Seconds until the oldest of these tasks is a day old. */
  sourceSecondsLessIn: number;
}

/** Of the user, and of all users of the organization. */
export async function readUsageNow(
  db: Db,
  { id, organization_id }: UserRow,
): Promise<{ user: UsageNow; organization: UsageNow }> {
  const usage = async (authors: ReturnType<typeof sql>): Promise<UsageNow> => {
    const { rows } = await sql<UsageNow>`
      with lately as (
        select (source -> 'media' ->> 'duration')::float8 as seconds, created_at from tasks
        where author_id in (${authors}) and source is not null
          and created_at > now() - interval '1 day'
      )
      select
        (select count(*)::int from tasks
          where status = 'processing' and author_id in (${authors})) as "openTasks",
        (select count(*)::int from exports
          where status = 'processing' and author_id in (${authors})) as "queuedExports",
        (select coalesce(sum(seconds), 0)::float8 from lately) as "sourceSeconds",
        (select coalesce(extract(epoch from min(created_at) + interval '1 day' - now()), 0)::float8
          from lately) as "sourceSecondsLessIn"
    `.execute(db);
    return rows[0]!;
  };
  return {
    user: await usage(sql`${id}`),
    organization: await usage(
      sql`select users.id from users where users.organization_id = ${organization_id}`,
    ),
  };
}
