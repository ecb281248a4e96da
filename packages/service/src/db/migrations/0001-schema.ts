import { sql, type Kysely } from 'kysely';

const organizations = [
  `create table organizations (
    id text primary key,
    name text not null,
    plan text not null check (plan in ('free', 'paid')),
    export_allowance integer check (export_allowance >= 0),
    state text not null check (state in ('active', 'paused', 'past_due')),
    queue_weight integer not null default 1 check (queue_weight between 1 and 60),
    private_clips boolean,
    muted_words jsonb,
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
  // The exports of an organization are stored as a count: counting its rows at each start takes
  // longer the more it has. What was paid for stays counted when it is deleted; no name and no
  // user is stored. Not columns of the organization: each of its changes empties the caches of
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
  // How long the sources were that each user and organization had fetched, for a day. No
  // references: a task that is deleted gives nothing back.
  `create table source_uses (
    task_id text primary key,
    author_id text not null,
    organization_id text not null,
    seconds double precision not null,
    known_at timestamptz not null default clock_timestamp()
  )`,
  'create index source_uses_of on source_uses (organization_id, author_id, known_at)',
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

const appearance = [
  `create table appearances (
    organization_id text primary key references organizations on delete cascade,
    value jsonb not null
  )`,
  `create table style_presets (
    organization_id text not null references organizations on delete cascade,
    id text not null,
    name text not null,
    description text not null,
    style jsonb not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  // A deleted font stays for a while, for exports that were started with it.
  `create table fonts (
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    family text not null,
    weight text not null,
    bytes integer not null,
    file_key text not null,
    created_at timestamptz not null default now(),
    deleted_at timestamptz
  )`,
  // Deleted media stays as long as a clip has it.
  `create table media (
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    kind text not null,
    name text not null,
    seconds double precision not null,
    bytes integer not null,
    file_key text not null,
    created_at timestamptz not null default now(),
    deleted_at timestamptz
  )`,
  'create index media_of on media (organization_id)',
  `create unique index fonts_family on fonts (organization_id, lower(family), weight)
    where deleted_at is null`,
];

/** The columns of all rows that jobs work on; `attempts` only grows: it is the fence. */
const attempted = `
    attempts integer not null default 0,
    uncounted_attempts integer not null default 0,
    releases integer not null default 0,
    turn double precision not null default 0,
    notes jsonb`;

const settled = `
    stage text not null,
    share double precision not null,
    failure_code text,
    failure_message text,
    finished_at timestamptz,
    created_at timestamptz not null default now()`;

const status = `status text not null check (status in ('processing', 'ready', 'error'))`;
const work = 'work double precision not null default 0';

const tasks = [
  `create table tasks (
    id text primary key,
    type text not null,
    author_id text not null references users,
    request jsonb not null,
    output_type text not null,
    output_id text not null unique,
    source jsonb,
    source_seconds double precision,
    picture_key text,
    scanned boolean not null default false,
    words jsonb,
    ready_exports text check (ready_exports in ('asked', 'chosen', 'started', 'done')),
    metadata jsonb generated always as (request -> 'metadata') stored,
    ${work},${attempted},
    ${status},${settled},
    stage_detail jsonb
  )`,
  `create index on tasks (created_at) where status = 'processing'`,
  'create index on tasks (author_id, created_at)',
  'create index tasks_of_author on tasks (author_id)',
  `create index tasks_by_metadata on tasks using gin (metadata jsonb_path_ops)
    where metadata is not null`,
  `create index tasks_to_export on tasks (id) where ready_exports <> 'done'`,
  // Of a task with a folder, for clips that people add to it. Not jsonb: it has 4 MB for five
  // hours, is only read as a whole, and the built-in database keeps the memory that its parts need.
  `create table analyses (
    task_id text primary key references tasks on delete cascade,
    analysis json not null
  )`,
  `create table folders (
    id text primary key,
    author_id text not null references users,
    task_id text not null references tasks,
    name text not null,
    created_at timestamptz not null default now()
  )`,
  'create index folders_of_task on folders (task_id)',
];

const clips = [
  // `status` says of a preview what `preview` says, in the words of the other rows.
  `create table projects (
    id text primary key,
    author_id text not null references users,
    task_id text not null references tasks,
    folder_id text references folders,
    position integer not null,
    name text not null,
    made_name text,
    topic text,
    titles jsonb,
    description text,
    tags jsonb,
    virality_score double precision,
    virality_score_explanation text,
    edit jsonb not null,
    revision integer not null default 1,
    edited_at timestamptz,
    segment jsonb,
    analysed_ahead boolean not null default false,
    preview text not null check (preview in ('preparing', 'ready', 'failed')),
    preview_due_at timestamptz,
    preview_key text,
    preview_stream jsonb,
    poster_key text,
    storyboard jsonb,
    stage text not null default 'queued',
    share double precision not null default 0,
    status text not null generated always as (
      case preview when 'preparing' then 'processing' when 'ready' then 'ready' else 'error' end
    ) stored,
    created_at timestamptz not null default now(),
    ${work},${attempted},
    unique (task_id, position) deferrable
  )`,
  'create index on projects (folder_id)',
  `create index on projects (task_id) where preview = 'preparing'`,
  'create index projects_of_task on projects (task_id)',
  ...['music', 'intro', 'outro'].map(
    (place) => `create index projects_by_${place} on projects ((edit -> '${place}' ->> 'id'))
      where edit -> '${place}' ->> 'id' is not null`,
  ),
  // Beside the clips, whose rows are read and written often.
  `create table edits (
    project_id text primary key references projects on delete cascade,
    inputs jsonb not null,
    analysis jsonb,
    changes jsonb not null default '{}'
  )`,
  `create table edit_revisions (
    project_id text not null references projects on delete cascade,
    revision integer not null,
    changes jsonb not null,
    created_at timestamptz not null,
    primary key (project_id, revision)
  )`,
  // What the editor shows of the source of a clip, whose id it has.
  `create table proxies (
    id text primary key references projects on delete cascade,
    author_id text not null,
    span jsonb not null,
    made jsonb,${attempted},
    status text not null,${settled}
  )`,
  // How often clips were watched: only counts, without a row of a visitor.
  `create table clip_views (
    project_id text primary key references projects on delete cascade,
    views integer not null default 0,
    muted integer not null default 0,
    marks integer[] not null default '{}',
    places jsonb not null default '{}'
  )`,
  // What an address has added in the last minute.
  `create table view_visits (
    project_id text not null references projects on delete cascade,
    visitor text not null,
    begun boolean not null default false,
    marks integer[] not null default '{}',
    ends_at timestamptz not null,
    primary key (project_id, visitor)
  )`,
  'create index view_visits_ended on view_visits (ends_at)',
  // Who has the key, of which only the hash is here, may see a clip, or all clips of a folder.
  `create table share_links (
    id text primary key,
    author_id text not null references users on delete cascade,
    project_id text references projects on delete cascade,
    folder_id text references folders on delete cascade,
    hash text not null,
    download boolean not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz not null default now(),
    check (num_nonnulls(project_id, folder_id) = 1)
  )`,
  'create index on share_links (project_id)',
  'create index on share_links (folder_id)',
  'create index on share_links (author_id)',
];

const exports = [
  `create table exports (
    id text primary key,
    organization_id text not null references organizations,
    author_id text not null references users,
    project_id text not null references projects,
    folder_id text,
    name text not null,
    description text,
    tags jsonb,
    duration double precision not null,
    watermark jsonb,
    style jsonb,
    edit jsonb not null,
    revision integer not null default 1,
    file_key text,
    cover_key text,
    copied boolean not null default false,
    started_at timestamptz,
    share_at timestamptz,
    estimated_ready_at timestamptz not null,
    ${work},${attempted},
    ${status},${settled}
  )`,
  'create index on exports (author_id, created_at)',
  'create index on exports (organization_id, project_id)',
  `create index on exports (created_at) where status = 'processing'`,
  'create index exports_of_project on exports (project_id)',
  // The clips that a task has exported when they are ready. An export is claimed here by the
  // transaction that makes it: none is made, and paid, twice.
  `create table task_exports (
    task_id text not null references tasks on delete cascade,
    project_id text not null references projects on delete cascade,
    place integer not null,
    export_id text unique,
    primary key (task_id, project_id)
  )`,
  'create index task_exports_of_project on task_exports (project_id)',
];

/** Work begins in the order of its turns, which `takeTurns` gives. */
const turns = ['tasks', 'projects', 'exports', 'proxies'].flatMap((table) => [
  `create index on ${table} (author_id, turn) where status = 'processing'`,
  `create index on ${table} (turn) where status = 'processing' and stage <> 'queued'`,
]);

const files = [
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
  // Files of what was deleted, or of lost attempts, until the store has removed them. Written by
  // the transaction that deletes: a store that is away, or a process that ends, leaves nothing
  // behind.
  `create table files_to_remove (
    prefix text primary key,
    added_at timestamptz not null default now(),
    taken_at timestamptz
  )`,
  'create index files_to_remove_by_age on files_to_remove (added_at)',
];

const host = [
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

const webhooks = [
  // A receiver that fails gets nothing for a while; all its deliveries wait. The one that the
  // operator sets has the id of its organization. One has the secrets for the addresses of tasks.
  `create table webhooks (
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    url text not null,
    events text[] not null default '{*}',
    enabled boolean not null default true,
    description text not null default '',
    secrets text[] not null,
    previous_secret_until timestamptz,
    failures integer not null default 0,
    failed_at timestamptz,
    resting_until timestamptz,
    origin text not null check (origin in ('environment', 'made', 'api', 'task')),
    created_at timestamptz not null default now()
  )`,
  'create index webhooks_of on webhooks (organization_id)',
  // A process that sends a delivery first moves `next_try_at` on: then no other process sends it.
  `create table webhook_deliveries (
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    webhook_id text not null,
    task_url text,
    type text not null,
    row_id text not null,
    status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
    attempts integer not null default 0,
    next_try_at timestamptz not null default now(),
    response_status integer,
    problem text,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  )`,
  `create index webhook_deliveries_of on webhook_deliveries (organization_id, created_at)`,
  `create index webhook_deliveries_to on webhook_deliveries (webhook_id, created_at)`,
];

/**
 * Statements for the rows that are written with another row, in the same transaction, or not at
 * all: no writer can forget it, and nothing is sent of a change that is rolled back.
 */
const written = [
  // Only the range of a source that is used counts. Further clips of a source do not use it again:
  // it is neither sent nor scanned.
  `create function note_source_use() returns trigger language plpgsql as $$
    begin
      if new.request ? 'further' then
        return null;
      end if;
      insert into source_uses (task_id, author_id, organization_id, seconds)
        select new.id, users.id, users.organization_id, greatest(0,
            least(
              coalesce((new.source -> 'media' ->> 'duration')::double precision, 0),
              (new.request -> 'source_range' ->> 'end')::double precision
            ) - coalesce((new.request -> 'source_range' ->> 'start')::double precision, 0))
          from users where users.id = new.author_id
        on conflict do nothing;
      return null;
    end $$`,
  `create trigger note_source_use after insert or update of source on tasks for each row
    when (new.source is not null) execute function note_source_use()`,
  `create function note_delivery() returns trigger language plpgsql as $$
    declare
      event text := tg_argv[0] || '.' || coalesce(tg_argv[1], new.status);
      noted boolean;
      url_of_task text;
    begin
      insert into webhook_deliveries (id, organization_id, webhook_id, type, row_id)
        select 'msg_' || replace(gen_random_uuid()::text, '-', ''), webhooks.organization_id,
            webhooks.id, event, new.id
          from users join webhooks on webhooks.organization_id = users.organization_id
          where users.id = new.author_id and enabled and events && array['*', event];
      noted := found;
      if tg_argv[0] = 'task' then
        url_of_task := new.request ->> 'webhook_url';
      else
        select tasks.request ->> 'webhook_url' into url_of_task
          from projects join tasks on tasks.id = projects.task_id
          where projects.id = new.project_id;
      end if;
      if url_of_task is not null then
        insert into webhook_deliveries (id, organization_id, webhook_id, task_url, type, row_id)
          select 'msg_' || replace(gen_random_uuid()::text, '-', ''), webhooks.organization_id,
              webhooks.id, url_of_task, event, new.id
            from users join webhooks on webhooks.organization_id = users.organization_id
            where users.id = new.author_id and origin = 'task';
        noted := noted or found;
      end if;
      if noted then perform pg_notify('clip_changes', 'delivery ' || new.id || ' -'); end if;
      return null;
    end $$`,
  ...['tasks', 'exports'].map(
    (table) => `create trigger note_delivery after update on ${table} for each row
      when (old.status = 'processing' and new.status <> 'processing')
      execute function note_delivery('${table.slice(0, -1)}')`,
  ),
  `create trigger note_exports after update on tasks for each row
    when (old.ready_exports = 'started' and new.ready_exports = 'done')
    execute function note_delivery('task', 'exports_ready')`,
];

/**
 * Every process is notified of a change when it is committed, whichever process makes it: `kind id
 * user`. Progress is not announced: no request waits for it, and each notice takes a lock of the
 * whole server.
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
  // A client may wait for the list of tasks.
  `create trigger tell_there after insert on tasks for each row execute function tell_row('task')`,
  `create trigger tell_settled after update on tasks for each row
    when (old.status <> 'processing' or new.status <> 'processing')
    execute function tell_row('task')`,
  "create trigger tell_gone after delete on tasks for each row execute function tell_row('task')",
  // A client may wait for the source while a worker fetches it.
  `create trigger tell_source after update on tasks for each row
    when (old.source is null and new.source is not null and new.status = 'processing')
    execute function tell_row('task')`,
  // Or for subtitles.
  `create trigger tell_words after update on tasks for each row
    when (new.words is distinct from old.words and new.status = 'processing')
    execute function tell_row('task')`,
  `create trigger tell_there after insert or delete on exports for each row
    execute function tell_row('export')`,
  `create trigger tell_settled after update on exports for each row
    when (old.status <> 'processing' or new.status <> 'processing')
    execute function tell_row('export')`,
  // A worker that makes the preview of a clip, or of an earlier revision, need not go on.
  `create trigger tell_edited after update of revision on projects for each row
    execute function tell_row('clip')`,
  `create trigger tell_gone after delete on projects for each row
    execute function tell_row('clip')`,
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
  // The task shows the exports that it has asked for.
  `create function tell_task_of_export() returns trigger language plpgsql as $$
    begin
      perform pg_notify('clip_changes', 'task ' || new.task_id || ' -');
      return null;
    end $$`,
  `create trigger tell_task after update on task_exports for each row
    execute function tell_task_of_export()`,
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
  // A process may serve all other files without a query.
  `create function tell_removal() returns trigger language plpgsql as $$
    begin
      perform pg_notify('clip_changes', 'removal ' || new.prefix || ' -');
      return null;
    end $$`,
  `create trigger tell_removal after insert on files_to_remove for each row
    execute function tell_removal()`,
];

/** All tables as of the first release. */
export const schema = {
  async up(db: Kysely<unknown>): Promise<void> {
    const tables = [organizations, appearance, tasks, clips, exports, turns, files, host, webhooks];
    for (const statement of [...tables, written, notices].flat()) {
      await sql.raw(statement).execute(db);
    }
  },
};
