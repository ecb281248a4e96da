import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { Cluster, Redis } from 'ioredis';
import pg from 'pg';
import { createClient, createCluster } from 'redis';
import {
  memoryStore,
  postgresStore,
  redisStore,
  type HostStore,
  type SendRedisCommand,
} from '../../src/index.ts';
import type { D1Database } from '../../src/stores/d1-store.ts';

/** The URLs of the servers that `npm run test:stores` has started, or null. */
export function serverAddresses(): { readonly postgres: string; readonly redis: string } | null {
  const { TEST_DATABASE_URL: postgres, TEST_REDIS_URL: redis } = process.env;
  return postgres && redis ? { postgres, redis } : null;
}

/** A name that no other test has. */
export const newName = (): string => `t_${randomUUID().replaceAll('-', '')}`;

/** Whatever is opened in it ends with it: a test, a suite. */
interface Scope {
  after(end: () => unknown): void;
}

export function postgresPool(t: Scope, url: string, more: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2, ...more });
  // Without a listener, a connection that is cut while it is idle ends the process.
  pool.on('error', () => {});
  t.after(() => pool.end());
  return pool;
}

export function nodeRedis(t: Scope, url: string) {
  const client = createClient({ url });
  client.on('error', () => {});
  const connected = client.connect();
  t.after(async () => {
    await connected;
    client.destroy();
  });
  return client;
}

export function nodeRedisCommands(t: Scope, url: string): SendRedisCommand {
  const client = nodeRedis(t, url);
  return (command) => client.sendCommand(command);
}

function ioRedis(t: Scope, url: string): SendRedisCommand {
  const client = new Redis(url);
  t.after(() => client.disconnect());
  return ([name, ...values]) => client.call(name, ...values);
}

function ioRedisCluster(t: Scope, url: string): SendRedisCommand {
  const { hostname, port, password } = new URL(url);
  const client = new Cluster([{ host: hostname, port: Number(port) }], {
    redisOptions: { password },
  });
  t.after(() => client.disconnect());
  return ([name, ...values]) => client.call(name, ...values);
}

/** It needs the key of each command. */
function nodeRedisCluster(t: Scope, url: string): SendRedisCommand {
  const { password } = new URL(url);
  const cluster = createCluster({ rootNodes: [{ url }], defaults: { password } });
  const connected = cluster.connect();
  t.after(async () => {
    await connected;
    cluster.destroy();
  });
  return async (command) => {
    await connected;
    const key = command[0] === 'EVAL' ? command[3] : command[1];
    return cluster.sendCommand(key, false, command);
  };
}

/** More than a file has tests: each gets a database of its own. */
const maxDatabases = 80;

/** The databases of a workerd of this process, and the worker that has a store of each. */
function startWorkerd(directory: string): Workerd {
  const { Miniflare } = createRequire(join(directory, 'package.json'))('miniflare') as {
    Miniflare: new (options: object) => Workerd & { dispose(): Promise<void> };
  };
  const workerd = new Miniflare({
    modules: true,
    modulesRoot: directory,
    scriptPath: join(directory, 'worker.js'),
    compatibilityDate: '2026-07-01',
    d1Databases: Array.from({ length: maxDatabases }, (_, n) => `db${n}`),
  });
  after(() => workerd.dispose());
  return workerd;
}

interface Workerd {
  getBindings(): Promise<Record<string, D1Database>>;
  dispatchFetch(url: string, request: { method: string; body: string }): Promise<Response>;
}

const { TEST_MINIFLARE: miniflare } = process.env;
const workerd = miniflare ? startWorkerd(miniflare) : null;
let usedDatabases = 0;

function newDatabase(): string {
  assert.ok(usedDatabases < maxDatabases, 'There are more tests than databases.');
  return `db${usedDatabases++}`;
}

/** An empty database in the workerd of `npm run test:stores`, for a few slow statements. */
export async function d1Database(): Promise<D1Database> {
  const name = newDatabase();
  return (await workerd!.getBindings())[name]!;
}

/** The store of a database, whose calls run in the worker. */
function storeInWorker(database: string, now: () => number): HostStore {
  const call =
    (method: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      const body = JSON.stringify({ database, now: now(), method, args });
      const answer = await workerd!.dispatchFetch('http://worker', { method: 'POST', body });
      const { value, error } = (await answer.json()) as { value?: unknown; error?: string };
      if (error !== undefined) throw new Error(error);
      return value;
    };
  const methods = Object.keys(memoryStore()).map((method) => [method, call(method)]);
  return Object.fromEntries(methods) as HostStore;
}

/** The stores on the servers, each with its usual clients; null if there are no servers. */
export function serverStores(): Record<
  string,
  (t: TestContext, now: () => number, count: number) => HostStore[]
> | null {
  const urls = serverAddresses();
  if (!urls) return null;
  const redis =
    (open: (t: Scope, url: string) => SendRedisCommand) =>
    (t: TestContext, now: () => number, count: number): HostStore[] => {
      const prefix = newName();
      return Array.from({ length: count }, () => redisStore(open(t, urls.redis), { prefix, now }));
    };
  return {
    'postgresStore, pg': (t, now, count) => {
      const schema = newName();
      return Array.from({ length: count }, () =>
        postgresStore(postgresPool(t, urls.postgres), { schema, now }),
      );
    },
    'd1Store, workerd': (_, now, count) => {
      const database = newDatabase();
      return Array.from({ length: count }, () => storeInWorker(database, now));
    },
    'redisStore, node-redis': redis(nodeRedisCommands),
    'redisStore, ioredis': redis(ioRedis),
    'redisStore, node-redis cluster': redis(nodeRedisCluster),
    'redisStore, ioredis cluster': redis(ioRedisCluster),
  };
}
