import { sql } from 'kysely';
import type { Trx } from '../db/schema.ts';

/** The user was erased while the user's request was at work. */
export class UserGone extends Error {
  override name = 'UserGone';

  constructor() {
    super('The user was erased.');
  }
}

type WorkTable = 'tasks' | 'projects' | 'films' | 'exports';

/** How far two jobs of a user are apart, for a weight of 1. */
const turnsApart = 60;

/**
 * Start-time fair queueing. A user's next job begins one step after the last of the user's jobs
 * that are not done, but never before the jobs that run now. So a job waits for as many jobs of
 * each other user as its own user has before it, divided by the weight of the organization.
 */
async function startOf(
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
  if (!rows[0]) throw new UserGone();
  const { now, last, step } = rows[0];
  return { first: last === null ? now : Math.max(now, last + step), step };
}

/** Until the end of the transaction nobody else gives turns to the user, or erases the user. */
export const lockTurns = (trx: Trx, userId: string): Promise<unknown> =>
  trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst();

/**
 * Turns for new rows of the user, in their order. The user's turns must be locked. Throws
 * {@link UserGone}.
 */
export async function takeTurns(
  trx: Trx,
  table: WorkTable,
  userId: string,
  count: number,
): Promise<number[]> {
  const { first, step } = await startOf(trx, table, userId);
  return Array.from({ length: count }, (_, index) => first + index * step);
}
