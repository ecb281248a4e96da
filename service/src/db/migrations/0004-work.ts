import { sql, type Kysely } from 'kysely';

/** What estimates are made of: how much work a row is, and when its share was true. */
const statements = [
  'alter table exports add column work double precision not null default 0',
  'alter table exports add column copied boolean not null default false',
  'alter table exports add column share_at timestamptz',
  'alter table tasks add column work double precision not null default 0',
];

export const work = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
