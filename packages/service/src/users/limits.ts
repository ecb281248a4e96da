import { ApiError } from '../api-error.ts';
import type { Limits } from '../config/config.ts';
import { countOpenWork, type OfHolders, readTaskUsage, type TaskUsage } from './queries.ts';
import type { Db, UserRow } from '../db/schema.ts';

/**
 * Too much at once, or too much for a day.
 * @param reason what there is too much of, for a program
 * @param retryAfter seconds after which another call may be accepted
 */
export const limitReached = (
  reason:
    'requests' | 'open-tasks' | 'queued-exports' | 'source-hours' | 'open-uploads' | 'upload-bytes',
  message: string,
  retryAfter: number,
): ApiError =>
  new ApiError('rate-limited', message, {
    reason,
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) },
  });

/** The `Retry-After` of open work, whose end is not known. */
const workRetrySeconds = 30;

export type LimitHolder = keyof OfHolders<unknown>;

/**
 * Throws ApiError if there is no room for another export, or clip.
 * @param open exports and previews that are being processed
 */
export function requireWorkRoom(holder: LimitHolder, limits: Limits, open: number): void {
  const { queuedExports = Infinity } = limits;
  if (open < queuedExports) return;
  throw limitReached(
    'queued-exports',
    `This ${holder} has reached the limit of ${queuedExports} exports and previews of new clips in progress.`,
    workRetrySeconds,
  );
}

/**
 * Throws ApiError if there is no room for a task.
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
    throw limitReached(
      'open-tasks',
      `This ${holder} has ${usage.openTasks} unfinished tasks; the limit is ${openTasks}.`,
      workRetrySeconds,
    );
  }
  const most = sourceHoursPerDay * 3600;
  if (isMade ? usage.sourceSeconds <= most : usage.sourceSeconds < most) return;
  throw limitReached(
    'source-hours',
    `This ${holder} has reached the limit of ${sourceHoursPerDay} hours of sources in 24 hours.`,
    usage.sourceSecondsLessIn,
  );
}

/** Minimum number of counted names before those that have all of their requests are removed. */
const minSwept = 10_000;

/** Requests a minute by name, in this process: as many at once, then evenly. */
export class RequestRate {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { left: number; at: number }>();
  #sweepAt = minSwept;

  /** @param now milliseconds, never backwards */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Uses one allowed request. Returns the seconds to wait if none is left, otherwise 0. */
  take(name: string): number {
    const at = this.#now();
    const known = this.#buckets.get(name);
    const left = known ? this.#filled(known, at) : this.#perMinute;
    if (left < 1) return ((1 - left) * 60) / this.#perMinute;
    this.#buckets.set(name, { left: left - 1, at });
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(at);
    return 0;
  }

  #filled({ left, at }: { left: number; at: number }, now: number): number {
    return Math.min(this.#perMinute, left + ((now - at) * this.#perMinute) / 60_000);
  }

  #sweep(now: number): void {
    for (const [name, bucket] of this.#buckets) {
      if (this.#filled(bucket, now) >= this.#perMinute) this.#buckets.delete(name);
    }
    this.#sweepAt = Math.max(minSwept, this.#buckets.size * 2);
  }
}

const holders: readonly LimitHolder[] = ['user', 'organization'];

/** The limits of each user and each organization. Checks without a limit cost nothing. */
export class UsageLimits {
  readonly #limits: Readonly<Record<LimitHolder, Limits>>;
  readonly #rates = new Map<LimitHolder, RequestRate>();

  constructor(limits: Partial<Record<LimitHolder, Limits>> = {}) {
    this.#limits = { user: limits.user ?? {}, organization: limits.organization ?? {} };
    for (const holder of holders) {
      const { requestsPerMinute } = this.#limits[holder];
      if (requestsPerMinute !== undefined) {
        this.#rates.set(holder, new RequestRate(requestsPerMinute));
      }
    }
  }

  #limited(...names: (keyof Limits)[]): boolean {
    return holders.some((holder) => names.some((name) => this.#limits[holder][name] !== undefined));
  }

  /** Counts a request. Throws ApiError. */
  takeRequest({ id, organization_id }: UserRow): void {
    for (const [holder, rate] of this.#rates) {
      const wait = rate.take(holder === 'user' ? id : organization_id);
      if (wait === 0) continue;
      throw limitReached('requests', `Too many requests from this ${holder} in a minute.`, wait);
    }
  }

  /** Throws ApiError if the user may start no export, and make no clip, now. */
  async requireWorkRoom(db: Db, user: UserRow): Promise<void> {
    if (!this.#limited('queuedExports')) return;
    const open = await countOpenWork(db, user, {
      user: this.#limits.user.queuedExports ?? 0,
      organization: this.#limits.organization.queuedExports ?? 0,
    });
    for (const holder of holders) requireWorkRoom(holder, this.#limits[holder], open[holder]);
  }

  /**
   * Throws ApiError if the user may create no task now, or may not have one that was
   * made, because its source is known to be too long.
   */
  async requireTaskRoom(db: Db, user: UserRow, madeId: string | null = null): Promise<void> {
    if (!this.#limited('openTasks', 'sourceHoursPerDay')) return;
    const usage = await readTaskUsage(db, user, madeId);
    for (const holder of holders) {
      requireTaskRoom(holder, this.#limits[holder], usage[holder], madeId !== null);
    }
  }

  /** Throws ApiError if the user's limits do not permit more work on a finished task. */
  async requireOpenTask(db: Db, user: UserRow): Promise<void> {
    if (!this.#limited('openTasks')) return;
    const usage = await readTaskUsage(db, user, null);
    for (const holder of holders) {
      // Its source was counted when it was fetched.
      const { openTasks = Infinity } = this.#limits[holder];
      requireTaskRoom(holder, { openTasks }, usage[holder], false);
    }
  }
}
