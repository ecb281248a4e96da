import { sql, type Kysely } from 'kysely';

const statements = [
  // What an organization has exported is kept as a number: counting its rows at each start takes
  // longer the more it has. No name and no user is kept.
  `create table exported_clips (
    organization_id text not null references organizations on delete cascade,
    project_id text not null,
    primary key (organization_id, project_id)
  )`,
  `insert into exported_clips (organization_id, project_id)
    select organization_id, project_id from exports
    union select organization_id, project_id from deleted_exports`,
  // Not columns of the organization: each of its changes empties the caches of every process.
  `create table export_counts (
    organization_id text primary key references organizations on delete cascade,
    exports integer not null,
    clips integer not null
  )`,
  `insert into export_counts (organization_id, exports, clips)
    select id,
        (select count(*) from exports where organization_id = organizations.id)
          + (select coalesce(sum(exports), 0) from deleted_exports
              where organization_id = organizations.id),
        (select count(*) from exported_clips where organization_id = organizations.id)
      from organizations`,
  'drop table deleted_exports',
];

export const exportCounts = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
