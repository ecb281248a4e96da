import { sql, type Kysely } from 'kysely';

/** The source of a task has come: a client may wait for that while a worker fetches it. */
export const tellSource = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create trigger tell_source after update on tasks for each row
      when (old.source is null and new.source is not null and new.status = 'processing')
      execute function tell_row('task')`.execute(db);
  },
};
