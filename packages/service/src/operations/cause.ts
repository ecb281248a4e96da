import { AsyncLocalStorage } from 'node:async_hooks';

/** What the work of the moment is done for. The lines of the log tell it, and its jobs keep it. */
export interface Cause {
  /** The request that began it, also if that was answered long ago. */
  request?: string | undefined;
  organization?: string;
  user?: string;
  /** The job that does it: the id of its row. */
  job?: string;
  /** The trace, if there is one. */
  trace?: string;
}

const causes = new AsyncLocalStorage<Cause>();

export const withCause = <T>(cause: Cause, work: () => T): T => causes.run(cause, work);

export const currentCause = (): Readonly<Cause> => causes.getStore() ?? {};

/** More is known of it by now. */
export function learnCause(more: Cause): void {
  const cause = causes.getStore();
  if (cause) Object.assign(cause, more);
}
