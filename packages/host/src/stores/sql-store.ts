import {
  attemptKeptMs,
  encodeId,
  storeFailure,
  taskKeptMs,
  type Attempt,
  type HostStore,
} from './store.ts';

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
  /** The prefix of the table names; `clip_host` by default. */
  readonly prefix?: string;
  /** The site whose users they are, if several sites share the tables. */
  readonly namespace?: string;
  readonly now?: () => number;
}

/**
 * The part of a SQLite database that the store needs; `DatabaseSync` of `node:sqlite` and
 * `better-sqlite3` both have it.
 */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    all(...values: (string | number | null)[]): unknown[];
  };
}

/** Serialization failure under strict isolation, and deadlock: send the query again. */
const retriedCodes = ['40001', '40P01'];
const maxTries = 10;

/**
 * A store in a Postgres database (11 or later), for any number of processes. Creates its tables on
 * first use if they are missing. Throws a `TypeError` if the schema or prefix is not a plain name.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): HostStore {
  const prefix = checkName('prefix', options.prefix ?? 'clip_host');
  const schema = options.schema === undefined ? null : checkName('schema', options.schema);
  const start = schema === null ? `"${prefix}` : `"${schema}"."${prefix}`;
  const ask: Ask = async (text, values) => {
    for (let tries = 1; ; tries++) {
      try {
        return (await pool.query(text, values)).rows as never;
      } catch (cause) {
        const { code } = cause as { code?: string };
        if (tries === maxTries || !code || !retriedCodes.includes(code)) {
          throw storeFailure('Postgres', cause);
        }
      }
    }
  };
  let ready: Promise<unknown> | undefined;
  return createSqlStore({
    async ask(text, values) {
      ready ??= ask(makePostgresStatement(start, schema), []).catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
      await ready;
      return ask(text, values);
    },
    start,
    end: '"',
    // Several processes may remove old rows at once.
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    ...options,
  });
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
    start: 'clip_host',
    end: '',
    skipLocked: '',
    now,
  });
}

/** The number of old rows that a new one removes, so that no request waits for a large cleanup. */
const maxSwept = 100;

type Ask = <Row>(text: string, values: Value[]) => Promise<Row[]>;

interface Dialect {
  /** Sends a statement, whose values are `$1` and so on. */
  readonly ask: Ask;
  /** Before and after the name of a table. */
  readonly start: string;
  readonly end: string;
  readonly skipLocked: string;
  readonly namespace?: string;
  readonly now?: () => number;
}

interface AttemptRow {
  readonly key: string;
  readonly request: string;
  readonly started_at: number;
  readonly state: Attempt['state'];
  readonly export_id: string | null;
}

/** A value in a statement, with its type, which only Postgres needs. */
export const valueMark = /\$(\d)(?:::\w+(?: \w+)?)?/g;

