import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { memoryStore, sqliteStore, type HostStore } from '../../src/host/index.ts';

export type MakeStore = (t: TestContext, now: () => number) => HostStore;

/** A temporary directory that ends with the test. */
export const temporaryDirectory = (t: TestContext): string => {
  const directory = mkdtempSync(join(tmpdir(), 'clip-host-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
};

export const openSqlite = (t: TestContext, file: string, now?: () => number): HostStore => {
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  return sqliteStore(database, now);
};

/** Every store that the kit brings; all must behave alike. */
export const stores: Readonly<Record<string, MakeStore>> = {
  memoryStore: (_, now) => memoryStore(now),
  'sqliteStore in memory': (t, now) => openSqlite(t, ':memory:', now),
  'sqliteStore in a file': (t, now) => openSqlite(t, join(temporaryDirectory(t), 'host.db'), now),
};
