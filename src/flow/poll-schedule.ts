/** The times of a running export, in milliseconds of the page's clock. */
export interface Waiting {
  /** When the export began. */
  readonly since: number;
  /** When it should be ready; null if not known. */
  readonly estimate: number | null;
  /** The last two answers had the same estimate: this host does not improve it. */
  readonly isFixed?: boolean;
}

export interface PollSituation {
  readonly now: number;
  readonly waiting: readonly Waiting[];
  /** Whether the host held the last request as asked; null before the first answer. */
  readonly held: boolean | null;
  /** When the last request was sent; null before the first. Omitted by callers that never hold. */
  readonly asked?: number | null;
  /** Failures in a row. */
  readonly failures: number;
  /** Milliseconds of a `Retry-After`, or null. */
  readonly retryAfter: number | null;
  readonly hidden: boolean;
  /** 0 to 1. */
  readonly jitter: number;
}

/**
 * The share of the estimated time after which it makes sense to ask. Estimates are off by up to
 * 30 %, so an export is ready after 1 / 1.3 of its estimate at the earliest.
 */
const askShare = 0.77;

const minDelayMs = 1000;
const maxDelayMs = 10_000;
const delayWithoutEstimateMs = 3000;
const minHiddenDelayMs = 15_000;
/** An estimate may be far too late. */
const maxEstimatedDelayMs = 120_000;

/**
 * The delay between requests about a fixed estimate: a share of the estimated time plus a share of
 * the distance from the estimate. An estimate that improves brings its own next moment.
 */
const stepShare = 0.03;
const distanceShare = 0.15;

function computeDelay(
  { since, estimate, isFixed }: Waiting,
  now: number,
  held: boolean | null,
): number {
  if (estimate === null) return held ? 0 : delayWithoutEstimateMs;
  const left = estimate - now;
  // A host that holds answers at the moment of the change, so one request is always open.
  if (held) return Math.max(0, since + askShare * (estimate - since) - now);
  const estimatedMs = estimate - since;
  if (isFixed && estimatedMs > 0) {
    const step = stepShare * estimatedMs + distanceShare * Math.abs(left);
    return Math.max(since + askShare * estimatedMs - now, minDelayMs, Math.min(maxDelayMs, step));
  }
  return left > 0
    ? Math.max(minDelayMs, askShare * left)
    : Math.min(maxDelayMs, Math.max(minDelayMs, -left / 4));
}

/**
 * A host that holds answers at each change. If several exports are watched, waits until a second
 * after the last request, so that changes close together share an answer.
 */
const computeGatherMs = ({ now, waiting, held, asked = null }: PollSituation): number =>
  held && asked !== null && waiting.length > 1 ? Math.min(minDelayMs, asked + minDelayMs - now) : 0;

/** Milliseconds until the next request for all of `waiting`; null if that is empty. */
export function nextPoll(at: PollSituation): number | null {
  if (!at.waiting.length) return null;
  const delays = at.waiting.map((waiting) => computeDelay(waiting, at.now, at.held));
  const delay = at.failures ? retryDelay(at) : Math.min(maxEstimatedDelayMs, ...delays);
  return Math.max(delay, computeGatherMs(at), at.retryAfter ?? 0, at.hidden ? minHiddenDelayMs : 0);
}

/**
 * The share of the estimated time that has passed, 0 to 0.99, because only a ready export is done.
 * Null without an estimate.
 */
export const estimateProgress = ({ since, estimate }: Waiting, now: number): number | null =>
  estimate === null || estimate <= since
    ? null
    : Math.min(0.99, Math.max(0, (now - since) / (estimate - since)));

/**
 * Milliseconds before the next try after `failures` failures in a row (1 or more): doubles from
 * `baseMs` to `maxMs`. `jitter` (random, 0 to 1) keeps many pages from returning at once.
 */
export const computeBackoff = (
  failures: number,
  jitter: number,
  baseMs = 1000,
  maxMs = 60_000,
): number => Math.min(maxMs, baseMs * 2 ** (failures - 1)) * (0.5 + jitter / 2);

/** The longest wait between two tries on a visible and on a hidden page. */
const maxVisibleMs = 15_000;
const maxHiddenMs = 60_000;

/** The longest `Retry-After` that is obeyed: a day of silence helps no one. */
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
    computeBackoff(after.failures, after.jitter, 1000, after.hidden ? maxHiddenMs : maxVisibleMs),
    Math.min(after.retryAfter ?? 0, maxRetryAfterMs),
  );