/** A store on SQL: each of its steps is one statement. */
export function createSqlStore({
  ask,
  start,
  end,
  skipLocked,
  namespace,
  now = Date.now,
}: Dialect): HostStore {
  const [users, attempts, tasks] = ['user', 'attempt', 'task'].map(
    (name) => `${start}_${name}${end}`,
  );
  const rows = <Row>(text: string, ...values: Value[]): Promise<Row[]> => ask<Row>(text, values);
  const isOne = async (text: string, ...values: Value[]): Promise<boolean> =>
    (await rows(text, ...values)).length === 1;
  const userId = (hostUser: string): Promise<string> =>
    encodeId(namespace === undefined ? hostUser : JSON.stringify([namespace, hostUser]));
  const sweep = (table: string, id: string, beforeMs: number): Promise<unknown> =>
    rows(
      `DELETE FROM ${table} WHERE (host_user, ${id}) IN (
         SELECT host_user, ${id} FROM ${table} WHERE started_at < $1
         ORDER BY started_at LIMIT ${maxSwept} ${skipLocked}
       ) RETURNING 1`,
      beforeMs,
    );
  const fields = 'key, request, started_at, state, export_id';
  const attemptAt = async (hostUser: string, key: string): Promise<Attempt | null> => {
    const [row] = await rows<AttemptRow>(
      `SELECT ${fields} FROM ${attempts} WHERE host_user = $1 AND key = $2`,
      await userId(hostUser),
      await encodeId(key),
    );
    return row ? { ...readAttempt(hostUser, row), key } : null;
  };

  return {
    async managedUser(hostUser) {
      const [row] = await rows<{ managed_user: string | null }>(
        `SELECT managed_user FROM ${users} WHERE host_user = $1`,
        await userId(hostUser),
      );
      return row?.managed_user ?? null;
    },
    async keepManagedUser(hostUser, managedUser) {
      const [row] = await rows<{ managed_user: string }>(
        `INSERT INTO ${users} AS kept (host_user, managed_user) VALUES ($1, $2)
         ON CONFLICT (host_user) DO UPDATE SET
           managed_user = coalesce(kept.managed_user, excluded.managed_user), making_since = NULL
         RETURNING managed_user`,
        await userId(hostUser),
        managedUser,
      );
      return row!.managed_user;
    },
    async claimCreation(hostUser, since, lease) {
      return isOne(
        `INSERT INTO ${users} AS kept (host_user, making_since) VALUES ($1, $2)
         ON CONFLICT (host_user) DO UPDATE SET making_since = excluded.making_since
           WHERE kept.managed_user IS NULL
             AND abs(kept.making_since - excluded.making_since) >= $3::double precision
         RETURNING 1`,
        await userId(hostUser),
        since,
        lease,
      );
    },
    async releaseCreation(hostUser, since) {
      await rows(
        `DELETE FROM ${users} WHERE host_user = $1 AND managed_user IS NULL AND making_since = $2
         RETURNING 1`,
        await userId(hostUser),
        since,
      );
    },
    async replaceManagedUser(hostUser, from, to) {
      const [row] = await rows<{ managed_user: string }>(
        `INSERT INTO ${users} AS kept (host_user, managed_user) VALUES ($1, $3)
         ON CONFLICT (host_user) DO UPDATE SET
           managed_user = coalesce(nullif(kept.managed_user, $2), excluded.managed_user)
         RETURNING managed_user`,
        await userId(hostUser),
        from,
        to,
      );
      return row!.managed_user;
    },
    async claimAttempt({ hostUser, key, request, startedAt, state, exportId }) {
      await sweep(attempts!, 'key', now() - attemptKeptMs);
      const names = [await userId(hostUser), await encodeId(key)];
      for (;;) {
        const written = await isOne(
          `INSERT INTO ${attempts} (host_user, key, request, started_at, state, export_id)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (host_user, key) DO NOTHING RETURNING 1`,
          ...names,
          ...[request, startedAt, state, exportId],
        );
        if (written) return null;
        const known = await attemptAt(hostUser, key);
        // Another process may have dropped it between the two statements.
        if (known) return known;
      }
    },
    async moveAttempt(from, { hostUser, key, request, startedAt, state, exportId }) {
      return isOne(
        `UPDATE ${attempts} SET request = $3, started_at = $4, state = $5, export_id = $6
         WHERE host_user = $1 AND key = $2 AND state = $7 AND started_at = $8 RETURNING 1`,
        ...[await userId(hostUser), await encodeId(key)],
        ...[request, startedAt, state, exportId],
        ...[from.state, from.startedAt],
      );
    },
    async dropAttempt({ hostUser, key, state, startedAt }) {
      await rows(
        `DELETE FROM ${attempts}
         WHERE host_user = $1 AND key = $2 AND state = $3 AND started_at = $4 RETURNING 1`,
        ...[await userId(hostUser), await encodeId(key), state, startedAt],
      );
    },
    attempt: attemptAt,
    async attemptsSince(hostUser, sinceMs) {
      const found = await rows<AttemptRow>(
        `SELECT ${fields} FROM ${attempts} WHERE host_user = $1 AND started_at >= $2`,
        await userId(hostUser),
        sinceMs,
      );
      return found.map((row) => readAttempt(hostUser, row));
    },
    async keepTask(task) {
      await sweep(tasks!, 'id', now() - taskKeptMs);
      await rows(
        `INSERT INTO ${tasks} (host_user, id, started_at, task) VALUES ($1, $2, $3, $4)
         ON CONFLICT (host_user, id) DO NOTHING RETURNING 1`,
        ...[await userId(task.hostUser), await encodeId(task.id)],
        // A column of text cannot hold every id and name.
        ...[task.startedAt, JSON.stringify([task.id, task.name])],
      );
    },
    async startedTasks(hostUser, limit, after) {
      const found = await rows<{ started_at: number; task: string }>(
        `SELECT started_at, task FROM ${tasks}
         WHERE host_user = $1 AND started_at >= $2
           AND (started_at, id) < ($3::double precision, $4::text)
         ORDER BY started_at DESC, id DESC LIMIT $5::int`,
        await userId(hostUser),
        now() - taskKeptMs,
        ...(after ? [after.startedAt, await encodeId(after.id)] : [Number.MAX_SAFE_INTEGER, '']),
        limit,
      );
      return found.map(({ started_at: startedAt, task }) => {
        const [id, name] = JSON.parse(task) as [string, string];
        return { hostUser, id, name, startedAt };
      });
    },
    async dropTask(hostUser, taskId) {
      return isOne(
        `DELETE FROM ${tasks} WHERE host_user = $1 AND id = $2 RETURNING 1`,
        await userId(hostUser),
        await encodeId(taskId),
      );
    },
  };
}

