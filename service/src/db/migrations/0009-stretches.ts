import { sql, type Kysely } from 'kysely';

/** A clip's own piece of the source: where it is kept, and where in the source it begins. */
export const stretches = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table projects add column stretch jsonb`.execute(db);
  },
};
