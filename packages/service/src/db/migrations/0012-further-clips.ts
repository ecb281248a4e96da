import { sql, type Kysely } from 'kysely';

const statement = `create or replace function note_source_use() returns trigger language plpgsql as $$
  begin
    if new.request ? 'further' then
      return null;
    end if;
    insert into source_uses (task_id, author_id, organization_id, seconds)
      select new.id, users.id, users.organization_id, greatest(0,
          least(
            coalesce((new.source -> 'media' ->> 'duration')::double precision, 0),
            (new.request -> 'source_range' ->> 'end')::double precision
          ) - coalesce((new.request -> 'source_range' ->> 'start')::double precision, 0))
        from users where users.id = new.author_id
      on conflict do nothing;
    return null;
  end $$`;

/** Further clips of a source do not use it again: it is neither sent nor scanned. */
export const furtherClips = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(statement).execute(db);
  },
};
