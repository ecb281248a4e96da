import { sql, type Kysely } from 'kysely';

/**
 * A settled row's message is written with it, or not at all: nobody can forget it, and nothing is
 * sent of a change that is rolled back.
 */
const statements = [
  `create table webhooks (
    organization_id text primary key references organizations on delete cascade,
    url text not null,
    secrets text[] not null,
    origin text not null check (origin in ('environment', 'made')),
    created_at timestamptz not null default now()
  )`,
  `create table webhook_deliveries (
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    type text not null,
    row_id text not null,
    status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
    queued boolean not null default false,
    attempts integer not null default 0,
    response_status integer,
    problem text,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  )`,
  `create index webhook_deliveries_of on webhook_deliveries (organization_id, created_at)`,
  `create index webhook_deliveries_unqueued on webhook_deliveries (created_at) where not queued`,
  `create function note_delivery() returns trigger language plpgsql as $$
    begin
      insert into webhook_deliveries (id, organization_id, type, row_id)
        select 'msg_' || replace(gen_random_uuid()::text, '-', ''), webhooks.organization_id,
            tg_argv[0] || '.' || new.status, new.id
          from users join webhooks on webhooks.organization_id = users.organization_id
          where users.id = new.author_id;
      if found then perform pg_notify('clip_changes', 'delivery ' || new.id || ' -'); end if;
      return null;
    end $$`,
  `create trigger note_delivery after update on tasks for each row
    when (old.status = 'processing' and new.status <> 'processing')
    execute function note_delivery('task')`,
  `create trigger note_delivery after update on exports for each row
    when (old.status = 'processing' and new.status <> 'processing')
    execute function note_delivery('export')`,
];

export const webhooks = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
