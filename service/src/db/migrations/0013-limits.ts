import { sql, type Kysely } from 'kysely';

/** A user's tasks of the last day are counted for each new one. */
export const limits = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('create index on tasks (author_id, created_at)').execute(db);
  },
};
