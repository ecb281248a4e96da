import { sql, type Kysely } from 'kysely';

/** What will be made of a clip is its edit; a `plan` is only what an organization subscribes to. */
export const edit = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table projects rename column plan to edit`.execute(db);
  },
};
