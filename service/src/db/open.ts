import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import { fromPglite, type ConstructorOptions } from 'pg-boss';
import { makeFirstDatabase } from './first-database.ts';
import { makeIndexes, makeIndexesConcurrently } from './indexes.ts';
import { changesChannel, listenOnServer, type Hearer, type StopListening } from './listen.ts';
import { migrate } from './migrate.ts';
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
    await (opened.exclusive ? makeIndexes(opened.db) : makeIndexesConcurrently(opened.db));
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/** Rejects if the database does not answer. */
export const ping = (db: Db): Promise<unknown> => sql`select 1`.execute(db);
