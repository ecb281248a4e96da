import { maxRetryAfterMs } from '../flow/backoff.ts';
import { nextPoll, type Waiting } from '../flow/poll-schedule.ts';
import type { ClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { HostClient } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { onFocus, onReturn, Pause } from './pause.ts';

export interface Question {
  /**
   * Seconds that the host is asked to hold the request; 0: not at all. Set to 0 by who asks if it
   * does not hold, because a held request that fails is asked plainly from then on.
   */
  wait: number;
  readonly signal: AbortSignal;
}

export interface PollListener {
  /** Several tries have failed (an error), or one works again (null). Asking goes on. */
  onStalled(error: ClipError | null): void;
  /** Asking has ended, or begins anew once a user is signed in. */
  onFailed(error: ClipError): void;
}

/** What is asked for again and again, and who is told. */
export interface Polled extends PollListener {
  readonly client: HostClient;
  readonly holdSeconds: number;
  /** The host holds only until something differs from the last answer, so each may be held. */
  readonly asksForChange?: boolean;
  /** Asks, and passes the answer on. Whether the host has held; null if it was not to. */
  ask(question: Question): Promise<boolean | null>;
  /** What is waited for; null: nobody can say when it changes. If empty, only a wake asks again. */
  waiting(): readonly Waiting[] | null;
  /** Whether an error ends it; by default if nothing was answered before, or it is a refusal. */
  isFinal?(error: ClipError): boolean;
}

/** So many failures in a row are shown. */
const failuresToShow = 3;
/** A longer wait for a host is shown at once. */
const shownWaitMs = 15_000;
/** A longer wait ends when somebody comes back to the page. */
const keptWaitMs = 60_000;
/** If nobody can say when something changes: even if the host holds, answers come no faster. */
const minGapMs = 1000;

/** Whether the host will say the same to the same question. */
const isRefusal = ({ status }: ClipError): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429;

/** Asks a host again and again until it is ended, with one held request at a time. */
export class HeldPoll {
  readonly #of: Polled;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  readonly #pause = new Pause();
  /** The request in flight. */
  #request: AbortController | null = null;
  /** When the last request was sent. */
  #asked = 0;
  #failures = 0;
  #isAnswered = false;
  #isStalled = false;
  /** The host asked for no request before this moment. */
  #notBefore = 0;
  /** Whether this host holds; null until it is known. */
  #held: boolean | null = null;
  /** False if only the requests fail that are to be held. */
  #mayHold = true;
  /** Somebody waits for the next answer. */
  #isAwaited = false;

  constructor(of: Polled, signal?: AbortSignal) {
    this.#of = of;
    this.#signal = AbortSignal.any([this.#end.signal, ...(signal ? [signal] : [])]);
  }

  end(): void {
    this.#end.abort();
  }

  /** Milliseconds until the next request if the host asked for a long wait; otherwise null. */
  get waitLeft(): number | null {
    const left = this.#notBefore - Date.now();
    return left > shownWaitMs ? left : null;
  }

  /** Asks at once, whatever the schedule or the host says, because a person wants it. */
  refresh(): void {
    this.#notBefore = 0;
    this.askNow();
  }

  /** Asks as soon as the host allows. Aborts the request in flight: its connection may be dead. */
  askNow(): void {
    this.#isAwaited = true;
    this.#request?.abort();
    this.#pause.wake();
  }

  /** More is waited for. Once it is time to ask for it, aborts a request that does not. */
  add(one: Waiting): void {
    const request = this.#request;
    if (request) {
      new Pause().for(this.#delay([one]), request.signal).then(
        () => request.abort(),
        () => {},
      );
    }
    this.#pause.wake();
  }

  /** Resolves when asking has ended. */
  async run(): Promise<void> {
    const signal = this.#signal;
    onReturn(() => this.#returned(), signal);
    // Focus also moves within the page, so it matters only after a failure.
    onFocus(() => {
      if (this.#failures) this.#returned();
    }, signal);
    // Who begins to wait in the same task shares the first request.
    await null;
    while (!signal.aborted) {
      const delay = this.#delay();
      if (this.#isAwaited ? this.#notBefore > Date.now() : delay !== 0) {
        try {
          // Woken because what is waited for has changed: plan again. The clock cannot tell,
          // because timers may be early.
          if (await this.#pause.for(delay, signal)) continue;
        } catch {
          return;
        }
      }
      if (!(await this.#poll())) return;
    }
  }

  /** Somebody has come back to the page: ends a long wait, but not a short one. */
  #returned(): void {
    if (this.#notBefore - Date.now() > keptWaitMs) this.#notBefore = 0;
    this.askNow();
  }

  #delay(waiting = this.#failures ? null : this.#of.waiting()): number | null {
    const now = Date.now();
    const { hidden } = document;
    // The first question is not held; the next one shows whether this host holds.
    if (!waiting && !this.#failures && this.#held === null && !hidden) return 0;
    const delay = nextPoll({
      now,
      waiting: waiting ?? [{ since: now, estimate: null }],
      held: this.#held,
      asked: this.#asked,
      failures: this.#failures,
      retryAfter: this.#notBefore - now,
      hidden,
      jitter: Math.random(),
    });
    return waiting ? delay : Math.max(delay!, this.#asked + minGapMs - now);
  }

  /** False if asking has ended. */
  async #poll(): Promise<boolean> {
    const request = (this.#request = new AbortController());
    const signal = AbortSignal.any([this.#signal, request.signal]);
    const isHeld = this.#mayHold && (!this.#isAwaited || this.#of.asksForChange);
    const question = { wait: isHeld ? this.#of.holdSeconds : 0, signal };
    this.#isAwaited = false;
    this.#asked = Date.now();
    try {
      this.#held = (await this.#of.ask(question)) ?? this.#held;
      if (this.#isStalled) this.#of.onStalled(null);
      this.#isStalled = false;
      this.#isAnswered = true;
      // After several failures the host itself was away.
      if (this.#failures > 1) this.#mayHold = true;
      this.#failures = 0;
      return true;
    } catch (cause) {
      return signal.aborted || (await this.#fail(cause, question.wait > 0));
    } finally {
      this.#request = null;
      request.abort();
    }
  }

  async #fail(cause: unknown, wasHeld: boolean): Promise<boolean> {
    const error = toClipError(cause);
    if (this.#of.isFinal?.(error) ?? (!this.#isAnswered || isRefusal(error))) {
      this.#of.onFailed(error);
      if (error.code !== 'signed-out' || this.#signal.aborted) return false;
      await this.#of.client.session!.signedIn(this.#signal);
      this.#failures = this.#notBefore = 0;
      this.#isAwaited = this.#mayHold = true;
      this.#isAnswered = this.#isStalled = false;
      this.#held = null;
      return true;
    }
    this.#failures++;
    if (error.status! >= 500) this.#mayHold = !wasHeld;
    if (!this.#mayHold) this.#held = false;
    const retryAfter = cause instanceof HttpError ? cause.retryAfter : null;
    if (retryAfter !== null) this.#notBefore = Date.now() + Math.min(retryAfter, maxRetryAfterMs);
    if (this.#failures >= failuresToShow || this.waitLeft !== null) {
      this.#isStalled = true;
      this.#of.onStalled(error);
    }
    return true;
  }
}
