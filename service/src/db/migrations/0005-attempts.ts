import { sql, type Kysely } from 'kysely';

/** `attempts` only grows, as the fence of each attempt; those given back are counted apart. */
export const attempts = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['tasks', 'exports']) {
      await sql
        .raw(`alter table ${table} add column given_back integer not null default 0`)
        .execute(db);
    }
  },
};
