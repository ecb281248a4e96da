import { sql, type Kysely } from 'kysely';

const statements = [
  `create table idempotency_keys (
    user_id text not null references users on delete cascade,
    key text not null,
    request_hash text not null,
    made_id text not null,
    created_at timestamptz not null default now(),
    primary key (user_id, key)
  )`,
  'create index idempotency_keys_by_age on idempotency_keys (created_at)',
];

export const idempotencyKeys = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
