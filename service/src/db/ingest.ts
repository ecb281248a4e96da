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
