import { sql } from 'kysely';
import { workKinds, type WorkKind } from './queue.ts';
import type { Db } from '../db/schema.ts';

/** The jobs of one kind, of the whole installation. */
export interface QueueState {
  kind: WorkKind;
  waiting: number;
  running: number;
  /** Seconds since the oldest waiting job was made; 0 if none waits. */
  oldestSeconds: number;
}

export async function readQueueState(db: Db): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    select name as kind,
      (count(*) filter (where state <> 'active'))::int as waiting,
      (count(*) filter (where state = 'active'))::int as running,
      coalesce(
        extract(epoch from now() - min(created_on) filter (where state <> 'active')), 0
      )::float8 as "oldestSeconds"
    from pgboss.job
    where name = any(${[...workKinds]}::text[]) and state in ('created', 'retry', 'active')
    group by name
  `.execute(db);
  return workKinds.map(
    (kind) =>
      rows.find((row) => row.kind === kind) ?? { kind, waiting: 0, running: 0, oldestSeconds: 0 },
  );
}

/** What waits beside the jobs. */
export async function readBacklog(db: Db): Promise<{ deliveries: number; files: number }> {
  const { rows } = await sql<{ deliveries: number; files: number }>`
    select (select count(*)::int from webhook_deliveries where status = 'waiting') as deliveries,
      (select count(*)::int from files_to_remove) as files`.execute(db);
  return rows[0]!;
}

/** Waiting jobs of the organizations with the most; the others together as `other`. */
export async function readWaitingByOrganization(
  db: Db,
  most: number,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ organization: string; jobs: number }>`
    with counted as (
      select organization_id, sum(jobs) as jobs, row_number() over (order by sum(jobs) desc) as place
        from (
          select group_id, count(*) as jobs from pgboss.job
            where name = any(${[...workKinds]}::text[]) and state in ('created', 'retry')
            group by group_id
        ) as waiting join users on users.id = group_id
        group by organization_id
    )
    select case when place <= ${most} then organization_id else 'other' end as organization,
        sum(jobs)::int as jobs
      from counted group by 1`.execute(db);
  return new Map(rows.map(({ organization, jobs }) => [organization, jobs]));
}

/** The work that workers are at, the longest first. */
export async function listRunningWork(db: Db) {
  const { rows } = await sql<{ kind: WorkKind; id: string; user: string; since: Date }>`
    select name as kind, id::text, group_id as "user", started_on as since from pgboss.job
      where name = any(${[...workKinds]}::text[]) and state = 'active'
      order by started_on`.execute(db);
  return rows;
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
