import { retryDelay } from '../flow/poll-schedule.ts';
import { type ClipError, isClipError } from './clip-error.ts';
import { HttpError, isOtherAccount, SchemaError } from './errors.ts';
import type { HostAnswer } from './host-client.ts';
import { onFocus, onReturn, Pause } from './pause.ts';

/*
 * A paid start is repeated, with the same key, until the host has answered it. The host alone
 * decides whether something is started (docs/decisions/0020-paid-once.md).
 */

/** The end of a paid start: the host's answer, or why it has none. */
export type StartResult<T> =
  | { readonly answer: HostAnswer<T> }
  | {
      readonly error: ClipError;
      /** Nothing was started. Otherwise an earlier request may have started it. */
      readonly isRefused: boolean;
    };

/** The errors that a page sees for the failures of a start. */
export interface StartErrors {
  /** The outcome is not known yet: the start is sent again. */
  lost(cause: unknown): ClipError;
  /** Only a person can say whether it is sent again. The code ends with `-outcome-unresolved`. */
  unresolved(cause: unknown): ClipError;
  refused(cause: unknown): ClipError;
}

interface Repetition {
  /** Whether an earlier page, or an earlier click, may have sent it. */
  readonly isRepeated: boolean;
  /** Ends early when a person does not want to wait. */
  readonly pause?: Pause;
  readonly signal: AbortSignal;
  readonly errors: StartErrors;
  /** Called when an answer was lost, or is not known yet, before the start is repeated. */
  onLost(error: ClipError): void;
}

/** Unreadable answers in a row after which something other than a host must be answering. */
const maxUnreadable = 6;

/** Sends a start until it is answered. Rejects with the signal's reason. */
export async function sendStart<T>(
  send: () => Promise<HostAnswer<T>>,
  { isRepeated, pause = new Pause(), signal, errors, onLost }: Repetition,
): Promise<StartResult<T>> {
  const life = new AbortController();
  const wake = (): void => pause.wake();
  onReturn(wake, life.signal);
  onFocus(wake, life.signal);
  try {
    let unreadable = 0;
    for (let failures = 1; ; failures++) {
      try {
        return { answer: await send() };
      } catch (cause) {
        // Also after the page has gone on to the account that is signed in.
        if (!isOtherAccount(cause)) signal.throwIfAborted();
        if (isQuestion(cause)) return { error: errors.unresolved(cause), isRefused: false };
        const isRefused = isRefusal(cause, isRepeated || failures > 1);
        unreadable = cause instanceof SchemaError ? unreadable + 1 : 0;
        if (isRefused || unreadable === maxUnreadable || isForPerson(cause)) {
          return { error: errors.refused(cause), isRefused };
        }
        onLost(errors.lost(cause));
        const retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
        const { hidden } = document;
        const jitter = Math.random();
        await pause.for(retryDelay({ failures, retryAfter, hidden, jitter }), signal);
      }
    }
  } finally {
    life.abort();
  }
}

const isQuestion = (cause: unknown): cause is HttpError =>
  cause instanceof HttpError && cause.problem?.code === 'outcome-unknown';

/**
 * The time of the start that an error asks the person about, as the host names it: another try
 * confirms it. Null if the error asks nothing, empty if no host has asked.
 */
export const readQuestion = (error: ClipError | null): string | null =>
  error?.code.endsWith('-outcome-unresolved')
    ? (isQuestion(error.cause) && error.cause.problem?.started_at) || ''
    : null;

/** Whether a person has to act first. It says nothing of a start that was sent before. */
const isForPerson = (cause: unknown): boolean =>
  isClipError(cause) || (cause instanceof HttpError && [401, 403, 507].includes(cause.status));

/** Whether it proves that nothing was started, by the host or because nothing was sent. */
function isRefusal(cause: unknown, isRepeated: boolean): boolean {
  if (isOtherAccount(cause)) return true;
  if (isClipError(cause)) return !isRepeated;
  if (!(cause instanceof HttpError)) return false;
  const { status, problem, retryAfter } = cause;
  if (status >= 500) return problem?.unknown_outcome === false;
  // A plain host may only say when to try again.
  const isInProgress = problem?.code === 'in-progress' || (status === 409 && retryAfter !== null);
  if (status === 408 || isInProgress) return false;
  return !(isRepeated && [401, 403, 429].includes(status));
}
