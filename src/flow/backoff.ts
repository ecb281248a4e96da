/**
 * Milliseconds before the next try after `failures` failures in a row (1 or more): doubles from `base` up to `cap`.
 * `jitter` (0 to 1, drawn by the caller) spreads callers over the upper half, so that many pages do not return at once.
 */
export const backoff = (failures: number, jitter: number, base = 1000, cap = 60_000): number =>
  Math.min(cap, base * 2 ** Math.min(failures - 1, 20)) * (0.5 + jitter / 2);

/** The longest wait between two tries while somebody looks at the page, and while nobody does, in milliseconds. */
const longestShownMs = 15_000;
const longestHiddenMs = 60_000;

/** The longest `Retry-After` that is followed, in milliseconds: a day of silence helps nobody. */
export const longestRetryAfterMs = 600_000;

/** How long a page waits before it asks a host again after failures. */
export const retryDelay = (after: {
  /** In a row, 1 or more. */
  readonly failures: number;
  /** Milliseconds of a `Retry-After`, or null. */
  readonly retryAfter: number | null;
  readonly hidden: boolean;
  /** 0 to 1. */
  readonly jitter: number;
}): number =>
  Math.max(
    backoff(after.failures, after.jitter, 1000, after.hidden ? longestHiddenMs : longestShownMs),
    Math.min(after.retryAfter ?? 0, longestRetryAfterMs),
  );
