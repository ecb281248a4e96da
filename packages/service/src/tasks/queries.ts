import { randomUUID } from 'node:crypto';
import type { Analysis, Span } from 'clip-engine';
import type { Metadata, Note } from 'clip-kit/contract';
import { sql, type SqlBool } from 'kysely';
import { matchAny } from '../db/id.ts';
import { settleTask, type SettledTask, shareBeforePreviews } from '../clips/preview-queries.ts';
import { insertClipRows, type UnsavedClip } from '../clips/queries.ts';
import { type Queue, WorkFailure } from '../queue/queue.ts';
import type { AskedWords, Db, StoredSource, TaskRequest, TaskRow, Trx } from '../db/schema.ts';
import { lockTurns, takeTurns } from '../queue/queries.ts';
import { type AskedUpload, takeUploads } from '../uploads/queries.ts';
import {
  type JobAttempt,
  type Failure,
  lockRow,
  uncounted,
  updateRow,
  writeAs,
} from '../queue/attempt-queries.ts';

/**
 * Makes a task with its folder and its job, and takes its uploads: all of it, or nothing. Throws
 * ApiError for an upload that cannot be used.
 */
export const createTask = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  task: { id: string; authorId: string; request: TaskRequest; uploads: readonly AskedUpload[] },
  /** Locks the user's turns; throws if it may not be made. */
  admit: (trx: Trx) => Promise<void>,
): Promise<TaskRow> =>
  db.transaction().execute(async (trx) => {
    // Before a row of the user is locked: that is the order everywhere.
    await admit(trx);
    const outputId = randomUUID();
    const toFolder = task.request.type === 'video-to-shorts';
    const [turn] = await takeTurns(trx, 'tasks', task.authorId, 1);
    const row = await trx
      .insertInto('tasks')
      .values({
        id: task.id,
        type: task.request.type,
        author_id: task.authorId,
        request: JSON.stringify(task.request),
        output_type: toFolder ? 'folder' : 'project',
        output_id: outputId,
        turn: turn!,
        status: 'processing',
        stage: 'queued',
        share: 0,
        ready_exports: task.request.export_when_ready ? 'asked' : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await takeUploads(trx, task, task.uploads);
    if (toFolder) {
      const { id: task_id, authorId: author_id } = task;
      const folder = { id: outputId, author_id, task_id, name: task.request.name };
      await trx.insertInto('folders').values(folder).execute();
    }
    await queue.send('ingest', row, trx);
    return row;
  });

/** A task of the user, with its request. */
export const readOwnTask = (db: Db, userId: string, id: string): Promise<TaskRow | undefined> =>
  db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id)
    .where('author_id', '=', userId)
    .executeTakeFirst();

/** Returns the state of a task whose files a worker fetches; undefined if it was deleted. */
export const readIngest = (db: Db, id: string) =>
  db
    .selectFrom('tasks')
    .select([
      'status',
      'failure_code',
      'failure_message',
      sql<boolean>`source is not null and (words is null or words ? 'transcriptKey')`.as('fetched'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();

/** The task's source, or its other words, are here: its scan can begin. Throws `AttemptLost`. */
export const passToScan = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  attempt: JobAttempt,
  task: TaskRow,
  values:
    { source: StoredSource; picture_key: string | null; share: number } | { words: AskedWords },
): Promise<void> =>
  writeAs(db, attempt, async (trx) => {
    await updateRow(trx, attempt, {
      ...('words' in values
        ? { words: JSON.stringify(values.words) }
        : {
            ...values,
            source: JSON.stringify(values.source),
            source_seconds: values.source.media.duration,
          }),
      ...uncounted,
      stage: 'queued',
    });
    await queue.send('scan', task, trx);
  });

/** Adds clips to a task, at the end, with the jobs of their previews. The user is locked. */
async function insertClips(
  trx: Trx,
  queue: Pick<Queue, 'send'>,
  task: TaskRow,
  clips: readonly UnsavedClip[],
): Promise<void> {
  if (clips.length === 0) return;
  const { next } = await trx
    .selectFrom('projects')
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
    .where('task_id', '=', task.id)
    .executeTakeFirstOrThrow();
  const turns = await takeTurns(trx, 'projects', task.author_id, clips.length);
  const rows = clips.map((clip, index) => ({ ...clip, turn: turns[index]! }));
  await insertClipRows(trx, task, rows, next);
  for (const { id, turn } of rows) {
    await queue.send('preview', { id, turn, author_id: task.author_id }, trx);
  }
}

/** Adds the first clips of a task whose other clips are still to be found. Throws `AttemptLost`. */
export const addFirstClips = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  attempt: JobAttempt,
  task: TaskRow,
  clips: readonly UnsavedClip[],
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockTurns(trx, task.author_id);
    await lockRow(trx, attempt);
    await insertClips(trx, queue, task, clips);
  });

/**
 * Adds the task's clips, with the present facts of the task and its source, and the jobs of their
 * previews, best clip first. Throws `AttemptLost`.
 * @param task with the request that the clips were made by
 */
export const addClips = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  attempt: JobAttempt,
  task: TaskRow,
  {
    notes,
    analysis,
    failure,
  }: {
    notes: Note[];
    analysis: Analysis | null;
    /** Why the task fails if it has only first clips, and none of them has a preview. */
    failure: Failure;
  },
  /** Returns the clips, and makes room for them. */
  makeRoom: (trx: Trx) => Promise<readonly UnsavedClip[]>,
): Promise<SettledTask> =>
  db.transaction().execute(async (trx) => {
    // The user before the row: that is the order everywhere.
    await lockTurns(trx, task.author_id);
    await lockRow(trx, attempt);
    await updateRow(trx, attempt, {
      request: JSON.stringify(task.request),
      words: null,
      notes: JSON.stringify(notes),
      stage: 'preview',
      share: shareBeforePreviews,
      scanned: true,
    });
    if (analysis) {
      // Not given twice: it is large.
      const replaced = sql<string>`excluded.analysis`;
      await trx
        .insertInto('analyses')
        .values({ task_id: task.id, analysis: JSON.stringify(analysis) })
        .onConflict((row) => row.column('task_id').doUpdateSet({ analysis: replaced }))
        .execute();
    }
    await insertClips(trx, queue, task, await makeRoom(trx));
    await sql`update projects set position = ranked.position
      from (select id, row_number() over (
          order by virality_score desc nulls last, position) - 1 as position
        from projects where task_id = ${task.id}) as ranked
      where projects.id = ranked.id and projects.position <> ranked.position`.execute(trx);
    return settleTask(trx, task.id, failure);
  });

