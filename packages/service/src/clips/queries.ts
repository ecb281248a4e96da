import type { Analysis, EditInputs, Edit, FramingAnalysis } from 'clip-engine';
import type { EditChanges, Note } from 'clip-kit/contract';
import { sql } from 'kysely';
import { makeUnprocessableError } from '../api-error.ts';
import type {
  Db,
  StoredStoryboard,
  StoredStream,
  StoredSegment,
  ProjectRow,
  TaskRow,
  Trx,
} from '../db/schema.ts';
import type { Queue } from '../queue/queue.ts';
import { lockTask } from './preview-queries.ts';
import { lockTurns, takeTurns } from '../queue/queries.ts';
import { makeClipTexts, type ClipTexts } from './post-texts.ts';

/** A folder of the user's; undefined for another's. */
export const findFolder = (
  db: Db,
  userId: string,
  id: string,
): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('folders')
    .select('id')
    .where('id', '=', id)
    .where('author_id', '=', userId)
    .executeTakeFirst();

/** A clip, with how often it was watched. */
export type WatchedClip = ProjectRow & { readonly views: number };

const views =
  sql<number>`coalesce((select views from clip_views where project_id = projects.id), 0)`.as(
    'views',
  );

/** The folder's clips, best first. */
export const listClips = (db: Db, folderId: string): Promise<WatchedClip[]> =>
  db
    .selectFrom('projects')
    .selectAll()
    .select(views)
    .where('folder_id', '=', folderId)
    .orderBy('position')
    .execute();

/** A folder's id, null for a clip without one, or undefined for either. */
type FolderId = string | null | undefined;

export const selectOwnClip = (db: Db, userId: string, id: string, folderId: FolderId) =>
  db
    .selectFrom('projects')
    .selectAll('projects')
    .where('projects.id', '=', id)
    .where('projects.author_id', '=', userId)
    .$if(folderId !== undefined, (own) =>
      own.where('folder_id', 'is not distinct from', folderId!),
    );

/** A clip of the user's in the folder; undefined for another's. */
export const findWatchedClip = (
  db: Db,
  userId: string,
  id: string,
  folderId?: FolderId,
): Promise<WatchedClip | undefined> =>
  selectOwnClip(db, userId, id, folderId).select(views).executeTakeFirst();

/** A clip with the source that it is rendered from. */
export type ClipWithSource = ProjectRow & Pick<TaskRow, 'source'>;

/** The same as {@link findWatchedClip} for a clip that is to be exported. */
export const findClip = (
  db: Db,
  userId: string,
  id: string,
  folderId?: FolderId,
): Promise<ClipWithSource | undefined> =>
  selectOwnClip(db, userId, id, folderId)
    .innerJoin('tasks', 'tasks.id', 'projects.task_id')
    .select('tasks.source')
    .executeTakeFirst();

/**
 * Locks and returns the source of a clip's render, as it is now; undefined if the clip was deleted.
 * Until the end of the transaction neither is removed. The user must be locked before, as
 * everywhere.
 */
export const lockRenderSource = (
  trx: Trx,
  id: string,
): Promise<Pick<ClipWithSource, 'source' | 'segment'> | undefined> =>
  trx
    .selectFrom('projects')
    .innerJoin('tasks', 'tasks.id', 'projects.task_id')
    .select(['tasks.source', 'projects.segment'])
    .where('projects.id', '=', id)
    .forShare('tasks')
    .forKeyShare('projects')
    .executeTakeFirst();

/** A clip before it has a row. A whole video has neither score nor explanation. */
export interface UnsavedClip {
  id: string;
  name: string;
  score: number | null;
  explanation: string | null;
  topic?: string | undefined;
  edit: Edit;
  inputs: EditInputs;
  /** The analysis of the pictures, and the changes, for a copy. */
  analysis?: FramingAnalysis | null;
  changes?: EditChanges;
  notes: Note[];
  /** The analysis and the preview, in processor seconds of a plain machine. */
  work: number;
  segment: StoredSegment | null;
  /** Storage key of the poster until the preview is ready. */
  posterKey: string | null;
}

/** The columns of a clip's texts. */
export const makeTextColumns = ({ tags, ...texts }: ClipTexts) => ({
  ...texts,
  tags: JSON.stringify(tags),
});

export async function insertClipRows(
  trx: Trx,
  task: TaskRow,
  clips: readonly (UnsavedClip & { turn: number })[],
  /** The place of the first one in the list. */
  from = 0,
): Promise<void> {
  await trx
    .insertInto('projects')
    .values(
      clips.map((clip, index) => ({
        id: clip.id,
        author_id: task.author_id,
        task_id: task.id,
        folder_id: task.output_type === 'folder' ? task.output_id : null,
        position: from + index,
        titles: JSON.stringify(clip.inputs.post.titles),
        ...makeTextColumns(makeClipTexts(clip, clip.changes ?? {})),
        virality_score: clip.score,
        virality_score_explanation: clip.explanation,
        topic: clip.topic ?? null,
        edit: JSON.stringify(clip.edit),
        preview: 'preparing' as const,
        poster_key: clip.posterKey,
        work: clip.work,
        segment: clip.segment && JSON.stringify(clip.segment),
        turn: clip.turn,
        notes: JSON.stringify(clip.notes),
      })),
    )
    .execute();
  await trx
    .insertInto('edits')
    .values(
      clips.map(({ id, inputs, analysis, changes = {} }) => ({
        project_id: id,
        inputs: JSON.stringify(inputs),
        analysis: analysis ? JSON.stringify(analysis) : null,
        changes: JSON.stringify(changes),
      })),
    )
    .execute();
}

