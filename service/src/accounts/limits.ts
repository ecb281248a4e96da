import type { Limits } from '../config/config.ts';
import type { UsageNow } from '../db/usage-now.ts';

/** Too much at once, or too much for a day. */
export class LimitReached extends Error {
  override name = 'LimitReached';
  /** What there is too much of, for a program. */
  readonly reason: 'requests' | 'open-tasks' | 'queued-exports' | 'source-hours';
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

export type LimitHolder = 'user' | 'organization';

/** Throws {@link LimitReached} if there is no room for another export. */
export function requireExportRoom(holder: LimitHolder, limits: Limits, usage: UsageNow): void {
  const { queuedExports = Infinity } = limits;
  if (usage.queuedExports < queuedExports) return;
  throw new LimitReached(
    'queued-exports',
    `This ${holder} has ${usage.queuedExports} exports that are not ready yet, and may have ${queuedExports}.`,
    workRetrySeconds,
  );
}

/**
 * Throws {@link LimitReached} if there is no room for another task.
 * @param sourceSeconds of its source; null if that is not known yet
 */
export function requireTaskRoom(
  holder: LimitHolder,
  limits: Limits,
  usage: UsageNow,
  sourceSeconds: number | null,
): void {
  const { openTasks = Infinity, sourceHoursPerDay = Infinity } = limits;
  if (usage.openTasks >= openTasks) {
    throw new LimitReached(
      'open-tasks',
      `This ${holder} has ${usage.openTasks} tasks that are not ready yet, and may have ${openTasks}.`,
      workRetrySeconds,
    );
  }
  const most = sourceHoursPerDay * 3600;
  if (usage.sourceSeconds < most && usage.sourceSeconds + (sourceSeconds ?? 0) <= most) return;
  throw new LimitReached(
    'source-hours',
    `This ${holder} may have ${sourceHoursPerDay} hours of sources in 24 hours, and has had ${(usage.sourceSeconds / 3600).toFixed(1)}.`,
    usage.sourceSecondsLessIn,
  );
}
