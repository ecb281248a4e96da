import { createSqlStore, sqliteTables, type Value, valueMark } from './sql-store.ts';
import { storeFailure, type HostStore } from './store.ts';

/** The part of a D1 statement that the store needs. */
export interface D1Statement {
  bind(...values: Value[]): D1Statement;
  all(): Promise<{ results: unknown[] }>;
}

/** The part of a D1 binding that the store needs. */
export interface D1Database {
  prepare(sql: string): D1Statement;
  batch(statements: D1Statement[]): Promise<unknown>;
}

/**
 * A store in a D1 database of Cloudflare, for any number of workers. Creates its tables on first
 * use if they are missing. Pass the binding, not a session of it: a session may read from a replica
 * that does not have the last writes.
 */
export function d1Store(database: D1Database, now: () => number = Date.now): HostStore {
  const send = async (text: string, values: readonly Value[]) =>
    (
      await database
        .prepare(text.replaceAll(valueMark, '?$1'))
        .bind(...values)
        .all()
    ).results;
  // Not remembered as a promise: a request of a worker cannot wait for the work of another one.
  const createTables = () =>
    database.batch(sqliteTables.map((statement) => database.prepare(statement)));
  return createSqlStore({
    async ask(text, values) {
      try {
        return (await send(text, values).catch(async (error: unknown) => {
          if (!/no such table/.test(String(error))) throw error;
          await createTables();
          return send(text, values);
        })) as never;
      } catch (cause) {
        throw storeFailure('D1', cause);
      }
    },
    now,
  });
}
