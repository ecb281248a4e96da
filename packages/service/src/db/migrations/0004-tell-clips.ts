import { sql, type Kysely } from 'kysely';

/** Whoever makes the preview of a clip hears that the clip was deleted. */
export const tellClips = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create trigger tell_gone after delete on projects for each row
      execute function tell_row('clip')`.execute(db);
  },
};
