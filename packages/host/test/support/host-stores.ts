import { randomUUID } from 'node:crypto';
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, type TestContext } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { memoryStore, postgresStore, sqliteStore, type HostStore } from '../../src/index.ts';
import { postgresImage } from 'clip-testkit/postgres-image';
import { serverStores } from './server-stores.ts';

/** Stores for one new set of data, each with its own connection if the store has connections. */
export type MakeStores = (t: TestContext, now: () => number, count: number) => HostStore[];
export type MakeStore = (t: TestContext, now: () => number) => HostStore;

/** A temporary directory, removed at the end of the test. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'clip-host-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

export function openSqlite(t: TestContext, file: string, now?: () => number): HostStore {
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  return sqliteStore(database, now);
}

const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const newDatabase = await openAsBlob(await postgresImage());
let postgresInProcess: PGlite | undefined;
// An open connection would keep the process running.
after(() => postgresInProcess?.close());

/** The stores that need no server. */
const ownStores: Readonly<Record<string, MakeStores>> = {
  memoryStore: (_, now, count) => {
    const store = memoryStore(now);
    return many(count, () => store);
  },
  'sqliteStore in a file': (t, now, count) => {
    const file = join(temporaryDirectory(t), 'host.db');
    return many(count, () => openSqlite(t, file, now));
  },
  'postgresStore on PGlite': (_, now, count) => {
    postgresInProcess ??= new PGlite({ loadDataDir: newDatabase });
    const prefix = `t_${randomUUID().replaceAll('-', '')}`;
    const database = postgresInProcess;
    return many(count, () => postgresStore(database, { prefix, now }));
  },
};

/**
 * Every store of the kit; all must behave alike. With the servers of `npm run test:stores`, also
 * those that need a server.
 */
export const sharedStores: Readonly<Record<string, MakeStores>> = serverStores() ?? ownStores;

/** The same, one at a time. */
export const stores: Readonly<Record<string, MakeStore>> = Object.fromEntries(
  Object.entries(sharedStores).map(([name, make]): [string, MakeStore] => [
    name,
    (t, now) => make(t, now, 1)[0]!,
  ]),
);
