import { sql } from 'kysely';
import type { Log } from '../config/config.ts';
import { workKinds, type Queue } from './queue.ts';
import type { Db } from '../db/schema.ts';
import { takeUpLost } from './attempt-queries.ts';

/**
 * Gives new jobs to rows that are at work and have none: whatever has happened to their jobs.
 * Whether a row was begun too often is for its job to say.
 */
export const reconcile = ({
  db,
  queue,
  log,
}: {
  db: Db;
  queue: Pick<Queue, 'send'>;
  log: Log;
}): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('clip reconcile')) as mine`.execute(trx);
    if (!rows[0]?.mine) return;
    for (const kind of workKinds) {
      for (const job of await takeUpLost(trx, kind)) {
        await queue.send(kind, job, trx);
        log({ event: 'recovered', kind, id: job.id });
      }
    }
  });
