/**
 * Milliseconds before the next try after `failures` failures in a row (1 or more): doubles from
 * `baseMs` to `maxMs`. `jitter` (random, 0 to 1) keeps many pages from returning at once.
 */
export const backoff = (failures: number, jitter: number, baseMs = 1000, maxMs = 60_000): number =>
  Math.min(maxMs, baseMs * 2 ** (failures - 1)) * (0.5 + jitter / 2);

/** The longest wait between two tries on a visible and on a hidden page. */
const maxVisibleMs = 15_000;
const maxHiddenMs = 60_000;

/** The longest `Retry-After` that is obeyed: a day of silence helps nobody. */
export const maxRetryAfterMs = 600_000;

/** Milliseconds that a page waits before it asks a host again after failures. */
export const retryDelay = (after: {
  /** In a row, at least 1. */
  readonly failures: number;
  /** Milliseconds of a `Retry-After`, or null. */
  readonly retryAfter: number | null;
  readonly hidden: boolean;
  /** 0 to 1. */
  readonly jitter: number;
}): number =>
  Math.max(
    backoff(after.failures, after.jitter, 1000, after.hidden ? maxHiddenMs : maxVisibleMs),
    Math.min(after.retryAfter ?? 0, maxRetryAfterMs),
  );
