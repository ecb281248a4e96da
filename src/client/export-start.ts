import type { Export } from '../contract/export.ts';
import { inFlightLimitMs, maySendAgain, type NoExport } from '../flow/attempt-outcome.ts';
import { retryDelay } from '../flow/backoff.ts';
import { isOfClip } from '../flow/clip-match.ts';
import { newAttemptKey } from './attempt-key.ts';
import { exportMismatch, searchAttempt } from './attempt-search.ts';
import { dropAttempt, readAttempt, writeAttempt, type Attempt } from './attempt-store.ts';
import { ClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { ExportIntent } from './export-intent.ts';
import type { HostAnswer, HostClient } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { onFocus, onReturn, Pause } from './pause.ts';

/** What became of a start: its export, or why there is none. */
export type StartOutcome =
  | { readonly id: string; readonly answer: HostAnswer<Export> | null }
  | { readonly failure: ClipError; readonly limit?: boolean };

/** How often a host that keeps keys must say "nothing was started" before it is believed. */
const noneAnswersNeeded = 3;

/**
 * Sends the start of an intent at most once, and finds out what became of it if its answer is lost.
 * Whoever calls `send` or `resume` holds the lock of the intent. All methods end with the signal.
 */
export class ExportStarter {
  readonly #client: HostClient;
  readonly #intent: ExportIntent;
  readonly #name: string;
  readonly #life: AbortSignal;
  readonly #lost: (failure: ClipError) => void;
  readonly #pause = new Pause();

  /** `lost`: called when a start was sent and its outcome is being searched for. */
  constructor(
    client: HostClient,
    intent: ExportIntent,
    name: string,
    life: AbortSignal,
    lost: (failure: ClipError) => void,
  ) {
    this.#client = client;
    this.#intent = intent;
    this.#name = name;
    this.#life = life;
    this.#lost = lost;
    onReturn(() => this.searchNow(), life);
    onFocus(() => this.searchNow(), life);
  }

  /** Does not wait for the next search for a lost start. */
  searchNow(): void {
    this.#pause.wake();
  }

  /** Starts an export, unless the last attempt has one. `failed`: an export that counts as none. */
  async send(failed: string | null): Promise<StartOutcome> {
    let attempt = readAttempt(this.#name);
    if (attempt?.id && attempt.id !== failed) return { id: attempt.id, answer: null };
    if (attempt?.id) attempt = null;
    if (attempt) {
      // The outcome of an earlier start is open: search first, and send only under the same key.
      let found: HostAnswer<Export> | NoExport;
      try {
        found = await this.#search(attempt);
      } catch (cause) {
        this.#life.throwIfAborted();
        return { failure: toClipError(cause) };
      }
      if (typeof found !== 'string') return this.#accept(found, attempt.key);
      if (!maySendAgain(found, ageMsOf(attempt))) return this.#conclude(attempt, lostError(null));
    }
    const sentAt = Date.now();
    attempt = attempt
      ? { ...attempt, sentAt }
      : { key: newAttemptKey(), at: sentAt, sentAt, id: null, settledAt: null };
    writeAttempt(this.#name, attempt);
    const { project, folder, options } = this.#intent;
    const body = { project_id: project, ...(folder ? { folder_id: folder } : {}), ...options };
    try {
      const answer = await this.#client.startExport(body, attempt.key, this.#life);
      return this.#accept(answer, attempt.key);
    } catch (cause) {
      this.#life.throwIfAborted();
      if (!isSurelyRefused(cause)) return this.#conclude(attempt, lostError(cause));
      dropAttempt(this.#name);
      const failure = toClipError(cause);
      return { failure, limit: failure.code === 'export-limit' };
    }
  }

  /** Settles an attempt from storage. Null: nothing was started. */
  async resume(attempt: Attempt): Promise<StartOutcome | null> {
    if (attempt.id) return { id: attempt.id, answer: null };
    const outcome = await this.#settle(attempt, lostError(null));
    // Too old to be on its way: settled. The key of a younger one stays for the next click.
    if (!outcome && ageMsOf(attempt) >= inFlightLimitMs) dropAttempt(this.#name);
    return outcome;
  }

  /**
   * Goes on searching after "not started", while the start may still be on its way. Null: no export
   * came of it, or `isOpen` no longer holds.
   */
  async searchLater(isOpen: () => boolean): Promise<StartOutcome | null> {
    const attempt = readAttempt(this.#name);
    if (!attempt || attempt.id) return null;
    for (let tries = noneAnswersNeeded; ageMsOf(attempt) < inFlightLimitMs; tries++) {
      try {
        await this.#waitFor(tries, null);
        const now = readAttempt(this.#name);
        if (!isOpen() || now?.key !== attempt.key || now.id) return null;
        const found = await this.#search(attempt);
        if (!isOpen()) return null;
        if (typeof found !== 'string') return this.#accept(found, attempt.key);
      } catch {
        if (this.#life.aborted) return null;
      }
    }
    return null;
  }

  /** Settles a start that somebody has just asked for. */
  async #conclude(attempt: Attempt, failure: ClipError): Promise<StartOutcome> {
    const outcome = await this.#settle(attempt, failure);
    if (outcome) return outcome;
    // The key stays: if the start was only slow, the next click uses the same key.
    const message = 'The export did not start, and nothing was used up. Try again.';
    const { cause } = failure;
    return { failure: new ClipError('export-not-started', message, { retryable: true, cause }) };
  }

  /**
   * Searches until the outcome of an attempt is known; null if nothing was started. Sends no start.
   * While the start may be on its way, an empty answer proves nothing if the host keeps no keys.
   */
  async #settle(attempt: Attempt, failure: ClipError): Promise<StartOutcome | null> {
    this.#lost(failure);
    let noneAnswers = 0;
    for (let tries = 1; ; tries++) {
      let retryAfterMs: number | null = null;
      try {
        const found = await this.#search(attempt);
        if (typeof found !== 'string') return this.#accept(found, attempt.key);
        if (found === 'none') noneAnswers++;
        const isOver = found !== 'in-flight' && ageMsOf(attempt) >= inFlightLimitMs;
        if (isOver || noneAnswers >= noneAnswersNeeded) {
          return found === 'untold' ? { failure: untoldError(failure.cause) } : null;
        }
      } catch (cause) {
        this.#life.throwIfAborted();
        const refusal = toClipError(cause);
        if (cause instanceof ClipError || refusal.status === 401 || refusal.status === 403) {
          return { failure: refusal };
        }
        if (cause instanceof HttpError) retryAfterMs = cause.retryAfter;
      }
      await this.#waitFor(tries, retryAfterMs);
    }
  }

  #search(attempt: Attempt): Promise<HostAnswer<Export> | NoExport> {
    const watermark = !!this.#intent.options.watermark;
    return searchAttempt(this.#client, this.#intent, watermark, attempt, this.#life);
  }

  #waitFor(failures: number, retryAfter: number | null): Promise<boolean> {
    const { hidden } = document;
    const delayMs = retryDelay({ failures, retryAfter, hidden, jitter: Math.random() });
    return this.#pause.for(delayMs, this.#life);
  }

  #accept(answer: HostAnswer<Export>, key: string): StartOutcome {
    if (!isOfClip(answer.value, this.#intent)) return { failure: exportMismatch() };
    const { id } = answer.value;
    const now = Date.now();
    const attempt = readAttempt(this.#name) ?? { key, at: now, sentAt: now };
    writeAttempt(this.#name, { ...attempt, key, id, settledAt: null });
    return { id, answer };
  }
}

/** Every 4xx says that nothing was started, and a 5xx that says so itself. */
const isSurelyRefused = (cause: unknown): boolean =>
  cause instanceof HttpError &&
  ((cause.status < 500 && cause.status !== 408) || cause.problem?.unknown_outcome === false);

/** The time since the start was last sent. */
const ageMsOf = (attempt: Attempt): number => Date.now() - attempt.sentAt;

const lostError = (cause: unknown): ClipError =>
  new ClipError(
    'export-outcome-unknown',
    'It is not known yet whether the export has started. This is being checked; nothing is started twice.',
    { retryable: true, cause, status: cause instanceof HttpError ? cause.status : null },
  );

const untoldError = (cause: unknown): ClipError =>
  new ClipError(
    'export-outcome-untold',
    'This site cannot say whether the export has started. Trying again may use up another one.',
    { retryable: true, cause },
  );
