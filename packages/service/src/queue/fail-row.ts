import type { ServiceContext } from '../context.ts';
import { settlePreview } from '../clips/preview-queries.ts';
import { endInError, type Attempt, type Failure } from './attempt-queries.ts';
import { afterPreview } from '../clips/after-preview.ts';

/**
 * Ends an attempt's row in `error`; the other previews of a task go on without one that failed.
 * Throws `AttemptLost`.
 */
export async function failRow(
  service: Pick<ServiceContext, 'db' | 'log'>,
  attempt: Attempt,
  failure: Failure,
): Promise<void> {
  if (attempt.kind === 'preview') {
    const settled = await settlePreview(service.db, attempt, { preview: 'failed' }, failure);
    return afterPreview(service, settled);
  }
  await endInError(service.db, attempt, failure);
}
