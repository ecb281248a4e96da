import { sql, type Kysely } from 'kysely';

const statements = [
  `create table files_to_remove (
    prefix text primary key,
    added_at timestamptz not null default now(),
    taken_at timestamptz
  )`,
  'create index files_to_remove_by_age on files_to_remove (added_at)',
  `create function tell_removal() returns trigger language plpgsql as $$
    begin
      perform pg_notify('clip_changes', 'removal - -');
      return null;
    end $$`,
  `create trigger tell_removal after insert on files_to_remove for each statement
    execute function tell_removal()`,
];

/**
 * Files of what was deleted, or of lost attempts, until the store has removed them. Written by the
 * transaction that deletes: a store that is away, or a process that ends, leaves nothing behind.
 */
export const filesToRemove = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