/** The analysis that a task for further clips uses. Throws WorkFailure if it was deleted. */
export async function readFurtherAnalysis(db: Db, { request }: TaskRow): Promise<Analysis> {
  const row = await db
    .selectFrom('analyses')
    .select('analysis')
    .where('task_id', '=', request.source_task_id ?? '')
    .executeTakeFirst();
  if (row) return row.analysis;
  throw new WorkFailure(
    'source-gone',
    'The first clips of this video, or its source, were deleted.',
  );
}

/**
 * Whether a clip stays when its task gets other words: a person has edited, exported, shared or
 * published it.
 */
export const isKept = sql<SqlBool>`(projects.edited_at is not null
  or exists (select from exports where exports.project_id = projects.id)
  or exists (select from exported_clips join users using (organization_id)
    where users.id = projects.author_id and exported_clips.project_id = projects.id)
  or exists (select from share_links where project_id = projects.id and revoked_at is null)
  or exists (select from clip_views where clip_views.project_id = projects.id and views > 0))`;

/** A part of the source that is in a clip. */
interface Taken extends Span {
  topic: string | null;
  /** Whether it is a clip of the task itself. */
  own: boolean;
}

/**
 * The parts of the source that are in clips of the task itself (of one that gets other words, those
 * that stay), of the task that came first, or of other tasks for further ones.
 */
export async function readTakenSpans(
  db: Db,
  { id, author_id: authorId, request, words }: TaskRow,
): Promise<Taken[]> {
  const first = request.further ? (request.source_task_id ?? id) : id;
  // A task whose clips are not known yet has no others.
  const others =
    request.further || words
      ? sql`or (request ->> 'source_task_id' = ${first} and request ? 'further')`
      : sql``;
  const { rows } = await sql<Taken>`
    select (edit -> 'ranges' -> 0 ->> 'start')::float8 as start,
        (edit -> 'ranges' -> -1 ->> 'end')::float8 as "end", topic, tasks.id = ${id} as own
      from projects join tasks on tasks.id = projects.task_id
      where tasks.author_id = ${authorId} and (tasks.id = ${first} ${others})
        ${words ? sql`and (tasks.id <> ${id} or ${isKept})` : sql``}`.execute(db);
  return rows;
}

