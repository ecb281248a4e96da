import { sql } from 'kysely';
import { keepNeeded } from '../storage/queries.ts';
import type { Db } from '../db/schema.ts';

const again = sql`status = 'processing', stage = 'queued', share = 0, failure_code = null,
  failure_message = null, finished_at = null, given_back = attempts`;

/**
 * Begins again with a task or an export that ended in an error, with all of its attempts. Its job
 * comes from the next look for rows without one. What was removed with the failure cannot be had
 * again: the watermark of an export, and the other clips of a task of which some were kept.
 */
export const retryWork = (db: Db, id: string): Promise<'retried' | 'not-failed' | 'needs-new'> =>
  db.transaction().execute(async (trx) => {
    const changed = await sql`
      with task as (
        update tasks set ${again}, source = null where id = ${id} and status = 'error'
          and not exists (select from projects where task_id = tasks.id) returning id
      ), export as (
        update exports set ${again}, started_at = null, share_at = null
          where id = ${id} and status = 'error' and watermark is null returning id
      )
      select from task union all select from export`.execute(trx);
    if (changed.rows.length > 0) {
      await keepNeeded(trx, 'tasks', id);
      return 'retried';
    }
    const left = await sql`
      select from tasks where id = ${id} and status = 'error'
      union all select from exports where id = ${id} and status = 'error'`.execute(trx);
    return left.rows.length > 0 ? 'needs-new' : 'not-failed';
  });
