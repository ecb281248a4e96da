import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { fromPglite, type ConstructorOptions } from 'pg-boss';
import { makeFirstDatabase } from './first-database.ts';
import { start } from './migrations/0001-start.ts';
import { exportStyle } from './migrations/0002-export-style.ts';
import { notes } from './migrations/0003-notes.ts';
import { work } from './migrations/0004-work.ts';
import { attempts } from './migrations/0005-attempts.ts';
import { edit } from './migrations/0006-edit.ts';
import { previewJobs } from './migrations/0007-preview-jobs.ts';
import { turns } from './migrations/0008-turns.ts';
import { stretches } from './migrations/0009-stretches.ts';
import { changes } from './migrations/0012-changes.ts';
import { limits } from './migrations/0013-limits.ts';
import { tellSource } from './migrations/0016-tell-source.ts';
import { changesChannel, listenOnServer, type Hearer, type StopListening } from './listen.ts';
import { deletion } from './migrations/0021-deletion.ts';
import { webhooks } from './migrations/0020-webhooks.ts';
import { idempotencyKeys } from './migrations/0022-idempotency-keys.ts';
import { exportCounts } from './migrations/0023-export-counts.ts';
import type { Database, Db } from './schema.ts';
import { DatabaseUnavailable } from './unavailable.ts';

export interface OpenDatabase {
  db: Db;
  /** What pg-boss needs to work on the same database. */
  boss: Pick<ConstructorOptions, 'db' | 'backend' | 'connectionString'>;
  /** Whether only this process has the database. */
  exclusive: boolean;
  /** Hears of the changes that any process commits. */
  listen(hearer: Hearer): StopListening;
  close(): Promise<void>;
}

/** Applied in the order of their names, each once. A released migration is never changed. */
const migrations = {
  '0001-start': start,
  '0002-export-style': exportStyle,
  '0003-notes': notes,
  '0004-work': work,
  '0005-attempts': attempts,
  '0006-edit': edit,
  '0007-preview-jobs': previewJobs,
  '0008-turns': turns,
  '0009-stretches': stretches,
  '0012-changes': changes,
  '0013-limits': limits,
  '0016-tell-source': tellSource,
  '0020-webhooks': webhooks,
  '0021-deletion': deletion,
  '0022-idempotency-keys': idempotencyKeys,
  '0023-export-counts': exportCounts,
};

/**
 * In one transaction, which keeps the same connection behind PgBouncer, and with a lock until its
 * end: several processes may start at once.
 */
async function migrate(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('clip migrations'))`.execute(trx);
    const provider = { getMigrations: async () => migrations };
    const { error } = await new Migrator({ db: trx, provider }).migrateToLatest();
    if (error !== undefined) {
      throw new Error('The database could not be brought up to date.', { cause: error });
    }
  });
}

/** One connection and small tables: the usual 128 MB of buffers are not needed. */
const settings = ['shared_buffers=16MB'];

async function openEmbedded(dataDir: string): Promise<OpenDatabase> {
  const { PGlite } = await import('@electric-sql/pglite');
  const directory = join(dataDir, 'db');
  await mkdir(directory, { recursive: true });
  await makeFirstDatabase(directory);
  const pglite = await PGlite.create(directory, { postgresqlconf: [...settings] });
  return {
    db: new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) }),
    boss: { db: fromPglite(pglite), backend: 'pglite' },
    exclusive: true,
    listen(hearer) {
      const listening = pglite.listen(changesChannel, (notice) => hearer.hear(notice));
      listening.then(
        () => hearer.listening(true),
        () => {},
      );
      return async () => (await listening)();
    },
    close: () => pglite.close(),
  };
}

async function openServer(connectionString: string, listenUrl: string): Promise<OpenDatabase> {
  const { Client, Pool } = (await import('pg')).default;
  const pool = new Pool({
    connectionString,
    max: 10,
    // Then the database counts as away: a call that hangs helps nobody.
    connectionTimeoutMillis: 10_000,
    // A process that is stopped in a transaction must not keep its rows from the others.
    idle_in_transaction_session_timeout: 20_000,
  });
  // A broken connection is replaced, and its query fails; unheard, these events end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const connect = async () => {
    try {
      return await pool.connect();
    } catch (cause) {
      throw new DatabaseUnavailable('The database gives no connection.', { cause });
    }
  };
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: { connect, end: () => pool.end(), options: pool.options },
    }),
  });
  return {
    db,
    // The queue listens for jobs too.
    boss: { connectionString: listenUrl },
    exclusive: false,
    listen: (hearer) =>
      listenOnServer(
        async () => {
          const client = new Client({
            connectionString: listenUrl,
            keepAlive: true,
            connectionTimeoutMillis: 10_000,
          });
          await client.connect();
          return client;
        },
        pool,
        hearer,
      ),
    close: () => db.destroy(),
  };
}

/** Opens the database (built in if no address is given) and brings its tables up to date. */
export async function openDatabase(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** An address for LISTEN if `databaseUrl` is a pooler's. */
  databaseListenUrl?: string | undefined;
}): Promise<OpenDatabase> {
  const { databaseUrl } = options;
  const opened = databaseUrl
    ? await openServer(databaseUrl, options.databaseListenUrl ?? databaseUrl)
    : await openEmbedded(options.dataDir);
  try {
    await migrate(opened.db);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/** Rejects if the database does not answer. */
export const ping = (db: Db): Promise<unknown> => sql`select 1`.execute(db);
