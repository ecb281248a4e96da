import { attemptKeptMs, maxSweptAttempts } from './attempt-expiry.ts';
import { maxSweptTasks, taskKeptMs } from './task-expiry.ts';
import { afterPlace, startedTaskOf, taskText, type TaskRow } from './task-row.ts';
import type { Attempt, HostStore } from './store.ts';
import { storedId } from './stored-id.ts';

/**
 * The part of a SQLite database that the store needs; `DatabaseSync` of `node:sqlite` and
 * `better-sqlite3` both have it.
 */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    get(...values: (string | number | null)[]): unknown;
    all(...values: (string | number | null)[]): unknown[];
    run(...values: (string | number | null)[]): { changes: number | bigint };
  };
}

interface AttemptRow {
  key: string;
  request: string;
  started_at: number;
  state: Attempt['state'];
  export_id: string | null;
}

/** How long a statement waits while another process writes. */
const busyTimeoutMs = 5000;

/**
 * A store in a SQLite database. It survives restarts and is shared by all processes on one machine
 * that open the same file. Creates its tables. If the connection does not wait for other writers
 * (`busy_timeout` 0), the store sets it to wait 5 s.
 */
export function sqliteStore(database: SqliteDatabase, now: () => number = Date.now): HostStore {
  const [currentTimeoutMs] = Object.values(database.prepare('PRAGMA busy_timeout').get() as object);
  if (Number(currentTimeoutMs) === 0) database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  database.exec(`
    CREATE TABLE IF NOT EXISTS clip_host_user (
      host_user TEXT PRIMARY KEY, managed_user TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS clip_host_making (
      host_user TEXT PRIMARY KEY, since INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS clip_host_attempt (
      host_user TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, started_at INTEGER NOT NULL,
      state TEXT NOT NULL, export_id TEXT, PRIMARY KEY (host_user, key)
    );
    CREATE INDEX IF NOT EXISTS clip_host_attempt_started ON clip_host_attempt (started_at);
    CREATE TABLE IF NOT EXISTS clip_host_task (
      host_user TEXT NOT NULL, id TEXT NOT NULL, started_at INTEGER NOT NULL, task TEXT NOT NULL,
      PRIMARY KEY (host_user, id)
    );
    CREATE INDEX IF NOT EXISTS clip_host_task_of ON clip_host_task (host_user, started_at, id);
    CREATE INDEX IF NOT EXISTS clip_host_task_started ON clip_host_task (started_at);
  `);
  const readUser = database.prepare('SELECT managed_user FROM clip_host_user WHERE host_user = ?');
  const writeUser = database.prepare(
    'INSERT INTO clip_host_user VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const replaceUser = database.prepare(
    'UPDATE clip_host_user SET managed_user = ? WHERE host_user = ? AND managed_user = ?',
  );
  const claimCreation = database.prepare(
    `INSERT INTO clip_host_making
     SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM clip_host_user WHERE host_user = ?)
     ON CONFLICT DO UPDATE SET since = excluded.since WHERE abs(since - excluded.since) >= ?`,
  );
  const releaseCreation = database.prepare(
    'DELETE FROM clip_host_making WHERE host_user = ? AND since = ?',
  );
  const endClaim = database.prepare('DELETE FROM clip_host_making WHERE host_user = ?');
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
    `DELETE FROM clip_host_attempt
     WHERE host_user = ? AND key = ? AND state = ? AND started_at = ?`,
  );
  const deleteExpired = database.prepare(
    `DELETE FROM clip_host_attempt WHERE rowid IN (
       SELECT rowid FROM clip_host_attempt WHERE started_at < ? ORDER BY started_at LIMIT ${maxSweptAttempts}
     )`,
  );
  const readAttempts = database.prepare(
    'SELECT * FROM clip_host_attempt WHERE host_user = ? AND started_at >= ?',
  );

  const writeTask = database.prepare(
    'INSERT INTO clip_host_task VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const deleteTask = database.prepare('DELETE FROM clip_host_task WHERE host_user = ? AND id = ?');
  const deleteOldTasks = database.prepare(
    `DELETE FROM clip_host_task WHERE rowid IN (
       SELECT rowid FROM clip_host_task WHERE started_at < ? ORDER BY started_at LIMIT ${maxSweptTasks}
     )`,
  );
  const readTasks = database.prepare(
    `SELECT started_at, task FROM clip_host_task
     WHERE host_user = ? AND started_at >= ? AND (started_at, id) < (?, ?)
     ORDER BY started_at DESC, id DESC LIMIT ?`,
  );

  const managedUser = (id: string): string | null =>
    (readUser.get(id) as { managed_user: string } | undefined)?.managed_user ?? null;
  const attemptAt = async (hostUser: string, key: string): Promise<Attempt | null> => {
    const row = readAttempt.get(await storedId(hostUser), await storedId(key));
    return row ? { ...attemptOf(hostUser, row as AttemptRow), key } : null;
  };

  return {
    managedUser: async (hostUser) => managedUser(await storedId(hostUser)),
    async keepManagedUser(hostUser, id) {
      const user = await storedId(hostUser);
      writeUser.run(user, id);
      endClaim.run(user);
      return managedUser(user) ?? id;
    },
    async claimCreation(hostUser, since, lease) {
      const user = await storedId(hostUser);
      return Number(claimCreation.run(user, since, user, lease).changes) === 1;
    },
    async releaseCreation(hostUser, since) {
      releaseCreation.run(await storedId(hostUser), since);
    },
    async replaceManagedUser(hostUser, from, to) {
      const user = await storedId(hostUser);
      replaceUser.run(to, user, from);
      writeUser.run(user, to);
      return managedUser(user) ?? to;
    },
    async claimAttempt({ hostUser, key, request, startedAt, state, exportId }) {
      const names = [await storedId(hostUser), await storedId(key)] as const;
      deleteExpired.run(now() - attemptKeptMs);
      for (;;) {
        const { changes } = writeAttempt.run(...names, request, startedAt, state, exportId);
        if (Number(changes) === 1) return null;
        const known = await attemptAt(hostUser, key);
        // Another process may have dropped it between the two statements.
        if (known) return known;
      }
    },
    async moveAttempt(from, { hostUser, key, request, startedAt, state, exportId }) {
      const names = [await storedId(hostUser), await storedId(key)] as const;
      const written = [request, startedAt, state, exportId] as const;
      const { changes } = changeAttempt.run(...written, ...names, from.state, from.startedAt);
      return Number(changes) === 1;
    },
    async dropAttempt({ hostUser, key, state, startedAt }) {
      deleteAttempt.run(await storedId(hostUser), await storedId(key), state, startedAt);
    },
    attempt: attemptAt,
    async attemptsSince(hostUser, sinceMs) {
      const rows = readAttempts.all(await storedId(hostUser), sinceMs) as AttemptRow[];
      return rows.map((row) => attemptOf(hostUser, row));
    },
    async keepTask(task) {
      const names = [await storedId(task.hostUser), await storedId(task.id)] as const;
      deleteOldTasks.run(now() - taskKeptMs);
      writeTask.run(...names, task.startedAt, taskText(task));
    },
    async startedTasks(hostUser, limit, after) {
      const place = await afterPlace(after);
      const since = now() - taskKeptMs;
      const rows = readTasks.all(await storedId(hostUser), since, ...place, limit) as TaskRow[];
      return rows.map((row) => startedTaskOf(hostUser, row));
    },
    async dropTask(hostUser, taskId) {
      const { changes } = deleteTask.run(await storedId(hostUser), await storedId(taskId));
      return Number(changes) === 1;
    },
  };
}

const attemptOf = (
  hostUser: string,
  { key, request, started_at, state, export_id }: AttemptRow,
): Attempt => ({ key, hostUser, request, startedAt: started_at, state, exportId: export_id });
