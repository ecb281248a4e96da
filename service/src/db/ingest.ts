import type { Db } from './schema.ts';

/** What is known of a task whose source a worker fetches; undefined if the task is gone. */
export const readIngest = (db: Db, id: string) =>
  db
    .selectFrom('tasks')
    .select((row) => [
      'status',
      'failure_code',
      'failure_message',
      row('source', 'is not', null).as('fetched'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();

/**
 * Removes a task that has no source, with its folder and the key that made it: the same call may be
 * sent again. False if it has a source by now.
 */
export const removeSourceless = (db: Db, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const task = await trx
      .selectFrom('tasks')
      .select('author_id')
      .where('id', '=', id)
      .where('source', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!task) return false;
    await trx
      .deleteFrom('idempotency_keys')
      .where('user_id', '=', task.author_id)
      .where('made_id', '=', id)
      .execute();
    await trx.deleteFrom('folders').where('task_id', '=', id).execute();
    await trx.deleteFrom('tasks').where('id', '=', id).execute();
    return true;
  });