/** The parts of a clip that the player and the embed page show. */
export interface Playable {
  authorId: string;
  organizationId: string;
  /** The organization's setting; null: none. */
  privateClips: boolean | null;
  state: 'preparing' | 'ready' | 'failed';
  name: string;
  score: number | null;
  explanation: string | null;
  /** Output size in pixels. */
  width: number;
  height: number;
  /** Null while there is no clip. */
  edit: Edit | null;
  /** Storage key; null until the preview is ready. */
  previewKey: string | null;
  /** Storage key; null while there is no clip. */
  posterKey: string | null;
  /** The part of the preview that can, or could, be played before it is ready. */
  stream: StoredStream | null;
  /** Null until the preview is ready. */
  storyboard: StoredStoryboard | null;
  /** Why it failed, for a person. */
  message: string | null;
}

/** The missing values of a clip that is only promised. */
const unmade = {
  ...{ score: null, explanation: null, edit: null },
  ...{ previewKey: null, posterKey: null, stream: null, storyboard: null },
};

/** A clip, or one that a video-to-video task has promised; undefined if there is neither. */
export const findPlayable = async (db: Db, id: string): Promise<Playable | undefined> =>
  (await findPlayableClip(db, id)) ?? (await findPromisedClip(db, id));

async function findPlayableClip(db: Db, id: string): Promise<Playable | undefined> {
  const clip = await db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.author_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['author_id', 'organization_id', 'private_clips', 'projects.name'])
    .select(['virality_score', 'virality_score_explanation', 'edit', 'preview', 'preview_key'])
    .select(['poster_key', 'preview_stream', 'storyboard'])
    .where('projects.id', '=', id)
    .executeTakeFirst();
  return (
    clip && {
      authorId: clip.author_id,
      organizationId: clip.organization_id,
      privateClips: clip.private_clips,
      // An earlier preview plays until the next one is ready.
      state: clip.preview_key === null ? clip.preview : 'ready',
      name: clip.name,
      score: clip.virality_score,
      explanation: clip.virality_score_explanation,
      ...clip.edit.dimensions,
      edit: clip.edit,
      previewKey: clip.preview_key,
      posterKey: clip.poster_key,
      stream: clip.preview_stream,
      storyboard: clip.storyboard,
      message: null,
    }
  );
}

async function findPromisedClip(db: Db, id: string): Promise<Playable | undefined> {
  const task = await db
    .selectFrom('tasks')
    .innerJoin('users', 'users.id', 'tasks.author_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['author_id', 'organization_id', 'private_clips'])
    .select(['request', 'status', 'failure_message'])
    .where('output_id', '=', id)
    .where('output_type', '=', 'project')
    .executeTakeFirst();
  return (
    task && {
      authorId: task.author_id,
      organizationId: task.organization_id,
      privateClips: task.private_clips,
      state: task.status === 'error' ? 'failed' : 'preparing',
      name: task.request.name,
      ...unmade,
      ...task.request.dimensions,
      message: task.failure_message,
    }
  );
}

/** Finds a user's folder with its task and the analysis of the source; undefined without one. */
export const findScannedFolder = (
  db: Db,
  userId: string,
  id: string,
): Promise<(TaskRow & { analysis: Analysis | null }) | undefined> =>
  db
    .selectFrom('folders')
    .innerJoin('tasks', 'tasks.id', 'folders.task_id')
    .leftJoin('analyses', 'analyses.task_id', 'tasks.id')
    .selectAll('tasks')
    .select('analyses.analysis')
    .where('folders.id', '=', id)
    .where('folders.author_id', '=', userId)
    .executeTakeFirst();

/** Each has a preview, which costs a render. */
const maxClips = 500;

/**
 * Adds a clip to those of a task, at the end, with the job of its preview.
 * @param admit is called in the transaction, once the user's turns are locked; throws if it may not
 * be made
 * @returns undefined if the task was deleted meanwhile
 * @throws ApiError if the folder is full
 */
export const addOwnClip = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  taskId: string,
  clip: UnsavedClip,
  admit: (trx: Trx, id: string) => Promise<void>,
): Promise<ProjectRow | undefined> =>
  db.transaction().execute(async (trx) => {
    const task = await trx
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', taskId)
      .executeTakeFirst();
    if (!task) return undefined;
    // The user before the row: that is the order everywhere.
    await lockTurns(trx, task.author_id);
    await admit(trx, clip.id);
    if (!(await lockTask(trx, taskId))) return undefined;
    const { rows } = await sql<{ next: number; count: number }>`
      select coalesce(max(position) + 1, 0) as next, count(*)::int as count
        from projects where task_id = ${taskId}`.execute(trx);
    const { next, count } = rows[0]!;
    if (count >= maxClips) {
      const message = `A folder has at most ${maxClips} clips.`;
      throw makeUnprocessableError(message, 'folder-full');
    }
    const [turn] = await takeTurns(trx, 'projects', task.author_id, 1);
    await insertClipRows(trx, task, [{ ...clip, turn: turn! }], next);
    // A person has made it: no other clip takes its place.
    await trx
      .updateTable('projects')
      .set((own) => ({ edited_at: own.ref('created_at') }))
      .where('id', '=', clip.id)
      .execute();
    await queue.send('preview', { id: clip.id, turn: turn!, author_id: task.author_id }, trx);
    return trx
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', clip.id)
      .executeTakeFirstOrThrow();
  });
