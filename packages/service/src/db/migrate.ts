import { type RawBuilder, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { schema } from './migrations/0001-schema.ts';
import type { Db } from './schema.ts';
import { readSetting, writeSetting } from './settings.ts';

/** The tables that a version of the service works with. */
export interface SchemaVersion {
  /**
   * Applied in the order of their names, each once. A released migration is never changed, and one
   * only adds: processes of the version before work on beside it. The version after drops what they
   * no longer need.
   */
  migrations: Readonly<Record<string, Migration>>;
  /**
   * The last migration that a process must know to work on these tables. A migration that drops
   * something raises it: to the first one whose version does without.
   */
  required: string;
}

export const currentSchema: SchemaVersion = {
  migrations: { '0001-schema': schema },
  required: '0001-schema',
};

/** The tables are of a version that this one cannot work with. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

/** The names of the migrations that were applied; none in an empty database. */
async function listAppliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db);
  if (!rows[0]?.there) return [];
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return applied.rows.map(({ name }) => name);
}

/** In `settings`: which migration a process must know. */
const requiredSetting = 'required-migration';

/** Whether a newer version has changed the tables so that this one cannot work on them. */
export async function isOutdated(db: Db, { migrations }: SchemaVersion): Promise<boolean> {
  const required = (await readSetting(db, requiredSetting)) as { name: string } | undefined;
  return required !== undefined && !Object.hasOwn(migrations, required.name);
}

/**
 * Returns the names of the migrations that were applied, and whether a newer version has applied
 * some. Throws {@link SchemaMismatch} for tables that this version cannot work with.
 */
async function recognise(
  db: Db,
  schema: SchemaVersion,
): Promise<{ applied: readonly string[]; isNewer: boolean }> {
  const applied = await listAppliedMigrations(db);
  const [first = ''] = Object.keys(schema.migrations);
  if (applied.length > 0 && !applied.includes(first)) {
    throw new SchemaMismatch(
      'The database was created by a version before the first release and cannot be upgraded. Nothing was changed. Use an empty database: another DATA_DIR or DATABASE_URL, or remove the data of the old one.',
    );
  }
  const unknown = applied.find((name) => !Object.hasOwn(schema.migrations, name));
  if (unknown === undefined) return { applied, isNewer: false };
  if (await isOutdated(db, schema)) {
    throw new SchemaMismatch(
      `The database was changed by a newer version (${unknown}). Install that version, or restore the backup that was made before it.`,
    );
  }
  return { applied, isNewer: true };
}

/** The migrations that are not applied yet. Throws {@link SchemaMismatch}. */
export async function openMigrations(db: Db, schema: SchemaVersion): Promise<string[]> {
  const { applied } = await recognise(db, schema);
  return Object.keys(schema.migrations).filter((name) => !applied.includes(name));
}

/** Throws {@link SchemaMismatch} if the tables are not up to date. */
export async function requireMigrated(db: Db, schema: SchemaVersion): Promise<void> {
  const [first] = await openMigrations(db, schema);
  if (first !== undefined) {
    throw new SchemaMismatch(
      `The database schema is out of date (${first} is missing). Start the service once to upgrade it.`,
    );
  }
}

/** Throws {@link SchemaMismatch} for a role that may not create tables. */
async function requireCreate(trx: Db): Promise<void> {
  const { rows } = await sql<{ role: string; allowed: boolean | null }>`
    select current_user as role,
        has_schema_privilege(current_schema(), 'create') as allowed`.execute(trx);
  if (rows[0]?.allowed) return;
  throw new SchemaMismatch(
    `The tables of the database are not up to date, and the role ${rows[0]?.role} may not create any. Let it own the database, or run clip-service migrate as the owner: docs/service-database.md, Rights in Postgres.`,
  );
}

/**
 * Brings the tables up to date: in one transaction, which keeps the same connection behind
 * PgBouncer, and with a lock until its end, because several processes may start at once. Tables of
 * a newer version that this one can work on stay as they are. Throws {@link SchemaMismatch}.
 */
export async function migrate(db: Db, schema: SchemaVersion): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('clip migrations'))`.execute(trx);
    const { applied, isNewer } = await recognise(trx, schema);
    if (isNewer) return;
    if (Object.keys(schema.migrations).some((name) => !applied.includes(name))) {
      await requireCreate(trx);
    }
    // Rather a start that fails than one that holds up the processes that run.
    await sql`set local lock_timeout = '5s'`.execute(trx);
    const provider = { getMigrations: async () => schema.migrations };
    const { error } = await new Migrator({ db: trx, provider }).migrateToLatest();
    if (error !== undefined) {
      throw new Error('The database schema could not be upgraded.', { cause: error });
    }
    await writeSetting(trx, requiredSetting, { name: schema.required });
  });
}

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
  deliveries_waiting: `webhook_deliveries (webhook_id, next_try_at) where status = 'waiting'`,
  deliveries_settled: `webhook_deliveries (finished_at) where status <> 'waiting'`,
} as const;

/** The indexes that are not there, or were not finished. */
export async function findMissingIndexes(db: Db): Promise<(keyof typeof indexes)[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_index on indexrelid = pg_class.oid
      where indisvalid and relname = any(${Object.keys(indexes)}::text[])`.execute(db);
  const there = new Set(rows.map(({ name }) => name));
  return (Object.keys(indexes) as (keyof typeof indexes)[]).filter((name) => !there.has(name));
}

async function makeMissing(db: Db, how: RawBuilder<unknown>): Promise<void> {
  for (const name of await findMissingIndexes(db)) {
    // One that was cut off is there, and is of no use.
    await sql`drop index ${how} if exists ${sql.ref(name)}`.execute(db);
    await sql`create index ${how} ${sql.ref(name)} on ${sql.raw(indexes[name])}`.execute(db);
  }
}

/** Makes the indexes that are missing, in a database that only this process has. */
export const makeIndexes = (db: Db): Promise<void> => makeMissing(db, sql``);

/**
 * Makes the indexes that are missing, while the tables are written to. If several processes start
 * at once, one creates them and the others continue.
 */
export async function makeIndexesConcurrently(db: Db): Promise<void> {
  if ((await findMissingIndexes(db)).length === 0) return;
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
