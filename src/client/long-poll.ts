import { maxRetryAfterMs, nextPoll, type Waiting } from '../flow/poll-schedule.ts';
import type { ClipError } from './clip-error.ts';
import { onOtherAccount } from './account.ts';
import { HttpError, toClipError } from './errors.ts';
import type { HostClient } from './host-client.ts';
import { onFocus, onReturn, Pause } from './pause.ts';

export interface Question {
  /**
   * Seconds that the host may delay its answer; 0: none. `ask` sets it to 0 if it sends a plain
   * request, because after a failed long-poll request only plain ones are sent.
   */
  wait: number;
  readonly signal: AbortSignal;
}

/** A polled question, with its callbacks. */
export interface Polled {
  readonly waitSeconds: number;
  /** Whether the host holds until something differs from the last answer: each may be held. */
  readonly asksForChange?: boolean;
  /** Whether to expect that the host holds requests, until it shows otherwise. */
  readonly trustsHost?: boolean;
  /** Passes an answer on. Returns whether the host delayed it; null if that was not requested. */
  ask(question: Question): Promise<boolean | null>;
  /** Returns the running exports that set the interval. If empty, only a wake asks again. */
  waiting(): readonly Waiting[];
  /**
   * Reports that several tries have failed (an error), or one works again (null). Polling
   * continues.
   */
  onStalled(error: ClipError | null): void;
  /** Returns true if this error ends the polling. */
  onFailed(error: ClipError): boolean;
}

/** Consecutive failures before an error is shown. */
const failuresToShow = 3;
/** A longer wait for a host is shown at once. */
const shownWaitMs = 15_000;
/** A longer wait ends when the user returns to the page. */
const keptWaitMs = 60_000;

const unknown: Waiting = { since: 0, estimate: null };
/** More than one thing may change, at an unknown time. */
export const anyChange: readonly Waiting[] = [unknown, unknown];

export type LongPoll = ReturnType<typeof pollHost>;

/** Polls a host until it is ended, with one long-poll request at a time. */
export function pollHost(of: Polled) {
  const pause = new Pause();
  const life = new AbortController();
  /** The request in flight. */
  let request: AbortController | null = null;
  /** When the last request was sent. */
  let asked = 0;
  let failures = 0;
  /** The host asked for no request before this moment. */
  let notBefore = 0;
  /** Whether this host holds. */
  let held = !!of.trustsHost;
  /** False while held requests fail and plain ones work. */
  let mayHold = true;
  /** Whether a caller waits for the next answer. */
  let isAwaited = false;

  /** Milliseconds until the next request if the host asked for a long wait; otherwise null. */
  const waitLeft = (): number | null => {
    const left = notBefore - Date.now();
    return left > shownWaitMs ? left : null;
  };

  /** Polls as soon as the host allows. Aborts the request in flight: its connection may be dead. */
  const askNow = (): void => {
    isAwaited = true;
    request?.abort();
    pause.wake();
  };

  /** Ends a long wait when the user returns to the page; a short one continues. */
  const returned = (): void => {
    if (notBefore - Date.now() > keptWaitMs) notBefore = 0;
    askNow();
  };

  const delayOf = (waiting: readonly Waiting[]): number | null =>
    nextPoll({
      now: Date.now(),
      waiting,
      held,
      asked,
      failures,
      retryAfter: notBefore - Date.now(),
      hidden: document.hidden,
      jitter: Math.random(),
    });

  const fail = (cause: unknown, wasHeld: boolean): void => {
    const error = toClipError(cause);
    if (of.onFailed(error)) return life.abort();
    failures++;
    if (error.status! >= 500) mayHold = !wasHeld;
    if (!mayHold) held = false;
    const retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
    if (retryAfter !== null) notBefore = Date.now() + Math.min(retryAfter, maxRetryAfterMs);
    if (failures >= failuresToShow || waitLeft()) of.onStalled(error);
  };

  const poll = async (): Promise<void> => {
    const own = (request = new AbortController());
    const signal = AbortSignal.any([life.signal, own.signal]);
    const isHeld = mayHold && (!isAwaited || of.asksForChange);
    const question = { wait: isHeld ? of.waitSeconds : 0, signal };
    isAwaited = false;
    asked = Date.now();
    try {
      held = (await of.ask(question)) ?? held;
      of.onStalled(null);
      // After several failures the host itself was away.
      if (failures > 1) mayHold = true;
      failures = 0;
    } catch (cause) {
      if (!signal.aborted) fail(cause, question.wait > 0);
    } finally {
      request = null;
      own.abort();
    }
  };

  return {
    waitLeft,
    askNow,
    end: () => life.abort(),

    /** Polls at once for a user's click, whatever the schedule or the host says. */
    refresh(): void {
      notBefore = 0;
      askNow();
    },

    /** Plans for a new question. When it is due, aborts a request that lacks it. */
    add(one: Waiting): void {
      const open = request;
      const ask = (): void => open?.abort();
      if (open) new Pause().for(delayOf([one]), open.signal).then(ask, () => {});
      pause.wake();
    },

    /** Resolves when asking has ended. */
    async run(): Promise<void> {
      const { signal } = life;
      onReturn(returned, signal);
      // Focus also moves within the page, so it matters only after a failure.
      onFocus(() => failures && returned(), signal);
      // Who begins to wait in the same task shares the first request.
      await null;
      while (!signal.aborted) {
        const delay = delayOf(of.waiting());
        if (isAwaited ? notBefore > Date.now() : delay !== 0) {
          // Woken because what is waited for has changed: plan again. The clock cannot tell,
          // because timers may be early.
          if (await pause.for(delay, signal).catch(() => true)) continue;
        }
        await poll();
      }
    },
  };
}

/** The callbacks that {@link pollForUser} needs. */
export type PollEvents = Pick<Polled, 'onStalled' | 'onFailed'>;

export interface UserListener {
  /** Reports that several tries have failed (an error), or one works again (null). */
  onStalled(error: ClipError | null): void;
  /** Reports that polling has ended, or begins again when a user has signed in. */
  onFailed(error: ClipError): void;
  /** Reports that another user has signed in. */
  onOtherAccount(): void;
}

/**
 * Polls for the signed-in user: `begin` makes the poll, and a new one when a user has signed in.
 * Resolves when polling has ended.
 */
export async function pollForUser(
  client: HostClient,
  listener: UserListener,
  begin: (events: PollEvents) => LongPoll,
  signal: AbortSignal,
): Promise<void> {
  onOtherAccount(client.endpoint, () => listener.onOtherAccount(), signal);
  let isOut: boolean;
  do {
    let isAnswered = false;
    let isStalled = false;
    isOut = false;
    const poll = begin({
      onStalled(error) {
        if (error || isStalled) listener.onStalled(error);
        isStalled = !!error;
        isAnswered ||= !error;
      },
      onFailed(error) {
        const { status } = error;
        const isRefusal = status !== null && status >= 400 && status < 500 && status !== 429;
        if (isAnswered && !isRefusal) return false;
        isOut = error.code === 'signed-out';
        listener.onFailed(error);
        return true;
      },
    });
    signal.addEventListener('abort', poll.end);
    poll.askNow();
    await poll.run();
    if (isOut) await client.session!.signedIn(signal);
  } while (isOut && !signal.aborted);
}
