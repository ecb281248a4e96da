import { sql, type Kysely } from 'kysely';

const statements = [
  'alter table projects add column topic text',
  `create or replace function note_source_use() returns trigger language plpgsql as $$
    begin
      insert into source_uses (task_id, author_id, organization_id, seconds)
        select new.id, users.id, users.organization_id, greatest(0,
            least(
              coalesce((new.source -> 'media' ->> 'duration')::double precision, 0),
              (new.request -> 'source_range' ->> 'end')::double precision
            ) - coalesce((new.request -> 'source_range' ->> 'start')::double precision, 0))
          from users where users.id = new.author_id
        on conflict do nothing;
      return null;
    end $$`,
];

/** Clips say which topic they are about, and only the range of a source that is used counts. */
export const steering = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
