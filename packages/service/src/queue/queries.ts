import { sql, type SqlBool } from 'kysely';
import { makeUnknownUserError } from '../api-error.ts';
import { type WorkKind, workKinds } from './queue.ts';
import type { Db, Trx } from '../db/schema.ts';

type WorkTable = 'tasks' | 'projects' | 'proxies' | 'exports';

/** The distance between two jobs of a user, for a weight of 1. */
const turnsApart = 60;

/**
 * Start-time fair queueing. A user's next job begins one step after the last of the user's jobs
 * that are not done, but never before the jobs that run now. So a job waits for as many jobs of
 * each other user as its own user has before it, divided by the weight of the organization.
 */
async function findStart(
  trx: Trx,
  table: WorkTable,
  userId: string,
): Promise<{ first: number; step: number }> {
  const { rows } = await sql<{ now: number; last: number | null; step: number }>`
    select
      coalesce(
        (select max(turn) from ${sql.table(table)}
          where status = 'processing' and stage <> 'queued'),
        (select min(turn) from ${sql.table(table)}
          where status = 'processing' and stage = 'queued'),
        0
      ) as now,
      (select max(turn) from ${sql.table(table)}
        where status = 'processing' and author_id = ${userId}) as last,
      ${turnsApart}::double precision / organizations.queue_weight as step
    from users join organizations on organizations.id = users.organization_id
    where users.id = ${userId}`.execute(trx);
  if (!rows[0]) throw makeUnknownUserError();
  const { now, last, step } = rows[0];
  return { first: last === null ? now : Math.max(now, last + step), step };
}

/** Locks the user's turns, and the user against erasure, until the end of the transaction. */
export const lockTurns = (trx: Trx, userId: string): Promise<unknown> =>
  trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst();

/**
 * Turns for new rows of the user, in their order. The user's turns must be locked. Throws
 * {@link makeUnknownUserError}.
 */
export async function takeTurns(
  trx: Trx,
  table: WorkTable,
  userId: string,
  count: number,
): Promise<number[]> {
  const { first, step } = await findStart(trx, table, userId);
  return Array.from({ length: count }, (_, index) => first + index * step);
}

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

/** Whether a job of the row is waiting or running. `id`: of the row, in the statement around it. */
export const hasJob = (kind: WorkKind, id: string) => sql<SqlBool>`exists (
  select from pgboss.job
    where job.name = ${kind} and job.id::text = ${sql.ref(id)}
      and job.state in ('created', 'retry', 'active'))`;

/** Deletes the jobs of rows, whatever state they are in. */
export const deleteJobs = (trx: Trx, kind: WorkKind, ids: readonly string[]): Promise<unknown> =>
  sql`delete from pgboss.job where name = ${kind} and id = any(${ids}::uuid[])`.execute(trx);

/** Deletes the jobs of users, also those that are done: each has the id of its user. */
export const deleteUserJobs = (trx: Trx, userIds: readonly string[]): Promise<unknown> =>
  sql`delete from pgboss.job
    where name = any(${[...workKinds]}::text[]) and group_id = any(${userIds}::text[])`.execute(
    trx,
  );

/**
 * Delays the row's waiting job until `seconds` from now. Returns false if the row has no job.
 */
export async function putOffJob(
  trx: Trx,
  kind: WorkKind,
  id: string,
  seconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    update pgboss.job
      set start_after = greatest(start_after, case when state = 'active' then start_after
        else now() + make_interval(secs => ${seconds}) end)
      where name = ${kind} and id = ${id}::uuid and state in ('created', 'retry', 'active')
      returning id`.execute(trx);
  return rows.length > 0;
}

/** Forgets all jobs but those that wait, in a database whose only process is starting. */
export const deleteRunningJobs = (db: Db): Promise<unknown> =>
  sql`delete from pgboss.job where state not in ('created', 'retry')`.execute(db);
