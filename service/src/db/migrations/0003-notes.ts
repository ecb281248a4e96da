import { sql, type Kysely } from 'kysely';

/** What could not be done as asked, on tasks, clips and exports. */
export const notes = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['tasks', 'projects', 'exports']) {
      await sql.raw(`alter table ${table} add column notes jsonb`).execute(db);
    }
  },
};
