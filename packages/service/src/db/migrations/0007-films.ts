import { sql, type Kysely } from 'kysely';

const statements = [
  `create table films (
    id text primary key references projects on delete cascade,
    author_id text not null,
    span jsonb not null,
    made jsonb,
    status text not null,
    stage text not null,
    share double precision not null,
    failure_code text,
    failure_message text,
    notes jsonb,
    attempts integer not null default 0,
    releases integer not null default 0,
    turn double precision not null default 0,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  )`,
  // As those of the other rows that are worked on.
  `create index on films (author_id, turn) where status = 'processing'`,
  `create index on films (turn) where status = 'processing' and stage <> 'queued'`,
];

/** What the editor shows of the sources of clips. */
export const films = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
