import { sql, type Kysely } from 'kysely';

/** How often a row's work was given back because the machine could not do it. */
export const releases = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['tasks', 'projects', 'exports', 'proxies']) {
      await sql`alter table ${sql.table(table)}
        add column releases integer not null default 0`.execute(db);
    }
  },
};
