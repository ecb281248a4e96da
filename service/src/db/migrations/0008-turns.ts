import { sql, type Kysely } from 'kysely';

/** Work begins in the order of its turns, which `db/turns.ts` gives. */
const statements = [
  `alter table organizations add column queue_weight integer not null default 1
    check (queue_weight between 1 and 60)`,
  ...['tasks', 'projects', 'exports'].flatMap((table) => [
    `alter table ${table} add column turn double precision not null default 0`,
    `create index on ${table} (author_id, turn) where status = 'processing'`,
    `create index on ${table} (turn) where status = 'processing' and stage <> 'queued'`,
  ]),
];

export const turns = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
