import { sql, type Kysely } from 'kysely';

/** The segments of a preview that is played while it is rendered. */
export const previewStreams = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table projects add column if not exists preview_stream jsonb`.execute(db);
  },
};
