import { randomUUID } from 'node:crypto';
import type { Note } from 'clip-kit/contract';
import { insertProjects, type NewProject } from './projects.ts';
import type { Queue } from './queue.ts';
import type { Db, KeptSource, TaskRequest, TaskRow } from './schema.ts';
import { updateAs, updateRow, writeAs, type Attempt } from './worked-rows.ts';

/** Makes a task with its folder and its job: all of it, or nothing. */
export const createTask = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  task: {
    id: string;
    authorId: string;
    request: TaskRequest;
    source: KeptSource | null;
    work: number;
  },
): Promise<TaskRow> =>
  db.transaction().execute(async (trx) => {
    const outputId = randomUUID();
    const toFolder = task.request.type === 'video-to-shorts';
    const row = await trx
      .insertInto('tasks')
      .values({
        id: task.id,
        type: task.request.type,
        author_id: task.authorId,
        request: JSON.stringify(task.request),
        output_type: toFolder ? 'folder' : 'project',
        output_id: outputId,
        source: task.source && JSON.stringify(task.source),
        work: task.work,
        status: 'processing',
        stage: 'queued',
        share: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (toFolder) {
      await trx
        .insertInto('folders')
        .values({
          id: outputId,
          author_id: task.authorId,
          task_id: task.id,
          name: task.request.name,
        })
        .execute();
    }
    await queue.send('task', task.id, trx);
    return row;
  });

export const readTask = (db: Db, id: string): Promise<TaskRow> =>
  db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Notes where the task's source is kept. Throws `AttemptLost`. */
export const noteSource = (db: Db, attempt: Attempt, source: KeptSource): Promise<unknown> =>
  updateAs(db, attempt, { source: JSON.stringify(source) });

/** Adds the task's clips, with what is known of it now. Throws `AttemptLost`. */
export const addClips = (
  db: Db,
  attempt: Attempt,
  task: TaskRow,
  { projects, notes, work }: { projects: readonly NewProject[]; notes: Note[]; work: number },
): Promise<unknown> =>
  writeAs(db, attempt, async (trx) => {
    await updateRow(trx, attempt, { notes: JSON.stringify(notes), work });
    await insertProjects(trx, task, projects);
  });

/** The task is ready. Throws `AttemptLost`. */
export const finishTask = (db: Db, attempt: Attempt): Promise<unknown> =>
  updateAs(db, attempt, { status: 'ready', share: 1, finished_at: new Date() });
