import type { Analysis } from 'clip-engine';
import type { Queue } from '../queue/queue.ts';
import { isId } from '../db/id.ts';
import { lockTask } from './preview-queries.ts';
import { insertProjects, type NewProject } from './queries.ts';
import type { Db, ProjectRow, TaskRow, Trx } from '../db/schema.ts';
import { lockTurns, takeTurns } from '../queue/turn-queries.ts';

/** A folder of the user's with its task, and what is known of the source; undefined otherwise. */
export const findScannedFolder = async (
  db: Db,
  userId: string,
  id: string,
): Promise<(TaskRow & { analysis: Analysis | null }) | undefined> =>
  isId(id)
    ? db
        .selectFrom('folders')
        .innerJoin('tasks', 'tasks.id', 'folders.task_id')
        .leftJoin('analyses', 'analyses.task_id', 'tasks.id')
        .selectAll('tasks')
        .select('analyses.analysis')
        .where('folders.id', '=', id)
        .where('folders.author_id', '=', userId)
        .executeTakeFirst()
    : undefined;

/** The folder has no room for more clips. */
export class FolderFull extends Error {
  override name = 'FolderFull';

  constructor() {
    super(`A folder has at most ${maxClips} clips.`);
  }
}

/** Each has a preview, which costs a render. */
const maxClips = 500;

/**
 * Adds a clip to those of a task, at the end, with the job of its preview.
 * @param admit is called in the transaction, once the user's turns are locked; throws if it may not
 * be made
 * @returns undefined if the task was deleted meanwhile
 * @throws {@link FolderFull}
 */
export const addOwnClip = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  taskId: string,
  clip: NewProject,
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
    const locked = await lockTask(trx, taskId);
    if (locked.length === 0) return undefined;
    const { last, count } = await trx
      .selectFrom('projects')
      .select((row) => [
        row.fn.coalesce(row.fn.max('position'), row.lit(-1)).as('last'),
        row.fn.countAll<string>().as('count'),
      ])
      .where('task_id', '=', taskId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxClips) throw new FolderFull();
    const [turn] = await takeTurns(trx, 'projects', task.author_id, 1);
    await insertProjects(trx, task, [{ ...clip, turn: turn! }], last + 1);
    await queue.send('preview', { id: clip.id, turn: turn!, author_id: task.author_id }, trx);
    return trx
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', clip.id)
      .executeTakeFirstOrThrow();
  });
