import type { Limits } from '../config/config.ts';
import type { OfHolders, TaskUsage } from './usage-queries.ts';

/** Too much at once, or too much for a day. */
export class LimitReached extends Error {
  override name = 'LimitReached';
  /** What there is too much of, for a program. */
  readonly reason:
    'requests' | 'open-tasks' | 'queued-exports' | 'source-hours' | 'open-uploads' | 'upload-bytes';
  /** Seconds after which another call may be accepted. */
  readonly retryAfter: number;

  constructor(reason: LimitReached['reason'], message: string, retryAfter: number) {
    super(message);
    this.reason = reason;
    this.retryAfter = Math.max(1, Math.ceil(retryAfter));
  }
}

/** Nobody knows when one of them will be done. */
const workRetrySeconds = 30;

export type LimitHolder = keyof OfHolders<unknown>;

/**
 * Throws {@link LimitReached} if there is no room for another export.
 * @param open exports that are being processed
 */
export function requireExportRoom(holder: LimitHolder, limits: Limits, open: number): void {
  const { queuedExports = Infinity } = limits;
  if (open < queuedExports) return;
  throw new LimitReached(
    'queued-exports',
    `This ${holder} has ${queuedExports} exports that are not ready yet, and may not have more.`,
    workRetrySeconds,
  );
}

/**
 * Throws {@link LimitReached} if there is no room for a task.
 * @param isMade it is one of those that are counted, and so is its source
 */
export function requireTaskRoom(
  holder: LimitHolder,
  limits: Limits,
  usage: TaskUsage,
  isMade: boolean,
): void {
  const { openTasks = Infinity, sourceHoursPerDay = Infinity } = limits;
  if (!isMade && usage.openTasks >= openTasks) {
    throw new LimitReached(
      'open-tasks',
      `This ${holder} has ${usage.openTasks} tasks that are not ready yet, and may have ${openTasks}.`,
      workRetrySeconds,
    );
  }
  const most = sourceHoursPerDay * 3600;
  if (isMade ? usage.sourceSeconds <= most : usage.sourceSeconds < most) return;
  throw new LimitReached(
    'source-hours',
    `This ${holder} may have no more than ${sourceHoursPerDay} hours of sources in 24 hours.`,
    usage.sourceSecondsLessIn,
  );
}
