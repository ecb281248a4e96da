import { sql, type Kysely } from 'kysely';

const statements = [
  // When it is sent next. A process that sends it moves this on before: nobody else does then.
  `alter table webhook_deliveries add column next_try_at timestamptz not null default now()`,
  // A receiver that fails is left alone for a while, with all that waits for it.
  `alter table webhooks add column failures integer not null default 0`,
  `alter table webhooks add column resting_until timestamptz`,
];

/** Deliveries are sent from their own table, by turns of their receivers. */
export const deliveriesByTime = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
