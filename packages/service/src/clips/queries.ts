import type { EditInputs, Edit, FramingAnalysis } from 'clip-engine';
import type { EditChanges, Note } from 'clip-kit/contract';
import { isId } from '../db/id.ts';
import type { Db, KeptStretch, ProjectRow, TaskRow, Trx } from '../db/schema.ts';

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
export const ownProject = (db: Db, userId: string, id: string, folderId: FolderId) =>
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

/**
 * What a clip is rendered from, as it is now; undefined if the clip was deleted. Until the end of
 * the transaction neither is removed. The user must be locked before, as everywhere.
 */
export const lockRenderSource = (
  trx: Trx,
  id: string,
): Promise<Pick<Clip, 'source' | 'stretch'> | undefined> =>
  trx
    .selectFrom('projects')
    .innerJoin('tasks', 'tasks.id', 'projects.task_id')
    .select(['tasks.source', 'projects.stretch'])
    .where('projects.id', '=', id)
    .forShare('tasks')
    .forKeyShare('projects')
    .executeTakeFirst();

/** A clip before it has a row. A whole video has neither score nor explanation. */
export interface NewProject {
  id: string;
  name: string;
  score: number | null;
  explanation: string | null;
  edit: Edit;
  /** Null for a copy of a clip that has none. */
  basis: EditInputs | null;
  /** What was seen of its pictures, and what was changed, of a copy. */
  look?: FramingAnalysis | null;
  changes?: EditChanges;
  notes: Note[];
  /** A look and a preview, in processor seconds of a plain machine. */
  work: number;
  stretch: KeptStretch | null;
  /** Storage key of the poster until the preview is ready. */
  posterKey: string | null;
}

export async function insertProjects(
  trx: Trx,
  task: TaskRow,
  projects: readonly (NewProject & { turn: number })[],
  /** Their place in the list. */
  from = 0,
): Promise<void> {
  await trx
    .insertInto('projects')
    .values(
      projects.map((project, index) => ({
        id: project.id,
        author_id: task.author_id,
        task_id: task.id,
        folder_id: task.output_type === 'folder' ? task.output_id : null,
        position: from + index,
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
  await trx
    .insertInto('edits')
    .values(
      projects.map(({ id, basis, look, changes = {} }) => ({
        project_id: id,
        basis: basis && JSON.stringify(basis),
        look: look ? JSON.stringify(look) : null,
        changes: JSON.stringify(changes),
      })),
    )
    .execute();
}
