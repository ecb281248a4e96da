import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import type { Database } from '../db/schema.ts';
import { removeUnder } from '../storage/storage.ts';
import { tables, writeAs, type Attempt } from '../db/worked-rows.ts';

/** Forgets a failed task's clips, and gives their ids. Those with exports stay, and with them the source that they need. */
const forgetClips = async (trx: Transaction<Database>, taskId: string): Promise<string[]> => {
  const gone = await trx
    .deleteFrom('projects')
    .where('task_id', '=', taskId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exports')
            .select('exports.id')
            .whereRef('exports.project_id', '=', 'projects.id'),
        ),
      ),
    )
    .returning('id')
    .execute();
  const left = await trx
    .selectFrom('projects')
    .select('id')
    .where('task_id', '=', taskId)
    .limit(1)
    .executeTakeFirst();
  if (!left)
    await trx.updateTable('tasks').set({ source: null }).where('id', '=', taskId).execute();
  return gone.map(({ id }) => id);
};

/**
 * Ends an attempt's row in `error`. Its files are left to the sweep of the settled row; those of clips that are gone, which
 * nobody could find later, are removed here. Throws `AttemptLost`.
 */
export const failRow = async (
  service: Pick<ServiceContext, 'db' | 'storage' | 'changes'>,
  attempt: Attempt,
  failure: { code: string; message: string },
): Promise<void> => {
  const { kind, id } = attempt;
  const gone = await writeAs(service.db, attempt, async (trx) => {
    const forgotten = kind === 'task' ? await forgetClips(trx, id) : [];
    await trx
      .updateTable(tables[kind] as 'exports')
      .set({
        status: 'error',
        failure_code: failure.code,
        failure_message: failure.message,
        finished_at: new Date(),
      })
      .where('id', '=', id)
      .execute();
    return forgotten;
  });
  service.changes.announce();
  for (const project of gone) await removeUnder(service.storage, `previews/${project}`);
};
