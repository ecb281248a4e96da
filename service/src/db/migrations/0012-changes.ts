import { sql, type Kysely } from 'kysely';

/**
 * Every process hears of a change when it is committed, whoever makes it: `kind id user`. Progress
 * is not told: nobody waits for it, and each notice takes a lock of the whole server.
 */
const statements = [
  `create function tell_row() returns trigger language plpgsql as $$
    declare
      changed record;
    begin
      if tg_op = 'DELETE' then changed := old; else changed := new; end if;
      perform pg_notify('clip_changes', tg_argv[0] || ' ' || changed.id || ' ' || changed.author_id);
      return null;
    end $$`,
  `create trigger tell_settled after update on tasks for each row
    when (old.status <> 'processing' or new.status <> 'processing')
    execute function tell_row('task')`,
  "create trigger tell_gone after delete on tasks for each row execute function tell_row('task')",
  `create trigger tell_settled after update on exports for each row
    when (old.status <> 'processing' or new.status <> 'processing')
    execute function tell_row('export')`,
  `create trigger tell_there after insert or delete on exports for each row
    execute function tell_row('export')`,
  `create function tell_organization() returns trigger language plpgsql as $$
    declare
      changed jsonb;
    begin
      changed := to_jsonb(case when tg_op = 'DELETE' then old else new end);
      perform pg_notify('clip_changes',
        'organization ' || coalesce(changed ->> 'organization_id', changed ->> 'id') || ' -');
      return null;
    end $$`,
  `create trigger tell_changed after update or delete on organizations for each row
    execute function tell_organization()`,
  `create trigger tell_changed after update or delete on users for each row
    execute function tell_organization()`,
  `create trigger tell_changed after update or delete on api_keys for each row
    execute function tell_organization()`,
];

export const changes = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
