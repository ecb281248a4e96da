import { sql, type Kysely } from 'kysely';

const organizations = [
  `create table organizations (
    id text primary key,
    name text not null,
    plan text not null check (plan in ('free', 'paid')),
    export_allowance integer check (export_allowance >= 0),
    state text not null check (state in ('active', 'paused', 'past_due')),
    queue_weight integer not null default 1 check (queue_weight between 1 and 60),
    created_at timestamptz not null default now()
  )`,
  `create table users (
    id text primary key,
    organization_id text not null references organizations,
    email text not null unique,
    is_guest boolean not null,
    created_at timestamptz not null default now()
  )`,
  `create table api_keys (
    id text primary key,
    organization_id text not null references organizations,
    hash text not null unique,
    origin text not null check (origin in ('environment', 'made')),
    created_at timestamptz not null default now()
  )`,
  // What an organization has exported is kept as a number: counting its rows at each start takes
  // longer the more it has. What was paid for stays counted when it is deleted; no name and no
  // user is kept. Not columns of the organization: each of its changes empties the caches of
  // every process.
  `create table exported_clips (
    organization_id text not null references organizations on delete cascade,
    project_id text not null,
    primary key (organization_id, project_id)
  )`,
  `create table export_counts (
    organization_id text primary key references organizations on delete cascade,
    exports integer not null,
    clips integer not null
  )`,
  `create table idempotency_keys (
    user_id text not null references users on delete cascade,
    key text not null,
    request_hash text not null,
    made_id text not null,
    created_at timestamptz not null default now(),
    primary key (user_id, key)
  )`,
  'create index idempotency_keys_by_age on idempotency_keys (created_at)',
  'create table settings (name text primary key, value jsonb not null)',
];

/** The columns of a row that is worked on; `attempts` only grows, as the fence of each attempt. */
const worked = `
    attempts integer not null default 0,
    releases integer not null default 0,
    turn double precision not null default 0,
    work double precision not null default 0,
    notes jsonb`;

const settled = `
    status text not null check (status in ('processing', 'ready', 'error')),
    stage text not null,
    share double precision not null,
    failure_code text,
    failure_message text,
    finished_at timestamptz,
    created_at timestamptz not null default now()`;

const work = [
  `create table tasks (
    id text primary key,
    type text not null,
    author_id text not null references users,
    request jsonb not null,
    output_type text not null,
    output_id text not null unique,
    source jsonb,${worked},${settled}
  )`,
  `create table folders (
    id text primary key,
    author_id text not null references users,
    task_id text not null references tasks,
    name text not null,
    created_at timestamptz not null default now()
  )`,
  // `status` says of a preview what `preview` says, in the words of the other rows.
  `create table projects (
    id text primary key,
    author_id text not null references users,
    task_id text not null references tasks,
    folder_id text references folders,
    position integer not null,
    name text not null,
    virality_score double precision,
    virality_score_explanation text,
    edit jsonb not null,
    stretch jsonb,
    looked_ahead boolean not null default false,
    preview text not null check (preview in ('preparing', 'ready', 'failed')),
    preview_key text,
    poster_key text,
    stage text not null default 'queued',
    share double precision not null default 0,
    status text not null generated always as (
      case preview when 'preparing' then 'processing' when 'ready' then 'ready' else 'error' end
    ) stored,
    created_at timestamptz not null default now(),${worked},
    unique (task_id, position)
  )`,
  `create table exports (
    id text primary key,
    organization_id text not null references organizations,
    author_id text not null references users,
    project_id text not null references projects,
    folder_id text,
    name text not null,
    duration double precision not null,
    watermark jsonb,
    style jsonb,
    file_key text,
    copied boolean not null default false,
    started_at timestamptz,
    share_at timestamptz,
    estimated_ready_at timestamptz not null,${worked},${settled}
  )`,
  'create index on projects (folder_id)',
  `create index on projects (task_id) where preview = 'preparing'`,
  'create index projects_of_task on projects (task_id)',
  'create index on exports (author_id, created_at)',
  'create index on exports (organization_id, project_id)',
  `create index on exports (created_at) where status = 'processing'`,
  'create index exports_of_project on exports (project_id)',
  `create index on tasks (created_at) where status = 'processing'`,
  'create index on tasks (author_id, created_at)',
  'create index tasks_of_author on tasks (author_id)',
  'create index folders_of_task on folders (task_id)',
  // Work begins in the order of its turns, which `takeTurns` gives.
  ...['tasks', 'projects', 'exports'].flatMap((table) => [
    `create index on ${table} (author_id, turn) where status = 'processing'`,
    `create index on ${table} (turn) where status = 'processing' and stage <> 'queued'`,
  ]),
];

/**
 * Every process hears of a change when it is committed, whoever makes it: `kind id user`. Progress
 * is not told: nobody waits for it, and each notice takes a lock of the whole server.
 */
const notices = [
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
  // A client may wait for the source while a worker fetches it.
  `create trigger tell_source after update on tasks for each row
    when (old.source is null and new.source is not null and new.status = 'processing')
    execute function tell_row('task')`,
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
  ...['organizations', 'users', 'api_keys'].map(
    (table) => `create trigger tell_changed after update or delete on ${table} for each row
      execute function tell_organization()`,
  ),
];

/**
 * A settled row's message is written with it, or not at all: nobody can forget it, and nothing is
 * sent of a change that is rolled back.
 */
const webhooks = [
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
  ...['tasks', 'exports'].map(
    (table) => `create trigger note_delivery after update on ${table} for each row
      when (old.status = 'processing' and new.status <> 'processing')
      execute function note_delivery('${table.slice(0, -1)}')`,
  ),
];

/** All tables as of the first version. */
export const tables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...organizations, ...work, ...notices, ...webhooks]) {
      await sql.raw(statement).execute(db);
    }
  },
};
