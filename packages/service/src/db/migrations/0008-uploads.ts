import { sql, type Kysely } from 'kysely';

const statements = [
  // A process of an earlier version deletes users and tasks without knowing of uploads.
  `create table uploads (
    id text primary key,
    author_id text not null references users on delete cascade,
    name text not null,
    kind text not null check (kind in ('video', 'subtitles')),
    size double precision not null,
    sha256 text,
    file_key text not null,
    received double precision not null default 0,
    multipart_id text,
    tail_key text,
    holder text,
    held_until timestamptz,
    wanted boolean not null default false,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    finished_at timestamptz
  )`,
  'create index uploads_of_author on uploads (author_id)',
  'create index uploads_by_end on uploads (expires_at)',
  // The parts of a bucket's multipart upload, in their order.
  `create table upload_parts (
    upload_id text not null references uploads on delete cascade,
    number integer not null,
    etag text not null,
    bytes double precision not null,
    primary key (upload_id, number)
  )`,
  `create table upload_uses (
    task_id text not null references tasks on delete cascade,
    field text not null check (field in ('source_video_url', 'subtitles_url')),
    upload_id text not null references uploads on delete cascade,
    primary key (task_id, field)
  )`,
  'create index upload_uses_of_upload on upload_uses (upload_id)',
  'alter table tasks add column picture_key text, add column source_seconds double precision',
  // Whoever waits for a user's list of tasks hears of new ones, and of new and deleted clips.
  `create trigger tell_there after insert on tasks for each row execute function tell_row('task')`,
  `create function tell_task_of_clip() returns trigger language plpgsql as $$
    declare
      changed record;
    begin
      if tg_op = 'DELETE' then changed := old; else changed := new; end if;
      perform pg_notify('clip_changes', 'task ' || changed.task_id || ' ' || changed.author_id);
      return null;
    end $$`,
  `create trigger tell_task after insert or delete on projects for each row
    execute function tell_task_of_clip()`,
];

/** Files that users send, what tasks take of them, and what lists of tasks show. */
export const uploads = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
