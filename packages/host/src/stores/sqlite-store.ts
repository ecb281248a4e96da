import { createSqlStore, sqliteTables, type Value, valueMark } from './sql-store.ts';
import type { HostStore } from './store.ts';

/**
 * The part of a SQLite database that the store needs; `DatabaseSync` of `node:sqlite` and
 * `better-sqlite3` both have it.
 */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    all(...values: Value[]): unknown[];
  };
}

/** The time for which a statement waits while another process writes. */
const busyTimeoutMs = 5000;

/**
 * A store in a SQLite database. It survives restarts and is shared by all processes on one machine
 * that open the same file. Creates its tables. If the connection does not wait for other writers
 * (`busy_timeout` 0), the store sets it to wait 5 s.
 */
export function sqliteStore(database: SqliteDatabase, now: () => number = Date.now): HostStore {
  const [currentTimeoutMs] = Object.values(database.prepare('PRAGMA busy_timeout').all()[0]!);
  if (Number(currentTimeoutMs) === 0) database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  database.exec(sqliteTables.join(';'));
  // SQLite has no numbered values that all its libraries bind.
  const prepared = new Map<string, (values: readonly Value[]) => unknown[]>();
  const prepare = (text: string) => {
    const order: number[] = [];
    const statement = database.prepare(
      text.replaceAll(valueMark, (_, position: string) => {
        order.push(Number(position) - 1);
        return '?';
      }),
    );
    return (values: readonly Value[]) => statement.all(...order.map((at) => values[at]!));
  };
  return createSqlStore({
    async ask(text, values) {
      let run = prepared.get(text);
      if (!run) prepared.set(text, (run = prepare(text)));
      return run(values) as never;
    },
    now,
  });
}
