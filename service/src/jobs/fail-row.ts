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
  if (!left) await service.storage.remove(`sources/${id}`);
};

const discardExport = async (service: Needs, id: string): Promise<void> => {
  await service.storage.remove(`watermarks/${id}`);
  await service.storage.remove(`exports/${id}`);
};

/** Ends a row in `error` and removes its files. Nothing happens to a row that has ended already. */
export const failRow = async (
  service: Needs,
  kind: QueueName,
  id: string,
  failure: { code: string; message: string },
): Promise<void> => {
  const ended = await service.db
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
    .returning('id')
    .executeTakeFirst();
  if (!ended) return;
  service.changes.announce();
  await (kind === 'task' ? discardTask : discardExport)(service, id);
};
