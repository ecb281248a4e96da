import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { TaskRow, Database, KeptSource, TaskRequest } from './schema.ts';
import type { Queue } from './queue.ts';

/** Makes a task with its folder and its job: all of it, or nothing. */
export const createTask = (
  db: Kysely<Database>,
  queue: Queue,
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

/** The user's task; undefined for another's. */
export const findTask = (
  db: Kysely<Database>,
  userId: string,
  id: string,
): Promise<TaskRow | undefined> =>
  db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id)
    .where('author_id', '=', userId)
    .executeTakeFirst();
