import { sql, type Kysely } from 'kysely';

/** The style of the preset that an export was started with: a later change does not reach it. */
export const exportStyle = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table exports add column style jsonb').execute(db);
  },
};
