import { retryDelay } from './backoff.ts';

/** What the schedule knows of one export that is rendering. Times in milliseconds of the page's clock. */
export interface Waiting {
  /** When the export began. */
  readonly since: number;
  /** When it is expected to be ready; null where nobody says. */
  readonly estimate: number | null;
  /** The last answers said the same estimate: this host does not renew it, and asking again brings no better one. */
  readonly stays?: boolean;
}

export interface PollSituation {
  readonly now: number;
  readonly waiting: readonly Waiting[];
  /** Whether the host held the last request that asked for it; null before the first answer. */
  readonly held: boolean | null;
  /** When the last request was sent; null before the first, left out by who never holds. */
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
 * The share of the time to the estimate after which asking pays: estimates are off by up to 30 %, and 1 / 1.3 is the
 * earliest moment at which an export can then be ready.
 */
export const askShare = 0.77;

const shortest = 1000;
const withoutEstimate = 3000;
const slowest = 10_000;
const hiddenPause = 15_000;

/**
 * Steps between two questions about an estimate that stays, as shares of the time that it foretold: narrow where the end is
 * likely, wider with the distance from there. Renewed estimates need no steps: each answer brings the next moment.
 */
const narrowStep = 0.03;
const widening = 0.15;

const delayOf = (
  { since, estimate, stays }: Waiting,
  now: number,
  held: boolean | null,
): number => {
  if (estimate === null) return held ? 0 : withoutEstimate;
  const left = estimate - now;
  // A host that holds answers at the moment of the change: from the first useful moment on, it is always asked.
  if (held) return Math.max(0, since + askShare * (estimate - since) - now);
  const foretold = estimate - since;
  if (stays && foretold > 0) {
    const step = narrowStep * foretold + widening * Math.abs(left);
    return Math.max(since + askShare * foretold - now, shortest, Math.min(slowest, step));
  }
  return left > 0
    ? Math.max(shortest, askShare * left)
    : Math.min(slowest, Math.max(shortest, -left / 4));
};

/**
 * What is left of a second since the last request, where a host holds and several are watched: it answers each change by
 * itself, and changes that come close together share a request so. With one, nothing else can change.
 */
const gatherFor = ({ now, waiting, held, asked = null }: PollSituation): number =>
  held && asked !== null && waiting.length > 1 ? Math.min(shortest, asked + shortest - now) : 0;

/** Milliseconds until the next request for all of `waiting`, or null where there is nothing to wait for. */
export const nextPoll = (at: PollSituation): number | null => {
  if (!at.waiting.length) return null;
  const delay = at.failures
    ? retryDelay(at)
    : Math.min(...at.waiting.map((one) => delayOf(one, at.now, at.held)));
  return Math.max(delay, gatherFor(at), at.retryAfter ?? 0, at.hidden ? hiddenPause : 0);
};

/**
 * The share of the time to the estimate that has gone, 0 to 0.99: an export is never shown as done before it is.
 * Null without an estimate.
 */
export const progressOf = ({ since, estimate }: Waiting, now: number): number | null =>
  estimate === null || estimate <= since
    ? null
    : Math.min(0.99, Math.max(0, (now - since) / (estimate - since)));
