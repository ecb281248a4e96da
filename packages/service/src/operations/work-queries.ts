import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/** What waits beside the jobs. */
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
