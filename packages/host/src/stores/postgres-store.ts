import { type Ask, createSqlStore, listTableStatements, type Value } from './sql-store.ts';
import { type HostStore, storeFailure } from './store.ts';

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

/** Postgres cuts names at 63 bytes, so this leaves room for the suffixes. */
function checkName(what: string, name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(name)) return name;
  throw new TypeError(
    `postgresStore: ${what} must be a name of 1 to 40 letters, digits and _, not ${JSON.stringify(name)}`,
  );
}

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
