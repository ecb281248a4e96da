import { sql, type RawBuilder } from 'kysely';
import type { Db } from './schema.ts';

/**
 * Indexes that large tables need. Not migrations: made in a transaction, an index keeps all writers
 * of its table waiting.
 */
const indexes = {
  users_of_organization: 'users (organization_id)',
  keys_of_organization: 'api_keys (organization_id)',
  folders_of_author: 'folders (author_id)',
  projects_of_author: 'projects (author_id)',
  tasks_settled: `tasks (finished_at) where status <> 'processing'`,
  exports_waiting: `exports (turn, created_at, id)
    where status = 'processing' and stage = 'queued'`,
  exports_open_of: `exports (organization_id) where status = 'processing'`,
  exports_settled: `exports (finished_at) where status <> 'processing'`,
  deliveries_waiting: `webhook_deliveries (organization_id, next_try_at) where status = 'waiting'`,
  deliveries_settled: `webhook_deliveries (finished_at) where status <> 'waiting'`,
} as const;

/** The indexes that are not there, or were not finished. */
export async function missingIndexes(db: Db): Promise<(keyof typeof indexes)[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_index on indexrelid = pg_class.oid
      where indisvalid and relname = any(${Object.keys(indexes)}::text[])`.execute(db);
  const there = new Set(rows.map(({ name }) => name));
  return (Object.keys(indexes) as (keyof typeof indexes)[]).filter((name) => !there.has(name));
}

async function makeMissing(db: Db, how: RawBuilder<unknown>): Promise<void> {
  for (const name of await missingIndexes(db)) {
    // One that was cut off is there, and is of no use.
    await sql`drop index ${how} if exists ${sql.ref(name)}`.execute(db);
    await sql`create index ${how} ${sql.ref(name)} on ${sql.raw(indexes[name])}`.execute(db);
  }
}

/** Makes the indexes that are missing, in a database that only this process has. */
export const makeIndexes = (db: Db): Promise<void> => makeMissing(db, sql``);

/**
 * Makes the indexes that are missing, while the tables are written to. Of several processes that
 * start at once, one makes them and the others go on.
 */
export async function makeIndexesConcurrently(db: Db): Promise<void> {
  if ((await missingIndexes(db)).length === 0) return;
  await db.transaction().execute(async (trx) => {
    // Holds only the lock: the indexes are made on another connection, outside of transactions, and
    // wait for those that have read anything. Statements without parameters keep no snapshot.
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('clip indexes')) as mine`.execute(trx);
    if (!rows[0]?.mine) return;
    // Servers and poolers end a transaction that does nothing.
    const busy = setInterval(() => void sql`select 1`.execute(trx).catch(() => {}), 1000);
    try {
      await makeMissing(db, sql`concurrently`);
    } finally {
      clearInterval(busy);
    }
  });
}
