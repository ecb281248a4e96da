import { once } from 'node:events';
import { chmodSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeHandler } from '../adapters/node.ts';
import { createClipHost } from '../handler.ts';
import type { HostLogEntry } from '../options.ts';
import { type ProgramSettings, CommandLineError } from './command-line.ts';
import { redisStore } from '../stores/redis-store.ts';
import { postgresStore } from '../stores/postgres-store.ts';
import { sqliteStore } from '../stores/sqlite-store.ts';
import type { HostStore } from '../stores/store.ts';

/** A line of the log. */
export type Line =
  | HostLogEntry
  | { readonly level: 'info'; readonly event: 'started' | 'stopping'; readonly message: string };

export interface RunningProgram {
  /** Where pages reach the host: their `endpoint`. */
  readonly endpoint: string;
  /** Answers open requests, takes no new ones, and closes the store. */
  close(): Promise<void>;
}

/** The store's time to answer, after which the program counts as not ready. */
const readyWaitMs = 3000;

/**
 * Starts the host on its port. Rejects, with nothing left open, if the port is taken, the store
 * cannot be opened, or a setting does not fit. `requestWaitMs`: how long a request may take to
 * arrive whole, its body included.
 */
export async function startProgram(
  settings: ProgramSettings,
  log: (line: Line) => void,
  requestWaitMs = 10_000,
): Promise<RunningProgram> {
  const { address, port, basePath, publicUrl } = settings;
  const { store, close: closeStore } = await openStore(settings.store);
  try {
    let stopping = false;
    const host = createClipHost({
      service: settings.service,
      sessions: settings.sessions,
      origins: settings.origins,
      basePath,
      store,
      log,
    });
    const failed = (error: unknown): void =>
      log({ level: 'error', event: 'failure', message: (error as Error).message });
    const limits = {
      headersTimeout: requestWaitMs,
      requestTimeout: requestWaitMs,
      connectionsCheckingInterval: Math.min(1000, requestWaitMs),
    };
    const server = createServer(limits, (request, response) => {
      const path = request.url?.split('?')[0];
      if (path === '/healthz' || path === '/readyz') {
        void (path === '/healthz' ? Promise.resolve(true) : ready()).then((fine) => {
          response.writeHead(fine ? 200 : 503, { 'Content-Type': 'text/plain' });
          response.end(fine ? 'ok\n' : 'not ready\n');
        });
        return;
      }
      handler(request, response);
    });
    const ready = async (): Promise<boolean> => {
      if (stopping) return false;
      const late = new Promise<boolean>((resolve) =>
        setTimeout(resolve, readyWaitMs, false).unref(),
      );
      const answers = store.read({ kind: 'user', hostUser: 'readyz', id: '' }).then(
        () => true,
        (error: unknown) => {
          failed(error);
          return false;
        },
      );
      return Promise.race([answers, late]);
    };
    server.listen(port, address);
    await once(server, 'listening');
    const origin =
      publicUrl?.origin ?? `http://localhost:${(server.address() as AddressInfo).port}`;
    const handler = nodeHandler(host, { origin, onError: failed });
    return {
      endpoint: origin + basePath,
      async close() {
        stopping = true;
        const closed = once(server, 'close');
        server.close();
        await host.close();
        server.closeIdleConnections();
        await closed;
        await closeStore();
      },
    };
  } catch (error) {
    await closeStore();
    throw error;
  }
}

/** A client library, which only those need who use its server. */
async function load<T>(name: string, server: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandLineError(
      `A store in ${server} needs the package ${name}: npm install ${name}, or npx -p clip-host -p ${name} clip-host.`,
    );
  }
}

/**
 * Opens the store of an address: `postgres://…`, `redis://…`, otherwise the path of a file of
 * SQLite. Rejects with a {@link CommandLineError} if the library for it is missing.
 */
async function openStore(address: string): Promise<{ store: HostStore; close(): unknown }> {
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
    throw new CommandLineError('--store must be a path, or begin with postgres:// or redis://.');
  }
  const { DatabaseSync } = await import('node:sqlite').catch(() => {
    throw new CommandLineError(
      'A store in SQLite needs Node 22.13 or later. Or use --store postgres://…',
    );
  });
  // They have the users of the site. What SQLite makes later has the mode of the database.
  for (const end of ['', '-wal', '-shm', '-journal']) {
    if (existsSync(address + end)) chmodSync(address + end, 0o600);
  }
  const database = new DatabaseSync(address);
  database.exec('PRAGMA journal_mode = WAL');
  return { store: sqliteStore(database), close: () => database.close() };
}
