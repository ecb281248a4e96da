import type { Edit } from 'clip-engine';
import type { Note } from 'clip-kit/contract';
import { sql } from 'kysely';
import { isId } from './id.ts';
import type { Db, KeptStretch, ProjectRow, TaskRow, Trx } from './schema.ts';

/** A folder of the user's; undefined for another's. */
export const findFolder = async (
  db: Db,
  userId: string,
  id: string,
): Promise<{ id: string } | undefined> =>
  isId(id)
    ? db
        .selectFrom('folders')
        .select('id')
        .where('id', '=', id)
        .where('author_id', '=', userId)
        .executeTakeFirst()
    : undefined;

/** The folder's projects, best first. */
export const listProjects = (db: Db, folderId: string): Promise<ProjectRow[]> =>
  db
    .selectFrom('projects')
    .selectAll()
    .where('folder_id', '=', folderId)
    .orderBy('position')
    .execute();

/** A folder's id, null for a project without one, or undefined for either. */
type FolderId = string | null | undefined;

/** Undefined if there can be no such project. */
const ownProject = (db: Db, userId: string, id: string, folderId: FolderId) =>
  [id, folderId ?? id].every(isId)
    ? db
        .selectFrom('projects')
        .selectAll('projects')
        .where('projects.id', '=', id)
        .where('projects.author_id', '=', userId)
        .$if(folderId !== undefined, (own) =>
          own.where('folder_id', 'is not distinct from', folderId!),
        )
    : undefined;

/** A project of the user's in the folder; undefined for another's. */
export const findProject = async (
  db: Db,
  userId: string,
  id: string,
  folderId?: FolderId,
): Promise<ProjectRow | undefined> => ownProject(db, userId, id, folderId)?.executeTakeFirst();

/** A project with what it is rendered from. */
export type Clip = ProjectRow & Pick<TaskRow, 'source'>;

/** The same as {@link findProject} for a project that is to be exported. */
export const findClip = async (
  db: Db,
  userId: string,
  id: string,
  folderId?: FolderId,
): Promise<Clip | undefined> =>
  ownProject(db, userId, id, folderId)
    ?.innerJoin('tasks', 'tasks.id', 'projects.task_id')
    .select('tasks.source')
    .executeTakeFirst();

/** A clip before it has a row. A whole video has neither score nor explanation. */
export interface NewProject {
  id: string;
  name: string;
  score: number | null;
  explanation: string | null;
  edit: Edit;
  notes: Note[];
  /** A look and a preview, in processor seconds of a plain machine. */
  work: number;
  stretch: KeptStretch | null;
  /** Storage key of the poster until the preview is ready. */
  posterKey: string;
}

export const insertProjects = (
  trx: Trx,
  task: TaskRow,
  projects: readonly (NewProject & { turn: number })[],
): Promise<unknown> =>
  trx
    .insertInto('projects')
    .values(
      projects.map((project, position) => ({
        id: project.id,
        author_id: task.author_id,
        task_id: task.id,
        folder_id: task.output_type === 'folder' ? task.output_id : null,
        position,
        name: project.name,
        virality_score: project.score,
        virality_score_explanation: project.explanation,
        edit: JSON.stringify(project.edit),
        preview: 'preparing' as const,
        poster_key: project.posterKey,
        work: project.work,
        stretch: project.stretch && JSON.stringify(project.stretch),
        turn: project.turn,
        notes: JSON.stringify(project.notes),
      })),
    )
    .execute();

/**
 * Keeps the edit of a clip that has been looked at, with notes of what was seen, and gives the one
 * that is kept: whoever looked first decides, so that the preview and all exports show the same.
 */
export async function keepSeenEdit(
  db: Db,
  id: string,
  edit: Edit,
  notes: readonly Note[],
): Promise<Edit> {
  await db
    .updateTable('projects')
    .set({
      edit: JSON.stringify(edit),
      ...(notes.length > 0 && {
        notes: sql`coalesce(notes, '[]') || ${JSON.stringify(notes)}::jsonb`,
      }),
    })
    .where('id', '=', id)
    .where(sql`edit -> 'unseen'`, 'is not', null)
    .execute();
  const kept = await db
    .selectFrom('projects')
    .select('edit')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return kept.edit;
}
