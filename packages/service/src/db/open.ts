import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import type { PGlite } from '@electric-sql/pglite';
import { Connections } from './connections.ts';
import { makeFirstDatabase } from './first-database.ts';
import {
  currentSchema,
  isOutdated,
  makeIndexes,
  makeIndexesConcurrently,
  migrate,
  requireMigrated,
  type SchemaVersion,
} from './migrate.ts';
import {
  changesChannel,
  listenOnServer,
  type ChangeListener,
  type StopListening,
} from './listen.ts';
import type { Database, Db } from './schema.ts';

/** A connection to a database, whatever is in it. */
interface Connection {
  db: Db;
  /** The built-in database, or the address of a server, for separate connections. */
  at: { pglite: PGlite } | { listenUrl: string };
  /** Whether only this process has the database. */
  exclusive: boolean;
  /** Counts the connections of this process by their use; null if the database is built in. */
  connections(): Record<'used' | 'idle' | 'waiting', number> | null;
  /** Subscribes to the changes that any process commits. */
  listen(listener: ChangeListener): StopListening;
  close(): Promise<void>;
}

export interface OpenDatabase extends Connection {
  /** Whether a newer version has changed the tables so that this one cannot work on them. */
  isOutdated(): Promise<boolean>;
}

/** One connection and small tables: the usual 128 MB of buffers are not needed. */
const settings = ['shared_buffers=16MB'];

async function openEmbedded(dataDir: string): Promise<Connection> {
  const { PGlite } = await import('@electric-sql/pglite');
  const directory = join(dataDir, 'db');
  await mkdir(directory, { recursive: true });
  await makeFirstDatabase(directory);
  const pglite = await PGlite.create(directory, { postgresqlconf: [...settings] });
  return {
    db: new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) }),
    at: { pglite },
    exclusive: true,
    connections: () => null,
    listen(listener) {
      const listening = pglite.listen(changesChannel, (notice) => listener.notify(notice));
      listening.then(
        () => listener.listening(true),
        () => {},
      );
      return async () => (await listening)();
    },
    close: () => pglite.close(),
  };
}

async function openServer(
  connectionString: string,
  listenUrl: string,
  max = 10,
): Promise<Connection & Pick<Connections, 'limitStatements'>> {
  const { Client, Pool } = (await import('pg')).default;
  const pool = new Pool({
    connectionString,
    max,
    keepAlive: true,
    // After this time the database counts as unavailable: a fast error is better than a hanging
    // call.
    connectionTimeoutMillis: 5_000,
    // A process that is stopped in a transaction must not keep its rows from the others: they wait
    // for less than the time after which a connection counts as dead.
    idle_in_transaction_session_timeout: 6_000,
  });
  const connections = new Connections(pool);
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        connect: () => connections.connect(),
        end: () => pool.end(),
        options: pool.options,
      },
    }),
  });
  return {
    db,
    at: { listenUrl },
    exclusive: false,
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    listen: (listener) =>
      listenOnServer(
        async () => {
          const client = new Client({
            connectionString: listenUrl,
            keepAlive: true,
            connectionTimeoutMillis: 5_000,
          });
          await client.connect();
          return client;
        },
        (channel, text) => sql`select pg_notify(${channel}, ${text})`.execute(db),
        listener,
      ),
    limitStatements: () => connections.limitStatements(),
    close: () => db.destroy(),
  };
}

/**
 * Opens the database (built in if no address is given) and brings its tables up to date; with
 * `change: false` they must be. Throws `SchemaMismatch`.
 */
export async function openDatabase(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** An address for LISTEN if `databaseUrl` is a pooler's. */
  databaseListenUrl?: string | undefined;
  /** The number of statements that run at the same time on a database server. */
  databaseConnections?: number | undefined;
  change?: boolean;
  schema?: SchemaVersion;
}): Promise<OpenDatabase> {
  const { databaseUrl, schema = currentSchema } = options;
  const server = databaseUrl
    ? await openServer(
        databaseUrl,
        options.databaseListenUrl ?? databaseUrl,
        options.databaseConnections,
      )
    : null;
  const opened = server ?? (await openEmbedded(options.dataDir));
  const { db } = opened;
  try {
    if (options.change === false) {
      await requireMigrated(db, schema);
    } else {
      await migrate(db, schema);
      await (server ? makeIndexesConcurrently(db) : makeIndexes(db));
    }
  } catch (error) {
    await opened.close();
    throw error;
  }
  // Those that bring the tables up to date may take long.
  server?.limitStatements();
  return { ...opened, isOutdated: () => isOutdated(db, schema) };
}

/** Milliseconds by which the database's clock is ahead of this machine's. */
export async function measureClockSkewMs(db: Db): Promise<number> {
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now.getTime() - (before + Date.now()) / 2;
}

/** Rejects if the database does not answer. */
export const ping = (db: Db): Promise<unknown> => sql`select 1`.execute(db);
