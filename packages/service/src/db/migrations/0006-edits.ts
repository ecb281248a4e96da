import { sql, type Kysely } from 'kysely';

const statements = [
  // Beside the clips, whose rows are read and written often. `basis` is null for a clip of before.
  `create table edits (
    project_id text primary key references projects on delete cascade,
    basis jsonb,
    look jsonb,
    changes jsonb not null default '{}'
  )`,
  `create table edit_revisions (
    project_id text not null references projects on delete cascade,
    revision integer not null,
    changes jsonb not null,
    created_at timestamptz not null,
    primary key (project_id, revision)
  )`,
  // Of a task with a folder, for clips that people add to it.
  `create table analyses (
    task_id text primary key references tasks on delete cascade,
    analysis jsonb not null
  )`,
  'alter table projects add column revision integer not null default 1',
  'alter table projects add column edited_at timestamptz',
  'alter table projects add column preview_due_at timestamptz',
  'alter table projects add column storyboard jsonb',
  // Whoever makes the preview of an earlier revision hears that it is not needed.
  `create trigger tell_edited after update of revision on projects for each row
    execute function tell_row('clip')`,
  'alter table exports add column edit jsonb',
  'alter table exports add column revision integer not null default 1',
  `update exports set edit = projects.edit from projects
    where projects.id = exports.project_id and exports.status = 'processing'`,
];

/** What people change of clips, and what their edits are made from again. */
export const edits = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
