import type { ServiceContext } from '../context.ts';
import type { QueueName } from './queue.ts';

type Needs = Pick<ServiceContext, 'db' | 'storage' | 'changes'>;

/** Removes what a failed task leaves behind; projects with exports, and the source that they need, stay. */
const discardTask = async (service: Needs, id: string): Promise<void> => {
  await service.db
    .deleteFrom('projects')
    .where('task_id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exports')
            .select('exports.id')
            .whereRef('exports.project_id', '=', 'projects.id'),
        ),
      ),
    )
    .execute();
  const left = await service.db
    .selectFrom('projects')
    .select('id')
    .where('task_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (left) return;
  // First forgotten, then removed: an attempt after a crash in between fetches it again.
  await service.db.updateTable('tasks').set({ source: null }).where('id', '=', id).execute();
  await service.storage.remove(`sources/${id}`);
};

const discardExport = async (service: Needs, id: string): Promise<void> => {
  await service.storage.remove(`watermarks/${id}`);
  await service.storage.remove(`exports/${id}`);
};

/** Removes the files of a row and ends it in `error`. Called by the one job that has the row, while it is processing. */
export const failRow = async (
  service: Needs,
  kind: QueueName,
  id: string,
  failure: { code: string; message: string },
): Promise<void> => {
  await (kind === 'task' ? discardTask : discardExport)(service, id);
  await service.db
    // Both tables have these columns.
    .updateTable((kind === 'task' ? 'tasks' : 'exports') as 'exports')
    .set({
      status: 'error',
      failure_code: failure.code,
      failure_message: failure.message,
      finished_at: new Date(),
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
  service.changes.announce();
};
