import { startWindowMs } from '../contract/attempt-lifetime.ts';
import type { Export } from '../contract/export.ts';
import { maySendAgain } from '../flow/attempt-outcome.ts';
import { retryDelay } from '../flow/backoff.ts';
import { isOfClip } from '../flow/clip-match.ts';
import { attemptKey } from './attempt-key.ts';
import { exportMismatch, searchAttempt, type AttemptResult } from './attempt-search.ts';
import {
  dropAttempt,
  lastExport,
  readAttempt,
  ruleOut,
  writeAttempt,
  type Attempt,
} from './attempt-store.ts';
import { ClipError, isClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { ExportIntent } from './export-intent.ts';
import type { HostAnswer, HostClient } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { isOtherAccount } from './other-account.ts';
import { onFocus, onReturn, Pause } from './pause.ts';
import { revisionOf } from './revisions.ts';

/** The result of a start: its export, or why it has no export. */
export type StartOutcome =
  | { readonly id: string; readonly answer: HostAnswer<Export> | null }
  | {
      readonly failure: ClipError;
      readonly limit?: boolean;
      /** Exports that it may have started, to choose from. */
      readonly candidates?: readonly Export[];
    };

/** How often a host that keeps keys must say "nothing was started" before it is believed. */
const notStartedAnswersNeeded = 3;

/**
 * Sends the start of an intent at most once, and finds out what became of it if its answer is lost.
 * Whoever calls `send` or `resume` holds the lock of the intent. All methods end with the signal.
 */
export class ExportStarter {
  readonly #client: HostClient;
  readonly #intent: ExportIntent;
  readonly #slot: () => string;
  readonly #life: AbortSignal;
  readonly #lost: (failure: ClipError) => void;
  readonly #pause = new Pause();

  /**
   * `slot`: the intent's slot in storage, of the present account. `lost`: called when a start was
   * sent and its outcome is being searched for.
   */
  constructor(
    client: HostClient,
    intent: ExportIntent,
    slot: () => string,
    life: AbortSignal,
    lost: (failure: ClipError) => void,
  ) {
    this.#client = client;
    this.#intent = intent;
    this.#slot = slot;
    this.#life = life;
    this.#lost = lost;
  }

  /** Does not wait for the next search for a lost start. */
  searchNow(): void {
    this.#pause.wake();
  }

  /**
   * Starts an export, unless the last attempt has one. `replaced`: an export that counts as none,
   * because it has failed or is of an older revision.
   */
  async send(replaced: string | null): Promise<StartOutcome> {
    const attempt = readAttempt(this.#slot());
    if (attempt?.id && attempt.id !== replaced) return { id: attempt.id, answer: null };
    if (!attempt || attempt.id) return this.#sendNew();
    // The outcome of an earlier start is open: search first, and send only under the same key.
    let found: AttemptResult;
    try {
      found = await this.#search(attempt);
    } catch (cause) {
      this.#life.throwIfAborted();
      return { failure: toClipError(cause) };
    }
    if (typeof found !== 'string') {
      if ('value' in found) return this.#accept(found, attempt.key);
      return this.#conclude(attempt, lostError(null));
    }
    if (!maySendAgain(found, ageMsOf(attempt))) return this.#conclude(attempt, lostError(null));
    return this.#post({ ...attempt, sentAt: Date.now() });
  }

  /**
   * Sends a start under the next key of the intent. A page without memory, or with full storage,
   * gets the export of an earlier start with that key.
   */
  #sendNew(): Promise<StartOutcome> {
    const at = Date.now();
    const key = attemptKey(this.#intent, lastExport(this.#slot()));
    const revision = revisionOf(this.#intent.project);
    return this.#post({ key, at, sentAt: at, id: null, settledAt: null, revision });
  }

  async #post(attempt: Attempt): Promise<StartOutcome> {
    const slot = this.#slot();
    writeAttempt(slot, attempt);
    const { project, folder, options } = this.#intent;
    const body = { project_id: project, ...(folder ? { folder_id: folder } : {}), ...options };
    try {
      const answer = await this.#client.startExport(body, attempt.key, this.#life);
      return this.#accept(answer, attempt.key);
    } catch (cause) {
      // Also after the session has gone on to the account that is signed in.
      if (!isOtherAccount(cause)) this.#life.throwIfAborted();
      if (!isSurelyRefused(cause)) return await this.#conclude(attempt, lostError(cause));
      dropAttempt(slot);
      const failure = toClipError(cause);
      // This key has made an export that is gone. The next try comes after it.
      if (failure.code === 'export-not-found') ruleOut(slot, [attempt.key]);
      return { failure, limit: failure.code === 'export-limit' };
    }
  }

  /** Settles an attempt from storage. Null: nothing was started. */
  async resume(attempt: Attempt): Promise<StartOutcome | null> {
    if (attempt.id) return { id: attempt.id, answer: null };
    const outcome = await this.#settle(attempt, lostError(null));
    // Too old to be on its way: settled. The key of a younger one stays for the next click.
    if (!outcome && ageMsOf(attempt) >= startWindowMs) dropAttempt(this.#slot());
    return outcome;
  }

  /**
   * Goes on searching after "not started", while the start may still be on its way. Null: no export
   * came of it, or `isOpen` no longer holds.
   */
  async searchLater(isOpen: () => boolean): Promise<StartOutcome | null> {
    const attempt = readAttempt(this.#slot());
    if (!attempt || attempt.id) return null;
    for (let tries = notStartedAnswersNeeded; ageMsOf(attempt) < startWindowMs; tries++) {
      try {
        await this.#waitFor(tries, null);
        const now = readAttempt(this.#slot());
        if (!isOpen() || now?.key !== attempt.key || now.id) return null;
        const found = await this.#search(attempt);
        if (!isOpen()) return null;
        if (typeof found !== 'string' && 'value' in found) return this.#accept(found, attempt.key);
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
    const message = 'The export has not started. Try again: it is not started twice.';
    const { cause } = failure;
    return { failure: new ClipError('export-not-started', message, { retryable: true, cause }) };
  }

  /**
   * Searches until the outcome of an attempt is known; null if nothing was started. Sends no start.
   * While the start may be on its way, an empty answer proves nothing if the host keeps no keys.
   */
  async #settle(attempt: Attempt, failure: ClipError): Promise<StartOutcome | null> {
    this.#lost(failure);
    let notStartedAnswers = 0;
    for (let tries = 1; ; tries++) {
      let retryAfterMs: number | null = null;
      try {
        const found = await this.#search(attempt);
        if (typeof found !== 'string' && 'value' in found) return this.#accept(found, attempt.key);
        if (found === 'not-started' && ++notStartedAnswers >= notStartedAnswersNeeded) return null;
        if (found !== 'in-flight' && ageMsOf(attempt) >= startWindowMs) {
          if (found === 'not-started') return null;
          const candidates = found === 'unknown' ? [] : found.candidates;
          return { failure: unresolvedError(failure.cause), candidates };
        }
      } catch (cause) {
        this.#life.throwIfAborted();
        const refusal = toClipError(cause);
        if (isClipError(cause) || refusal.status === 401 || refusal.status === 403) {
          return { failure: refusal };
        }
        if (cause instanceof HttpError) retryAfterMs = cause.retryAfter;
      }
      await this.#waitFor(tries, retryAfterMs);
    }
  }

  #search(attempt: Attempt): Promise<AttemptResult> {
    return searchAttempt(this.#client, this.#intent, attempt, this.#life);
  }

  #waitFor(failures: number, retryAfter: number | null): Promise<boolean> {
    const { hidden } = document;
    const delayMs = retryDelay({ failures, retryAfter, hidden, jitter: Math.random() });
    const wait = new AbortController();
    const signal = AbortSignal.any([this.#life, wait.signal]);
    const search = () => this.searchNow();
    onReturn(search, signal);
    onFocus(search, signal);
    return this.#pause.for(delayMs, signal).finally(() => wait.abort());
  }

  #accept(answer: HostAnswer<Export>, key: string): StartOutcome {
    if (!isOfClip(answer.value, this.#intent)) return { failure: exportMismatch() };
    const { id } = answer.value;
    this.#settleWith(id, key);
    return { id, answer };
  }

  /** A person has chosen one of the candidates. */
  choose(id: string): void {
    const attempt = readAttempt(this.#slot());
    if (attempt) this.#settleWith(id, attempt.key);
  }

  #settleWith(id: string, key: string): void {
    const now = Date.now();
    const attempt = readAttempt(this.#slot()) ?? { key, at: now, sentAt: now };
    writeAttempt(this.#slot(), { ...attempt, key, id, settledAt: null });
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

const unresolvedError = (cause: unknown): ClipError =>
  new ClipError(
    'export-outcome-unresolved',
    'This site cannot say whether the export has started. Trying again may use up another one.',
    { retryable: true, cause },
  );
