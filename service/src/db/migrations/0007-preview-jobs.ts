import { sql, type Kysely } from 'kysely';

/**
 * A preview is worked on like a task or an export, so its row has the same columns. `status` says
 * of it what `preview` says, in the words of the other rows.
 */
const statements = [
  'alter table projects add column attempts integer not null default 0',
  'alter table projects add column given_back integer not null default 0',
  `alter table projects add column stage text not null default 'queued'`,
  'alter table projects add column share double precision not null default 0',
  'alter table projects add column work double precision not null default 0',
  'alter table projects add column looked_ahead boolean not null default false',
  `alter table projects add column status text not null generated always as (
    case preview when 'preparing' then 'processing' when 'ready' then 'ready' else 'error' end
  ) stored`,
  `create index on projects (task_id) where preview = 'preparing'`,
];

export const previewJobs = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
