import { promiseLifetimeMs, startWindowMs } from '../contract/for-pages.ts';
import { isClipError } from './clip-error.ts';
import { HttpError, SchemaError } from './errors.ts';
import type { AttemptAnswer, HostAnswer } from './host-client.ts';

/*
 * What becomes of a start whose answer was lost. The host decides it; the page keeps the attempt
 * key, asks, and sends nothing again unless the host promises that nothing was started, or a person
 * has decided so after the loss (docs/decisions/0020-paid-once.md).
 */

/**
 * The outcome of an attempt: an answer with the export or task that it started, or a word. `open`:
 * the start is still running. `not-started`: the host knows the key and has started nothing, so the
 * key may be sent again. `unknown`: the host promises nothing.
 */
export type Outcome<T> = HostAnswer<T> | 'open' | 'not-started' | 'unknown';

/**
 * Milliseconds between now and the moment at which a start was sent. If the clock was set back
 * since, its age is not known: a large difference asks a person, and pays nothing.
 */
const measureAgeMs = (sentAt: number): number => Math.abs(Date.now() - sentAt);

/** Whether a start that was sent then is no longer on its way. */
export const isOverdue = (sentAt: number): boolean => measureAgeMs(sentAt) >= startWindowMs;

/** Milliseconds until a person may decide about a start that was sent then. */
export const getMsUntilOverdue = (sentAt: number): number =>
  Math.max(0, startWindowMs - measureAgeMs(sentAt));

/**
 * Every 4xx says that nothing was started, and a 5xx that says so itself. Without a session the
 * start was not sent, or was refused for its last one.
 */
export const isSurelyRefused = (cause: unknown): boolean =>
  isClipError(cause) ||
  (cause instanceof HttpError &&
    ((cause.status < 500 && cause.status !== 408) || cause.problem?.unknown_outcome === false));

/** The host answered, but does not know the question, or its answer cannot be read. */
const isUnusable = (cause: unknown): boolean =>
  cause instanceof SchemaError ||
  (cause instanceof HttpError &&
    cause.status < 500 &&
    ![401, 403, 408, 429].includes(cause.status));

/**
 * Reads the host's answer about an attempt whose start was sent at `sentAt`. Rejects as a question
 * does that has no answer, or none for this user.
 */
export async function readOutcome<T>(
  question: Promise<AttemptAnswer<T>>,
  sentAt: number,
): Promise<Outcome<T>> {
  let answer: AttemptAnswer<T>;
  try {
    answer = await question;
  } catch (cause) {
    if (isUnusable(cause)) return 'unknown';
    throw cause;
  }
  if (answer.inFlight) return 'open';
  // A host that does not name the key may have answered another question.
  if (!answer.keepsKeys) return 'unknown';
  const [item] = answer.value;
  if (item) return { ...answer, value: item };
  // An older key may be forgotten, with what it has started.
  return measureAgeMs(sentAt) < promiseLifetimeMs ? 'not-started' : 'unknown';
}
