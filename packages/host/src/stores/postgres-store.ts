import { attemptKeptMs, maxSweptAttempts } from './attempt-expiry.ts';
import { postgresTables } from './postgres-tables.ts';
import { storeFailure } from './store-failure.ts';
import { maxSweptTasks, taskKeptMs } from './task-expiry.ts';
import { afterPlace, startedTaskOf, taskText, type TaskRow } from './task-row.ts';
import type { Attempt, HostStore } from './store.ts';
import { storedId } from './stored-id.ts';

type Value = string | number | null;

/**
 * The part of a connection or pool that the store needs; `Pool` of `pg` and PGlite have it. Each
 * query is a transaction of its own.
 */
export interface PostgresPool {
  query(text: string, values: Value[]): Promise<{ rows: unknown[] }>;
}

export interface PostgresStoreOptions {
  /**
   * The schema of the tables, created if it is missing. By default the first of the connection's
   * search path.
   */
  readonly schema?: string;
  /**
   * Whose users they are, where several sites share the tables: the users of one are never those of
   * another.
   */
  readonly namespace?: string;
  /** The prefix of the table names; `clip_host` by default. */
  readonly prefix?: string;
  readonly now?: () => number;
}

interface AttemptRow {
  readonly key: string;
  readonly request: string;
  readonly started_at: number;
  readonly state: Attempt['state'];
  readonly export_id: string | null;
}

/** Serialization failure under strict isolation, and deadlock: send the query again. */
const retriedCodes = ['40001', '40P01'];

const maxTries = 10;

