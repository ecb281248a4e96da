import { sql } from 'kysely';

/** `created_at` is the database's time, so `finished_at` is too: clocks of machines differ. */
export const databaseNow = sql<Date>`now()`;
