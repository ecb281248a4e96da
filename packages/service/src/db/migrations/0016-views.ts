import { sql, type Kysely } from 'kysely';

const statements = [
  // How often clips were watched: counts alone, no row of a visitor.
  `create table if not exists clip_views (
    project_id text primary key references projects on delete cascade,
    views integer not null default 0,
    muted integer not null default 0,
    marks integer[] not null default '{}',
    places jsonb not null default '{}'
  )`,
  // What an address has added in the last minute.
  `create table if not exists view_visits (
    project_id text not null references projects on delete cascade,
    visitor text not null,
    begun boolean not null default false,
    marks integer[] not null default '{}',
    ends_at timestamptz not null,
    primary key (project_id, visitor)
  )`,
  'create index if not exists view_visits_ended on view_visits (ends_at)',
];

/** What visitors watch of clips. */
export const views = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
