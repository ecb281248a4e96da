import type { ServiceContext } from '../context.ts';
import type { SettledTask } from './preview-queries.ts';
import type { Failure } from '../queue/attempt-queries.ts';

/** How a task ends whose previews have all failed, if the machine is not to blame. */
export const noPreview: Failure = {
  code: 'render-failed',
  message: 'None of the previews could be rendered.',
};

/** Tells of the task of a preview that was settled. */
export function afterPreview(
  service: Pick<ServiceContext, 'log'>,
  { id, status }: SettledTask,
): void {
  if (status === 'processing' || status === null) return;
  if (status === 'ready') service.log({ event: 'task-ready', id });
  else service.log({ event: 'task-failed', id, code: noPreview.code });
}
