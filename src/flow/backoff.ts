/**
 * Milliseconds before the next try after `failures` failures in a row (1 or more): doubles from `base` up to `cap`.
 * `jitter` (0 to 1, drawn by the caller) spreads callers over the upper half, so that many pages do not return at once.
 */
export const backoff = (failures: number, jitter: number, base = 1000, cap = 60_000): number =>
  Math.min(cap, base * 2 ** Math.min(failures - 1, 20)) * (0.5 + jitter / 2);
