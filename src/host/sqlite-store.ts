import { attemptLifetime } from '../contract/host.ts';
import type { Attempt, HostStore } from './store.ts';

/** What the store needs of a SQLite database; `DatabaseSync` of `node:sqlite` and `better-sqlite3` both have it. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    get(...values: (string | number | null)[]): unknown;
    all(...values: (string | number | null)[]): unknown[];
    run(...values: (string | number | null)[]): { changes: number | bigint };
  };
}

interface AttemptRow {
  host_user: string;
  key: string;
  request: string;
  started_at: number;
  state: Attempt['state'];
  export_id: string | null;
}

const attemptOf = (row: AttemptRow): Attempt => ({
  key: row.key,
  hostUser: row.host_user,
  request: row.request,
  startedAt: row.started_at,
  state: row.state,
  exportId: row.export_id,
});

/** A store in a SQLite database: kept over restarts, shared by the processes that open the same file. Makes its two tables. */
export const sqliteStore = (database: SqliteDatabase, now: () => number = Date.now): HostStore => {
  database.exec(`
    CREATE TABLE IF NOT EXISTS clip_host_user (
      host_user TEXT PRIMARY KEY, managed_user TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS clip_host_attempt (
      host_user TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, started_at INTEGER NOT NULL,
      state TEXT NOT NULL, export_id TEXT, PRIMARY KEY (host_user, key)
    );
    CREATE INDEX IF NOT EXISTS clip_host_attempt_started ON clip_host_attempt (started_at);
    CREATE INDEX IF NOT EXISTS clip_host_attempt_export ON clip_host_attempt (export_id);
  `);
  const readUser = database.prepare('SELECT managed_user FROM clip_host_user WHERE host_user = ?');
  const writeUser = database.prepare(
    'INSERT INTO clip_host_user VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const deleteUser = database.prepare(
    'DELETE FROM clip_host_user WHERE host_user = ? AND managed_user = ?',
  );
  const readAttempt = database.prepare(
    'SELECT * FROM clip_host_attempt WHERE host_user = ? AND key = ?',
  );
  const writeAttempt = database.prepare(
    'INSERT INTO clip_host_attempt VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const changeAttempt = database.prepare(
    `UPDATE clip_host_attempt SET request = ?, started_at = ?, state = ?, export_id = ?
     WHERE host_user = ? AND key = ? AND state = ? AND started_at = ?`,
  );
  const deleteAttempt = database.prepare(
    'DELETE FROM clip_host_attempt WHERE host_user = ? AND key = ?',
  );
  const deleteExpired = database.prepare('DELETE FROM clip_host_attempt WHERE started_at < ?');
  const readExport = database.prepare('SELECT 1 FROM clip_host_attempt WHERE export_id = ?');

  const managedUser = (hostUser: string): string | null =>
    (readUser.get(hostUser) as { managed_user: string } | undefined)?.managed_user ?? null;
  const attempt = (hostUser: string, key: string): Attempt | null => {
    const row = readAttempt.get(hostUser, key) as AttemptRow | undefined;
    return row ? attemptOf(row) : null;
  };

  return {
    managedUser: async (hostUser) => managedUser(hostUser),
    async keepManagedUser(hostUser, id) {
      writeUser.run(hostUser, id);
      return managedUser(hostUser) ?? id;
    },
    async dropManagedUser(hostUser, id) {
      deleteUser.run(hostUser, id);
    },
    async claimAttempt(one) {
      deleteExpired.run(now() - attemptLifetime);
      const { hostUser, key, request, startedAt, state, exportId } = one;
      for (;;) {
        const { changes } = writeAttempt.run(hostUser, key, request, startedAt, state, exportId);
        if (Number(changes) === 1) return null;
        const known = attempt(hostUser, key);
        // Another process may have dropped it between the two.
        if (known) return known;
      }
    },
    async moveAttempt(from, to) {
      const { hostUser, key, request, startedAt, state, exportId } = to;
      const { changes } = changeAttempt.run(
        request,
        startedAt,
        state,
        exportId,
        hostUser,
        key,
        from.state,
        from.startedAt,
      );
      return Number(changes) === 1;
    },
    async dropAttempt(hostUser, key) {
      deleteAttempt.run(hostUser, key);
    },
    attempt: async (hostUser, key) => attempt(hostUser, key),
    attributed: async (exportIds) =>
      new Set(exportIds.filter((id) => readExport.get(id) !== undefined)),
  };
};
