import type { Db, ExportRow, TaskRow } from './schema.ts';

export type QueuedExport = Pick<
  ExportRow,
  'id' | 'stage' | 'share' | 'share_at' | 'started_at' | 'work' | 'copied'
> & { task_id: string };

export type QueuedTask = Pick<TaskRow, 'id' | 'stage' | 'share' | 'work'>;

/** All exports and tasks that are being processed, in the order in which they are taken up. */
export const readQueue = async (
  db: Db,
): Promise<{ exports: QueuedExport[]; tasks: QueuedTask[] }> => ({
  exports: await db
    .selectFrom('exports')
    .innerJoin('projects', 'projects.id', 'exports.project_id')
    .select([
      'exports.id',
      'exports.stage',
      'exports.share',
      'exports.share_at',
      'exports.started_at',
      'exports.work',
      'exports.copied',
      'projects.task_id',
    ])
    .where('exports.status', '=', 'processing')
    .orderBy('exports.created_at')
    .execute(),
  tasks: await db
    .selectFrom('tasks')
    .select(['id', 'stage', 'share', 'work'])
    .where('status', '=', 'processing')
    .orderBy('created_at')
    .execute(),
});
