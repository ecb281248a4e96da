/** Postgres cuts names at 63 bytes, so this leaves room for the suffixes. */
const plainName = /^[A-Za-z_][A-Za-z0-9_]{0,39}$/;

function nameOf(what: string, name: string): string {
  if (plainName.test(name)) return name;
  throw new TypeError(
    `postgresStore: ${what} must be a name of 1 to 40 letters, digits and _, not ${JSON.stringify(name)}`,
  );
}

/** An arbitrary number that other users of the database's advisory locks are unlikely to use. */
const advisoryLockId = '7310868735427903';

/**
 * The quoted names of the store's tables, and the statements that create missing ones. Any number
 * of processes can run them at the same time.
 */
export function postgresTables(
  schema?: string,
  prefix = 'clip_host',
): {
  readonly users: string;
  readonly attempts: string;
  readonly creation: string;
  readonly tasks: string;
  readonly taskCreation: string;
} {
  const start = nameOf('prefix', prefix);
  const schemaPrefix = schema === undefined ? '' : `"${nameOf('schema', schema)}".`;
  const [users, attempts] = [`${schemaPrefix}"${start}_user"`, `${schemaPrefix}"${start}_attempt"`];
  const tasks = `${schemaPrefix}"${start}_task"`;
  const newSchema =
    schema === undefined
      ? ''
      : `IF to_regnamespace('"${schema}"') IS NULL THEN CREATE SCHEMA "${schema}"; END IF;`;
  return {
    users,
    attempts,
    tasks,
    // By itself, so that a host of an older version that may not create tables works as before.
    taskCreation: `DO $make$ BEGIN
      IF to_regclass('${tasks}') IS NULL THEN
        PERFORM pg_advisory_xact_lock(${advisoryLockId});
        ${newSchema}
        CREATE TABLE IF NOT EXISTS ${tasks} (
          host_user text COLLATE "C" NOT NULL,
          id text COLLATE "C" NOT NULL,
          started_at double precision NOT NULL,
          task text NOT NULL,
          PRIMARY KEY (host_user, id)
        );
        CREATE INDEX IF NOT EXISTS "${start}_task_of" ON ${tasks} (host_user, started_at, id);
        CREATE INDEX IF NOT EXISTS "${start}_task_started" ON ${tasks} (started_at);
      END IF;
    END $make$`,
    // Check first: a user without the right to create tables may use existing ones. Collation "C":
    // an update of the system's collations cannot break the index. Times are double precision, as
    // in JavaScript.
    creation: `DO $make$ BEGIN
      IF to_regclass('${attempts}') IS NULL OR to_regclass('${users}') IS NULL THEN
        PERFORM pg_advisory_xact_lock(${advisoryLockId});
        ${newSchema}
        CREATE TABLE IF NOT EXISTS ${users} (
          host_user text COLLATE "C" PRIMARY KEY,
          managed_user text,
          making_since double precision
        );
        CREATE TABLE IF NOT EXISTS ${attempts} (
          host_user text COLLATE "C" NOT NULL,
          key text COLLATE "C" NOT NULL,
          request text NOT NULL,
          started_at double precision NOT NULL,
          state text NOT NULL,
          export_id text COLLATE "C",
          PRIMARY KEY (host_user, key)
        );
        CREATE INDEX IF NOT EXISTS "${start}_attempt_started" ON ${attempts} (started_at);
      END IF;
    END $make$`,
  };
}
