import { postgresStore } from '../stores/postgres-store.ts';
import { redisStore } from '../stores/redis-store.ts';
import { sqliteStore } from '../stores/sqlite-store.ts';
import type { HostStore } from '../stores/store.ts';
import { UsageError } from './command-line.ts';

/** A store with its own connection. */
export interface OpenStore {
  readonly store: HostStore;
  close(): unknown;
}

/** A client library, which only those need who use its server. */
async function load<T>(name: string, server: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      `A store in ${server} needs the package ${name}: npm install ${name}, or npx -p clip-host -p ${name} clip-host.`,
    );
  }
}

/**
 * Opens the store of an address: `postgres://…`, `redis://…`, otherwise the path of a file of
 * SQLite. Rejects with a {@link UsageError} if the library for it is missing.
 */
export async function openStore(address: string): Promise<OpenStore> {
  const protocol = /^([a-z]+):\/\//i.exec(address)?.[1]?.toLowerCase();
  if (protocol === 'postgres' || protocol === 'postgresql') {
    const { default: pg } = await load<{ default: typeof import('pg') }>('pg', 'Postgres');
    const pool = new pg.Pool({ connectionString: address });
    // Without a listener, a connection that is cut while it is idle ends the process.
    pool.on('error', () => {});
    return { store: postgresStore(pool), close: () => pool.end() };
  }
  if (protocol === 'redis' || protocol === 'rediss') {
    const { createClient } = await load<typeof import('redis')>('redis', 'Redis');
    const client = createClient({ url: address });
    client.on('error', () => {});
    await client.connect();
    return {
      store: redisStore((command) => client.sendCommand(command)),
      close: () => client.close(),
    };
  }
  if (protocol !== undefined) {
    throw new UsageError('--store must be a path, or begin with postgres:// or redis://.');
  }
  const { DatabaseSync } = await import('node:sqlite').catch(() => {
    throw new UsageError(
      'A store in SQLite needs Node 22.13 or later. Or use --store postgres://…',
    );
  });
  const database = new DatabaseSync(address);
  database.exec('PRAGMA journal_mode = WAL');
  return { store: sqliteStore(database), close: () => database.close() };
}