/** The address that a task's source was fetched from, and the name of the file if it was sent. */
export async function readSourceAddress(
  db: Db,
  id: string,
): Promise<{ address: string; fileName: string | null }> {
  const { request, name } = await db
    .selectFrom('tasks')
    .leftJoin('upload_uses', (join) =>
      join
        .onRef('upload_uses.task_id', '=', 'tasks.id')
        .on('upload_uses.field', '=', 'source_video_url'),
    )
    .leftJoin('uploads', 'uploads.id', 'upload_uses.upload_id')
    .select(['request', 'uploads.name'])
    .where('tasks.id', '=', id)
    .executeTakeFirstOrThrow();
  return { address: request.source_video_url, fileName: name };
}

/** The columns of a row that is worked on, as the API shows it. */
export const workedColumns = [
  'id',
  'author_id',
  'status',
  'stage',
  'share',
  'failure_code',
  'failure_message',
  'notes',
  'created_at',
  'finished_at',
] as const;

const taskColumns = [
  ...workedColumns,
  'stage_detail',
  'type',
  'output_type',
  'output_id',
  'picture_key',
  'metadata',
] as const;

/** The parts of a task that the API shows. */
export interface ShownTask extends Pick<TaskRow, (typeof taskColumns)[number]> {
  name: string;
  source_task_id: string | null;
  /** Null until the source is known. */
  source_seconds: number | null;
  clips: number;
  /** Null unless the task has asked for exports. */
  export_ids: string[] | null;
}

/**
 * A place in a list: of an export that may have been deleted since. Microseconds since 1970, as
 * dates of JavaScript are less exact than the database's.
 */
export interface Place {
  id: string;
  createdMicroseconds: string;
}

export const readShownTasks = (db: Db, ids: readonly string[]): Promise<ShownTask[]> =>
  db
    .selectFrom('tasks')
    .select([
      ...taskColumns,
      sql<string>`request ->> 'name'`.as('name'),
      sql<string | null>`request ->> 'source_task_id'`.as('source_task_id'),
      'source_seconds',
      sql<number>`(select count(*)::int from projects where projects.task_id = tasks.id)`.as(
        'clips',
      ),
      sql<string[] | null>`case when ready_exports is not null then array(
        select export_id from task_exports
          where task_id = tasks.id and export_id is not null order by place) end`.as('export_ids'),
    ])
    .where('id', '=', matchAny(ids))
    .execute();

/** Whether a row comes after a place in a list that has the newest first. */
export const isAfter = (place: Place | undefined) =>
  place
    ? sql<boolean>`(created_at, id) < (
        'epoch'::timestamptz + ${place.createdMicroseconds}::bigint * interval '1 microsecond',
        ${place.id})`
    : sql<boolean>`true`;

/** The place of a row, beside its id. */
export const placeColumn = sql<string>`(extract(epoch from created_at) * 1000000)::bigint::text`.as(
  'createdMicroseconds',
);

/** Which tasks of a user: those that have all pairs of `metadata`. */
export interface TasksQuery {
  userId: string;
  metadata?: Metadata | undefined;
}

/** The places of the user's tasks, newest first. */
export const listTaskPlaces = (
  db: Db,
  { userId, metadata }: TasksQuery,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<Place[]> =>
  db
    .selectFrom('tasks')
    .select(['id', placeColumn])
    .where('author_id', '=', userId)
    .$if(metadata !== undefined, (own) =>
      own.where(sql<SqlBool>`metadata @> ${JSON.stringify(metadata)}::jsonb`),
    )
    .where(isAfter(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** The figures of a user's list of tasks. */
export interface TaskListState {
  all: number;
  /** Tasks that are being processed. */
  open: number;
  /** Tasks whose source is known. */
  known: number;
  clips: number;
}

export async function readTaskListState(db: Db, userId: string): Promise<TaskListState> {
  const { rows } = await sql<TaskListState>`
    select count(*)::int as all, (count(*) filter (where status = 'processing'))::int as open,
        (count(*) filter (where source is not null))::int as known,
        (select count(*)::int from projects where author_id = ${userId}) as clips
      from tasks where author_id = ${userId}`.execute(db);
  return rows[0]!;
}
