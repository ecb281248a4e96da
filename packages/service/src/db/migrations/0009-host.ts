import { sql, type Kysely } from 'kysely';

const statements = [
  `create table host_sites (
    organization_id text primary key references organizations on delete cascade,
    secrets jsonb not null,
    origins jsonb not null
  )`,
  // Those of the store of clip-host, which would make them itself: a process that serves requests
  // need not have the right to.
  `create table clip_host_user (
    host_user text collate "C" primary key,
    managed_user text,
    making_since double precision
  )`,
  `create table clip_host_attempt (
    host_user text collate "C" not null,
    key text collate "C" not null,
    request text not null,
    started_at double precision not null,
    state text not null,
    export_id text collate "C",
    primary key (host_user, key)
  )`,
  'create index clip_host_attempt_started on clip_host_attempt (started_at)',
  `create table clip_host_task (
    host_user text collate "C" not null,
    id text collate "C" not null,
    started_at double precision not null,
    task text not null,
    primary key (host_user, id)
  )`,
  'create index clip_host_task_of on clip_host_task (host_user, started_at, id)',
  'create index clip_host_task_started on clip_host_task (started_at)',
];

/** The host that the service carries. */
export const host = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
