import { sql, type Kysely } from 'kysely';

const statements = [
  // No references: what was used counts for its day, whatever is deleted meanwhile.
  `create table source_uses (
    task_id text primary key,
    author_id text not null,
    organization_id text not null,
    seconds double precision not null,
    known_at timestamptz not null default clock_timestamp()
  )`,
  'create index source_uses_of on source_uses (organization_id, author_id, known_at)',
  `create function note_source_use() returns trigger language plpgsql as $$
    begin
      insert into source_uses (task_id, author_id, organization_id, seconds)
        select new.id, users.id, users.organization_id,
            coalesce((new.source -> 'media' ->> 'duration')::double precision, 0)
          from users where users.id = new.author_id
        on conflict do nothing;
      return null;
    end $$`,
  // A process of an earlier version may fetch the source before it makes the task.
  `create trigger note_source_use after insert or update of source on tasks for each row
    when (new.source is not null) execute function note_source_use()`,
  `insert into source_uses
    select tasks.id, users.id, users.organization_id,
        coalesce((source -> 'media' ->> 'duration')::double precision, 0), tasks.created_at
      from tasks join users on users.id = tasks.author_id
      where source is not null and tasks.created_at > now() - interval '1 day'
    on conflict do nothing`,
];

/**
 * How long the sources were that each user and organization had fetched, for a day: a task that is
 * deleted gives nothing back.
 */
export const sourceUses = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
