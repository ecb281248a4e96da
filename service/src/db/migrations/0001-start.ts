import { sql, type Kysely } from 'kysely';

const statements = [
  `create table organizations (
    id text primary key,
    name text not null,
    plan text not null check (plan in ('free', 'paid')),
    export_allowance integer check (export_allowance >= 0),
    state text not null check (state in ('active', 'paused', 'past_due')),
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
  `create table tasks (
    id text primary key,
    type text not null,
    author_id text not null references users,
    request jsonb not null,
    output_type text not null,
    output_id text not null unique,
    source jsonb,
    status text not null check (status in ('processing', 'ready', 'error')),
    attempts integer not null default 0,
    stage text not null,
    share double precision not null,
    failure_code text,
    failure_message text,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  )`,
  `create table folders (
    id text primary key,
    author_id text not null references users,
    task_id text not null references tasks,
    name text not null,
    created_at timestamptz not null default now()
  )`,
  `create table projects (
    id text primary key,
    author_id text not null references users,
    task_id text not null references tasks,
    folder_id text references folders,
    position integer not null,
    name text not null,
    virality_score double precision,
    virality_score_explanation text,
    plan jsonb not null,
    preview text not null check (preview in ('preparing', 'ready', 'failed')),
    preview_key text,
    poster_key text,
    created_at timestamptz not null default now(),
    unique (task_id, position)
  )`,
  'create index on projects (folder_id)',
  `create table exports (
    id text primary key,
    organization_id text not null references organizations,
    author_id text not null references users,
    project_id text not null references projects,
    folder_id text,
    name text not null,
    duration double precision not null,
    watermark jsonb,
    file_key text,
    status text not null check (status in ('processing', 'ready', 'error')),
    attempts integer not null default 0,
    stage text not null,
    share double precision not null,
    failure_code text,
    failure_message text,
    started_at timestamptz,
    estimated_ready_at timestamptz not null,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  )`,
  'create index on exports (author_id, created_at)',
  'create index on exports (organization_id, project_id)',
  `create index on exports (created_at) where status = 'processing'`,
  `create index on tasks (created_at) where status = 'processing'`,
  'create table settings (name text primary key, value jsonb not null)',
];

export const start = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
