import { sql, type Kysely } from 'kysely';

/** Tries that were under way when a receiver failed are no further failures. */
export const webhookOutages = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table webhooks add column failed_at timestamptz').execute(db);
  },
};
