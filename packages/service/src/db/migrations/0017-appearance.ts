import { sql, type Kysely } from 'kysely';

const statements = [
  // What an organization wants its pages to look like.
  `create table if not exists appearances (
    organization_id text primary key references organizations on delete cascade,
    value jsonb not null
  )`,
  `create table if not exists style_presets (
    organization_id text not null references organizations on delete cascade,
    id text not null,
    name text not null,
    description text not null,
    style jsonb not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  // A deleted font stays for a while, for exports that were started with it.
  `create table if not exists fonts (
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    family text not null,
    weight text not null,
    bytes integer not null,
    file_key text not null,
    created_at timestamptz not null default now(),
    deleted_at timestamptz
  )`,
  `create unique index if not exists fonts_family on fonts (organization_id, lower(family), weight)
    where deleted_at is null`,
];

/** An organization's look, caption styles and fonts. */
export const appearance = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
