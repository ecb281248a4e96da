import { sql, type Kysely } from 'kysely';

/** The style that an export was started with, where it named a preset: a later change of the preset does not reach it. */
export const exportStyle = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table exports add column style jsonb').execute(db);
  },
};