const readAttempt = (
  hostUser: string,
  { key, request, started_at, state, export_id }: AttemptRow,
): Attempt => ({ key, hostUser, request, startedAt: started_at, state, exportId: export_id });

/** Postgres cuts names at 63 bytes, so this leaves room for the suffixes. */
function checkName(what: string, name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(name)) return name;
  throw new TypeError(
    `postgresStore: ${what} must be a name of 1 to 40 letters, digits and _, not ${JSON.stringify(name)}`,
  );
}

/** The statements that create the tables. `start` and `end`: around the name of a table. */
function listTableStatements(start: string, end: string, text: string, time: string): string[] {
  const index = start.replace(/^.*"/, '"');
  return [
    `CREATE TABLE IF NOT EXISTS ${start}_user${end} (
       host_user ${text} PRIMARY KEY, managed_user TEXT, making_since ${time}
     )`,
    `CREATE TABLE IF NOT EXISTS ${start}_attempt${end} (
       host_user ${text} NOT NULL, key ${text} NOT NULL, request TEXT NOT NULL,
       started_at ${time} NOT NULL, state TEXT NOT NULL, export_id ${text},
       PRIMARY KEY (host_user, key)
     )`,
    `CREATE INDEX IF NOT EXISTS ${index}_attempt_started${end} ON ${start}_attempt${end} (started_at)`,
    `CREATE TABLE IF NOT EXISTS ${start}_task${end} (
       host_user ${text} NOT NULL, id ${text} NOT NULL, started_at ${time} NOT NULL,
       task TEXT NOT NULL, PRIMARY KEY (host_user, id)
     )`,
    `CREATE INDEX IF NOT EXISTS ${index}_task_of${end} ON ${start}_task${end} (host_user, started_at, id)`,
    `CREATE INDEX IF NOT EXISTS ${index}_task_started${end} ON ${start}_task${end} (started_at)`,
  ];
}

/** The statements that create the tables in SQLite, and in databases on it. */
export const sqliteTables = listTableStatements('clip_host', '', 'TEXT', 'REAL');

/** An arbitrary number that other users of the database's advisory locks are unlikely to use. */
const advisoryLockId = '7310868735427903';

/**
 * Creates missing tables; any number of processes can run it at the same time. It looks first: a
 * user without the right to create tables may use existing ones. Collation "C": an update of the
 * system's collations cannot break the index. Times are double precision, as in JavaScript.
 */
function makePostgresStatement(start: string, schema: string | null): string {
  const missing = ['user', 'attempt', 'task'].map(
    (name) => `to_regclass('${start}_${name}"') IS NULL`,
  );
  const newSchema =
    schema === null
      ? ''
      : `IF to_regnamespace('"${schema}"') IS NULL THEN CREATE SCHEMA "${schema}"; END IF;`;
  const create = listTableStatements(start, '"', 'text COLLATE "C"', 'double precision');
  return `DO $make$ BEGIN
    IF ${missing.join(' OR ')} THEN
      PERFORM pg_advisory_xact_lock(${advisoryLockId});
      ${newSchema}
      ${create.join(';\n')};
    END IF;
  END $make$`;
}
