import type { Db, ExportRow, ProjectRow, TaskRow } from './schema.ts';

export type QueuedExport = Pick<
  ExportRow,
  'id' | 'stage' | 'share' | 'share_at' | 'started_at' | 'work' | 'copied' | 'turn'
> & { task_id: string };

/** A task whose source is here, and whose clips are not known yet. */
export type QueuedScan = Pick<TaskRow, 'id' | 'stage' | 'work'>;

export type QueuedPreview = Pick<ProjectRow, 'id' | 'task_id' | 'stage' | 'share' | 'work'>;

/** All that is being processed, each kind in the order in which it is taken up. */
export const readQueue = async (
  db: Db,
): Promise<{ exports: QueuedExport[]; previews: QueuedPreview[]; scans: QueuedScan[] }> => ({
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
      'exports.turn',
      'projects.task_id',
    ])
    .where('exports.status', '=', 'processing')
    .orderBy('exports.turn')
    .orderBy('exports.created_at')
    .execute(),
  previews: await db
    .selectFrom('projects')
    .innerJoin('tasks', 'tasks.id', 'projects.task_id')
    .select([
      'projects.id',
      'projects.task_id',
      'projects.stage',
      'projects.share',
      'projects.work',
    ])
    .where('projects.preview', '=', 'preparing')
    .where('tasks.status', '=', 'processing')
    .orderBy('projects.turn')
    .orderBy('projects.position')
    .execute(),
  scans: await db
    .selectFrom('tasks')
    .select(['id', 'stage', 'work'])
    .where('status', '=', 'processing')
    .where('stage', '<>', 'preview')
    .where('source', 'is not', null)
    .orderBy('turn')
    .orderBy('created_at')
    .execute(),
});
