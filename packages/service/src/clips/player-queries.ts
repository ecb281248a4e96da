import type { Edit } from 'clip-engine';
import { isId } from '../db/id.ts';
import type { Db, KeptStoryboard } from '../db/schema.ts';

/** What the player and the embed page show of a project. */
export interface Playable {
  authorId: string;
  state: 'preparing' | 'ready' | 'failed';
  name: string;
  score: number | null;
  explanation: string | null;
  /** Output size in pixels. */
  width: number;
  height: number;
  /** Null while there is no project. */
  edit: Edit | null;
  /** Storage key; null until the preview is ready. */
  previewKey: string | null;
  /** Storage key; null while there is no project. */
  posterKey: string | null;
  /** Null until the preview is ready. */
  storyboard: KeptStoryboard | null;
  /** Why it failed, for a person. */
  message: string | null;
}

/** A project, or one that a video-to-video task has promised; undefined if there is neither. */
export async function findPlayable(db: Db, id: string): Promise<Playable | undefined> {
  if (!isId(id)) return undefined;
  const project = await db
    .selectFrom('projects')
    .select([
      'author_id',
      'name',
      'virality_score',
      'virality_score_explanation',
      'edit',
      'preview',
      'preview_key',
      'poster_key',
      'storyboard',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (project) {
    return {
      authorId: project.author_id,
      // An earlier preview plays until the next one is ready.
      state: project.preview_key === null ? project.preview : 'ready',
      name: project.name,
      score: project.virality_score,
      explanation: project.virality_score_explanation,
      ...project.edit.dimensions,
      edit: project.edit,
      previewKey: project.preview_key,
      posterKey: project.poster_key,
      storyboard: project.storyboard,
      message: null,
    };
  }
  const task = await db
    .selectFrom('tasks')
    .select(['author_id', 'request', 'status', 'failure_message'])
    .where('output_id', '=', id)
    .where('output_type', '=', 'project')
    .executeTakeFirst();
  return (
    task && {
      authorId: task.author_id,
      state: task.status === 'error' ? 'failed' : 'preparing',
      name: task.request.name,
      score: null,
      explanation: null,
      ...task.request.dimensions,
      edit: null,
      previewKey: null,
      posterKey: null,
      storyboard: null,
      message: task.failure_message,
    }
  );
}
