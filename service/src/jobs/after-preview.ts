import type { ServiceContext } from '../context.ts';
import type { SettledTask } from '../db/previews.ts';
import type { Failure } from '../db/worked-rows.ts';
import { sweepQuietly } from './sweep.ts';

/** How a task ends whose previews have all failed, if the machine is not to blame. */
export const noPreview: Failure = {
  code: 'render-failed',
  message: 'None of the previews could be rendered.',
};

/** Tells of a preview that was settled, and of its task with it; removes what is not needed. */
export async function afterPreview(
  service: ServiceContext,
  { id, status }: SettledTask,
): Promise<void> {
  if (status === 'processing') return;
  if (status === 'ready') service.log({ event: 'task-ready', id });
  else service.log({ event: 'task-failed', id, code: noPreview.code });
  await sweepQuietly(service, 'scan', id);
}
