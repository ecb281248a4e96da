import { sql, type Kysely } from 'kysely';

/** Whether an organization's clips are private; null: as those of the installation. */
export const privateClips = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw('alter table organizations add column if not exists private_clips boolean')
      .execute(db);
  },
};
