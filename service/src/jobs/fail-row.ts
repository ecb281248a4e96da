import type { ServiceContext } from '../context.ts';
import { forgetClips } from '../db/projects.ts';
import { endInError, writeAs, type Attempt, type Failure } from '../db/worked-rows.ts';
import { removeUnder } from '../storage/storage.ts';

/**
 * Ends an attempt's row in `error`. Its files are left to the sweep of the settled row; those of
 * clips that are gone, which nobody could find later, are removed here. Throws `AttemptLost`.
 */
export async function failRow(
  service: Pick<ServiceContext, 'db' | 'storage'>,
  attempt: Attempt,
  failure: Failure,
): Promise<void> {
  const gone = await writeAs(service.db, attempt, async (trx) => {
    const forgotten = attempt.kind === 'task' ? await forgetClips(trx, attempt.id) : [];
    await endInError(trx, attempt, failure);
    return forgotten;
  });
  for (const project of gone) await removeUnder(service.storage, `previews/${project}`);
}
