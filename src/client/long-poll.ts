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

/** Polls a host until it is ended, with one long-poll request at a time. */
export class LongPoll {
  readonly #of: Polled;
  readonly #pause = new Pause();
  readonly #life = new AbortController();
  /** The request in flight. */
  #request: AbortController | null = null;
  /** When the last request was sent. */
  #asked = 0;
  #failures = 0;
  /** The host asked for no request before this moment. */
  #notBefore = 0;
  /** Whether this host holds. */
  #held: boolean;
  /** False while held requests fail and plain ones work. */
  #mayHold = true;
  /** Whether a caller waits for the next answer. */
  #isAwaited = false;

  constructor(of: Polled) {
    this.#of = of;
    this.#held = !!of.trustsHost;
  }

  /** Milliseconds until the next request if the host asked for a long wait; otherwise null. */
  waitLeft(): number | null {
    const left = this.#notBefore - Date.now();
    return left > shownWaitMs ? left : null;
  }

  /** Polls as soon as the host allows. Aborts the request in flight: its connection may be dead. */
  askNow(): void {
    this.#isAwaited = true;
    this.#request?.abort();
    this.#pause.wake();
  }

  end(): void {
    this.#life.abort();
  }

  /** Polls at once for a user's click, whatever the schedule or the host says. */
  refresh(): void {
    this.#notBefore = 0;
    this.askNow();
  }

  /** Plans for a new question. When it is due, aborts a request that lacks it. */
  add(one: Waiting): void {
    const open = this.#request;
    const ask = (): void => open?.abort();
    if (open) new Pause().for(this.#computeDelay([one]), open.signal).then(ask, () => {});
    this.#pause.wake();
  }

  /** Resolves when asking has ended. */
  async run(): Promise<void> {
    const { signal } = this.#life;
    // A long wait ends when the user returns to the page; a short one continues.
    const returned = (): void => {
      if (this.#notBefore - Date.now() > keptWaitMs) this.#notBefore = 0;
      this.askNow();
    };
    onReturn(returned, signal);
    // Focus also moves within the page, so it matters only after a failure.
    onFocus(() => this.#failures && returned(), signal);
    // Who begins to wait in the same task shares the first request.
    await null;
    while (!signal.aborted) {
      const delay = this.#computeDelay(this.#of.waiting());
      if (this.#isAwaited ? this.#notBefore > Date.now() : delay !== 0) {
        // Woken because what is waited for has changed: plan again. The clock cannot tell,
        // because timers may be early.
        if (await this.#pause.for(delay, signal).catch(() => true)) continue;
      }
      await this.#poll();
    }
  }

  #computeDelay(waiting: readonly Waiting[]): number | null {
    return nextPoll({
      now: Date.now(),
      waiting,
      held: this.#held,
      asked: this.#asked,
      failures: this.#failures,
      retryAfter: this.#notBefore - Date.now(),
      hidden: document.hidden,
      jitter: Math.random(),
    });
  }

  async #poll(): Promise<void> {
    const of = this.#of;
    const own = (this.#request = new AbortController());
    const signal = AbortSignal.any([this.#life.signal, own.signal]);
    const isHeld = this.#mayHold && (!this.#isAwaited || of.asksForChange);
    const question = { wait: isHeld ? of.waitSeconds : 0, signal };
    this.#isAwaited = false;
    this.#asked = Date.now();
    try {
      this.#held = (await of.ask(question)) ?? this.#held;
      of.onStalled(null);
      // After several failures the host itself was away.
      if (this.#failures > 1) this.#mayHold = true;
      this.#failures = 0;
    } catch (cause) {
      if (!signal.aborted) this.#fail(cause, question.wait > 0);
    } finally {
      this.#request = null;
      own.abort();
    }
  }

  #fail(cause: unknown, wasHeld: boolean): void {
    const error = toClipError(cause);
    if (this.#of.onFailed(error)) return this.end();
    this.#failures++;
    if (error.status! >= 500) this.#mayHold = !wasHeld;
    if (!this.#mayHold) this.#held = false;
    const retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
    if (retryAfter !== null) this.#notBefore = Date.now() + Math.min(retryAfter, maxRetryAfterMs);
    if (this.#failures >= failuresToShow || this.waitLeft()) this.#of.onStalled(error);
  }
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
    signal.addEventListener('abort', () => poll.end());
    poll.askNow();
    await poll.run();
    if (isOut) await client.session!.signedIn(signal);
  } while (isOut && !signal.aborted);
}