/**
 * A store in a Postgres database (11 or later), for any number of processes. Creates its tables on
 * first use if they are missing. Throws a `TypeError` if the schema or prefix is not a plain
 * name.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): HostStore {
  const { now = Date.now, namespace } = options;
  const storedUserId = (hostUser: string): Promise<string> =>
    storedId(namespace === undefined ? hostUser : JSON.stringify([namespace, hostUser]));
  const { users, attempts, creation, tasks, taskCreation } = postgresTables(
    options.schema,
    options.prefix,
  );

  const ask = async <Row>(text: string, values: Value[]): Promise<Row[]> => {
    for (let tries = 1; ; tries++) {
      try {
        return (await pool.query(text, values)).rows as Row[];
      } catch (cause) {
        const { code } = cause as { code?: string };
        if (tries === maxTries || !code || !retriedCodes.includes(code)) {
          throw storeFailure('Postgres', cause);
        }
      }
    }
  };
  /** Queries of tables that the first one creates. */
  const queries = (create: string) => {
    let ready: Promise<unknown> | undefined;
    return async <Row>(text: string, ...values: Value[]): Promise<Row[]> => {
      ready ??= ask(create, []).catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
      await ready;
      return ask<Row>(text, values);
    };
  };
  const rows = queries(creation);
  const taskRows = queries(taskCreation);
  const firstRow = async (text: string, ...values: Value[]) =>
    (await rows(text, ...values)).length === 1;

  const attemptAt = async (hostUser: string, key: string): Promise<Attempt | null> => {
    const [row] = await rows<AttemptRow>(
      `SELECT key, request, started_at, state, export_id FROM ${attempts}
       WHERE host_user = $1 AND key = $2`,
      await storedUserId(hostUser),
      await storedId(key),
    );
    return row ? { ...attemptOf(hostUser, row), key } : null;
  };

  return {
    async managedUser(hostUser) {
      const [row] = await rows<{ managed_user: string | null }>(
        `SELECT managed_user FROM ${users} WHERE host_user = $1`,
        await storedUserId(hostUser),
      );
      return row?.managed_user ?? null;
    },
    async keepManagedUser(hostUser, managedUser) {
      const [row] = await rows<{ managed_user: string }>(
        `INSERT INTO ${users} AS kept (host_user, managed_user) VALUES ($1, $2)
         ON CONFLICT (host_user) DO UPDATE SET
           managed_user = coalesce(kept.managed_user, excluded.managed_user), making_since = NULL
         RETURNING managed_user`,
        await storedUserId(hostUser),
        managedUser,
      );
      return row!.managed_user;
    },
    async claimCreation(hostUser, since, lease) {
      return firstRow(
        `INSERT INTO ${users} AS kept (host_user, making_since) VALUES ($1, $2)
         ON CONFLICT (host_user) DO UPDATE SET making_since = excluded.making_since
           WHERE kept.managed_user IS NULL
             AND abs(kept.making_since - excluded.making_since) >= $3::double precision
         RETURNING 1`,
        await storedUserId(hostUser),
        since,
        lease,
      );
    },
    async releaseCreation(hostUser, since) {
      await rows(
        `DELETE FROM ${users} WHERE host_user = $1 AND managed_user IS NULL AND making_since = $2`,
        await storedUserId(hostUser),
        since,
      );
    },
    async replaceManagedUser(hostUser, from, to) {
      const [row] = await rows<{ managed_user: string }>(
        `INSERT INTO ${users} AS kept (host_user, managed_user) VALUES ($1, $3)
         ON CONFLICT (host_user) DO UPDATE SET
           managed_user = coalesce(nullif(kept.managed_user, $2), excluded.managed_user)
         RETURNING managed_user`,
        await storedUserId(hostUser),
        from,
        to,
      );
      return row!.managed_user;
    },
    async claimAttempt({ hostUser, key, request, startedAt, state, exportId }) {
      await rows(
        `DELETE FROM ${attempts} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${attempts} WHERE started_at < $1
           ORDER BY started_at LIMIT ${maxSweptAttempts} FOR UPDATE SKIP LOCKED
         ))`,
        now() - attemptKeptMs,
      );
      const storedUser = await storedUserId(hostUser);
      const storedKey = await storedId(key);
      for (;;) {
        const written = await firstRow(
          `INSERT INTO ${attempts} (host_user, key, request, started_at, state, export_id)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (host_user, key) DO NOTHING RETURNING 1`,
          storedUser,
          storedKey,
          request,
          startedAt,
          state,
          exportId,
        );
        if (written) return null;
        const known = await attemptAt(hostUser, key);
        // Another process may have dropped it between the two queries.
        if (known) return known;
      }
    },
    async moveAttempt(from, { hostUser, key, request, startedAt, state, exportId }) {
      return firstRow(
        `UPDATE ${attempts} SET request = $3, started_at = $4, state = $5, export_id = $6
         WHERE host_user = $1 AND key = $2 AND state = $7 AND started_at = $8 RETURNING 1`,
        await storedUserId(hostUser),
        await storedId(key),
        request,
        startedAt,
        state,
        exportId,
        from.state,
        from.startedAt,
      );
    },
    async dropAttempt({ hostUser, key, state, startedAt }) {
      await rows(
        `DELETE FROM ${attempts}
         WHERE host_user = $1 AND key = $2 AND state = $3 AND started_at = $4`,
        await storedUserId(hostUser),
        await storedId(key),
        state,
        startedAt,
      );
    },
    attempt: attemptAt,
    async attemptsSince(hostUser, sinceMs) {
      const found = await rows<AttemptRow>(
        `SELECT key, request, started_at, state, export_id FROM ${attempts}
         WHERE host_user = $1 AND started_at >= $2`,
        await storedUserId(hostUser),
        sinceMs,
      );
      return found.map((row) => attemptOf(hostUser, row));
    },
    async keepTask(task) {
      await taskRows(
        `DELETE FROM ${tasks} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${tasks} WHERE started_at < $1
           ORDER BY started_at LIMIT ${maxSweptTasks} FOR UPDATE SKIP LOCKED
         ))`,
        now() - taskKeptMs,
      );
      await taskRows(
        `INSERT INTO ${tasks} (host_user, id, started_at, task) VALUES ($1, $2, $3, $4)
         ON CONFLICT (host_user, id) DO NOTHING`,
        await storedUserId(task.hostUser),
        await storedId(task.id),
        task.startedAt,
        taskText(task),
      );
    },
    async startedTasks(hostUser, limit, after) {
      const found = await taskRows<TaskRow>(
        `SELECT started_at, task FROM ${tasks}
         WHERE host_user = $1 AND started_at >= $2
           AND (started_at, id) < ($3::double precision, $4::text COLLATE "C")
         ORDER BY started_at DESC, id DESC LIMIT $5::int`,
        await storedUserId(hostUser),
        now() - taskKeptMs,
        ...(await afterPlace(after)),
        limit,
      );
      return found.map((row) => startedTaskOf(hostUser, row));
    },
    async dropTask(hostUser, taskId) {
      const dropped = await taskRows(
        `DELETE FROM ${tasks} WHERE host_user = $1 AND id = $2 RETURNING 1`,
        await storedUserId(hostUser),
        await storedId(taskId),
      );
      return dropped.length === 1;
    },
  };
}

const attemptOf = (
  hostUser: string,
  { key, request, started_at, state, export_id }: AttemptRow,
): Attempt => ({ key, hostUser, request, startedAt: started_at, state, exportId: export_id });
