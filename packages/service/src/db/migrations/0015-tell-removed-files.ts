import { sql, type Kysely } from 'kysely';

const statements = [
  `create or replace function tell_removal() returns trigger language plpgsql as $$
    begin
      perform pg_notify('clip_changes', 'removal ' || new.prefix || ' -');
      return null;
    end $$`,
  'drop trigger tell_removal on files_to_remove',
  `create trigger tell_removal after insert on files_to_remove for each row
    execute function tell_removal()`,
];

/** A notice says which files are to be removed: a process may serve the others without a query. */
export const tellRemovedFiles = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
