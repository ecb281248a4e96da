import { encodeId, type HostStore, keptMs, type RecordName, type StoredRecord } from './store.ts';

export type Value = string | number | null;

export type Ask = <Row>(text: string, values: Value[]) => Promise<Row[]>;

interface Dialect {
  /** Sends a statement, whose values are `$1` and so on. */
  readonly ask: Ask;
  /** Before and after the name of a table; as in {@link sqliteTables} by default. */
  readonly start?: string;
  readonly end?: string;
  readonly skipLocked?: string;
  readonly namespace?: string;
  readonly now?: () => number;
}

/** A value in a statement, with its type, which only Postgres needs. */
export const valueMark = /\$(\d+)(?:::\w+(?: \w+)?)?/g;

/** The number of old rows that a new one removes, so that no request waits for a large cleanup. */
const maxSwept = 100;

type Row = Readonly<Record<string, Value>>;

/** The columns of the records of a kind. */
interface Layout {
  /** The names of the user and of the record of theirs. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  write(record: StoredRecord): Value[];
  read(row: Row): StoredRecord;
}

const layouts: Readonly<Record<RecordName['kind'], Layout>> = {
  // The claim of a creation has no user, and a user no time.
  user: {
    key: ['host_user'],
    columns: ['managed_user', 'making_since'],
    write: ({ at, value }) => [value || null, at || null],
    read: (row) => ({ at: Number(row['making_since']), value: String(row['managed_user'] ?? '') }),
  },
  attempt: {
    key: ['host_user', 'key'],
    columns: ['request', 'state', 'export_id', 'started_at'],
    write: ({ at, value }) => [...(JSON.parse(value) as Value[]), at],
    read: ({ request, state, export_id, started_at }) => ({
      at: Number(started_at),
      value: JSON.stringify([request, state, export_id]),
    }),
  },
  task: {
    key: ['host_user', 'id'],
    columns: ['task', 'started_at'],
    write: ({ at, value }) => [value, at],
    read: ({ task, started_at }) => ({ at: Number(started_at), value: String(task) }),
  },
};

/** A store on SQL: each change is one statement. */
export function createSqlStore({ ask, namespace, now = Date.now, ...dialect }: Dialect): HostStore {
  const { start = 'clip_host', end = '', skipLocked = '' } = dialect;
  const isOne = async (text: string, values: Value[]): Promise<boolean> =>
    (await ask(text, values)).length === 1;
  const tableOf = (kind: RecordName['kind']): string => `${start}_${kind}${end}`;
  const encodeUser = (hostUser: string): Promise<string> =>
    encodeId(namespace === undefined ? hostUser : JSON.stringify([namespace, hostUser]));
  const encodeName = async ({ kind, hostUser, id }: RecordName): Promise<string[]> =>
    kind === 'user'
      ? [await encodeUser(hostUser)]
      : [await encodeUser(hostUser), await encodeId(id)];
  const sweep = async (kind: RecordName['kind']): Promise<void> => {
    if (kind === 'user') return;
    const [table, key] = [tableOf(kind), layouts[kind].key.join(', ')];
    await ask(
      `DELETE FROM ${table} WHERE (${key}) IN (
         SELECT ${key} FROM ${table} WHERE started_at < $1
         ORDER BY started_at LIMIT ${maxSwept} ${skipLocked}
       ) RETURNING 1`,
      [now() - keptMs[kind]],
    );
  };

  return {
    async read(name) {
      const { key, columns, read } = layouts[name.kind];
      const text = `SELECT ${columns.join(', ')} FROM ${tableOf(name.kind)}
        WHERE ${compareKey(key)}`;
      const [row] = await ask<Row>(text, await encodeName(name));
      return row ? read(row) : null;
    },
    async replace(name, from, to) {
      const { key, columns, write } = layouts[name.kind];
      const table = tableOf(name.kind);
      const names = await encodeName(name);
      if (!from) {
        await sweep(name.kind);
        const values = [...names, ...write(to!)];
        return isOne(
          `INSERT INTO ${table} (${[...key, ...columns].join(', ')})
           VALUES (${values.map((_, n) => `$${n + 1}`).join(', ')})
           ON CONFLICT (${key.join(', ')}) DO NOTHING RETURNING 1`,
          values,
        );
      }
      const next = names.length + columns.length + 1;
      const where = `WHERE ${compareKey(key)} AND ${compareValues(columns, names.length + 1)}
        RETURNING 1`;
      const known = [...names, ...write(from)];
      if (!to) return isOne(`DELETE FROM ${table} ${where}`, known);
      const changes = columns.map((column, n) => `${column} = $${next + n}`).join(', ');
      return isOne(`UPDATE ${table} SET ${changes} ${where}`, [...known, ...write(to)]);
    },
    async list({ kind, hostUser, since, after, limit }) {
      const { key, columns, read } = layouts[kind];
      const id = key.at(-1)!;
      const found = await ask<Row>(
        `SELECT ${[id, ...columns].join(', ')} FROM ${tableOf(kind)}
         WHERE host_user = $1 AND started_at >= $2
           AND (started_at, ${id}) < ($3::double precision, $4::text)
         ORDER BY started_at DESC, ${id} DESC LIMIT $5::int`,
        [
          ...[await encodeUser(hostUser), since],
          ...(after ? [after.at, await encodeId(after.id)] : [Number.MAX_SAFE_INTEGER, '']),
          limit,
        ],
      );
      return found.map((row) => ({ id: String(row[id]), ...read(row) }));
    },
  };
}

const compareKey = (key: readonly string[]): string =>
  key.map((column, n) => `${column} = $${n + 1}`).join(' AND ');

/** Compares columns with the values from `$first` on; `=` would find no NULL. */
const compareValues = (columns: readonly string[], first: number): string =>
  columns.map((column, n) => `${column} IS NOT DISTINCT FROM $${first + n}`).join(' AND ');

/** The statements that create the tables. `start` and `end`: around the name of a table. */
export function listTableStatements(
  start: string,
  end: string,
  text: string,
  time: string,
): string[] {
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
