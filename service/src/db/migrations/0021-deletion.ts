import { sql, type Kysely } from 'kysely';

const statements = [
  // What was paid for stays counted when it is deleted. No name and no user is kept.
  `create table deleted_exports (
    organization_id text not null references organizations on delete cascade,
    project_id text not null,
    exports integer not null,
    primary key (organization_id, project_id)
  )`,
  'create index if not exists tasks_of_author on tasks (author_id)',
  'create index if not exists projects_of_task on projects (task_id)',
  'create index if not exists folders_of_task on folders (task_id)',
  'create index if not exists exports_of_project on exports (project_id)',
];

export const deletion = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
