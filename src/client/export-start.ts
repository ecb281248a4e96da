import type { Export } from '../contract/export.ts';
import { isOverdue, isSurelyRefused, type Outcome, readOutcome } from './lost-start.ts';
import { retryDelay } from '../flow/poll-schedule.ts';
import { ClipError } from './clip-error.ts';
import { HttpError, isOtherAccount, toClipError } from './errors.ts';
import type { ClipAddress, HostAnswer, HostClient } from './host-client.ts';
import { onFocus, onReturn, Pause } from './pause.ts';
import {
  type Attempt,
  dropAttempt,
  getKeyBase,
  readAttempt,
  writeAttempt,
} from './attempt-store.ts';
import type { StartOptionsInput } from '../contract/host.ts';
import { hashText } from '../contract/for-pages.ts';

/** The clip and options that an export button exports. */
export interface ExportIntent extends ClipAddress {
  readonly options: StartOptionsInput;
  /** An existing export to watch instead of starting one. */
  readonly exportId: string | null;
}

/** The result of a start: its export, or why it has no export. */
export type StartOutcome =
  | { readonly id: string; readonly answer: HostAnswer<Export> | null }
  | {
      readonly failure: ClipError;
      /** When the start with the unknown outcome was sent: the user has to decide. */
      readonly unresolved?: number;
    };

/** The number of "nothing was started" answers before it is shown: a start may be slow. */
const notStartedAnswersNeeded = 3;

/**
 * Sends the start of an intent at most once, and asks the host what became of it if its answer is
 * lost. The caller of `send` or `resume` holds the lock of the intent. All methods end with the
 * signal.
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
   * sent and the host is asked for its outcome.
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

  /** Asks about a lost start at once. */
  askNow(): void {
    this.#pause.wake();
  }

  /**
   * Starts an export, unless the last attempt has one. `replaced`: an export that counts as none,
   * because it has failed or is of an older revision. `decided`: the `unresolved` start that the
   * person was asked about before this click.
   */
  async send(replaced: string | null, decided: number | null): Promise<StartOutcome> {
    const attempt = readAttempt(this.#slot());
    if (attempt?.id && attempt.id !== replaced) return { id: attempt.id, answer: null };
    const sentAt = Date.now();
    if (!attempt || attempt.id) {
      // A page without memory, or with full storage, makes the same key again.
      const key = makeAttemptKey(this.#intent, getKeyBase(this.#slot()));
      return this.#post({ key, sentAt, id: null, settledAt: null });
    }
    let outcome: Outcome<Export>;
    try {
      outcome = await this.#ask(attempt);
    } catch (cause) {
      this.#life.throwIfAborted();
      return { failure: toClipError(cause) };
    }
    if (typeof outcome === 'object') return this.#accept(outcome, attempt.key);
    // The click of another tab, or one before the loss, has decided nothing about this start.
    const isDecided = outcome === 'unknown' && decided === attempt.sentAt;
    return outcome === 'not-started' || isDecided
      ? this.#post({ ...attempt, sentAt })
      : this.#conclude(attempt, null);
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
      if (!isSurelyRefused(cause)) return await this.#conclude(attempt, cause);
      const failure = toClipError(cause);
      // This key is used up: its export is deleted, or another request had it.
      const isUsed = /^(export-not-found|attempt-mismatch)$/.test(failure.code);
      dropAttempt(slot, isUsed ? attempt.key : undefined);
      return { failure };
    }
  }

  /** Settles an attempt from storage. Null: nothing was started. */
  async resume(attempt: Attempt): Promise<StartOutcome | null> {
    if (attempt.id) return { id: attempt.id, answer: null };
    const outcome = await this.#settle(attempt, null);
    // Too old to be on its way: settled. The key of a younger one stays for the next click.
    if (!outcome && isOverdue(attempt.sentAt)) dropAttempt(this.#slot());
    return outcome;
  }

  /** Settles a start that the user has just requested. */
  async #conclude(attempt: Attempt, cause: unknown): Promise<StartOutcome> {
    const outcome = await this.#settle(attempt, cause);
    if (outcome) return outcome;
    // The key stays: if the start was only slow, the next click uses the same key.
    const message = 'The export has not started. Try again: it is not started twice.';
    return { failure: new ClipError('export-not-started', message, { retryable: true, cause }) };
  }

  /**
   * Asks until the outcome of an attempt is known; null if nothing was started. Sends no start.
   * While the start may be on its way, an answer without a promise says nothing.
   */
  async #settle(attempt: Attempt, cause: unknown): Promise<StartOutcome | null> {
    this.#lost(makeLostError(cause));
    let promises = 0;
    for (let tries = 1; ; tries++) {
      let retryAfter: number | null = null;
      try {
        const outcome = await this.#ask(attempt);
        if (typeof outcome === 'object') return this.#accept(outcome, attempt.key);
        const overdue = isOverdue(attempt.sentAt);
        if (outcome === 'not-started' && (++promises >= notStartedAnswersNeeded || overdue)) {
          return null;
        }
        if (outcome === 'unknown' && overdue) {
          return { failure: makeUnresolvedError(cause), unresolved: attempt.sentAt };
        }
      } catch (failure) {
        this.#life.throwIfAborted();
        const refusal = toClipError(failure);
        if (refusal.status === 401 || refusal.status === 403) return { failure: refusal };
        if (failure instanceof HttpError) retryAfter = failure.retryAfter;
      }
      await this.#waitFor(tries, retryAfter);
    }
  }

  #ask({ key, sentAt }: Attempt): Promise<Outcome<Export>> {
    return readOutcome(this.#client.exportsByAttempt(key, this.#life), sentAt);
  }

  #waitFor(failures: number, retryAfter: number | null): Promise<boolean> {
    const { hidden } = document;
    const delayMs = retryDelay({ failures, retryAfter, hidden, jitter: Math.random() });
    const wait = new AbortController();
    const signal = AbortSignal.any([this.#life, wait.signal]);
    const ask = () => this.askNow();
    onReturn(ask, signal);
    onFocus(ask, signal);
    return this.#pause.for(delayMs, signal).finally(() => wait.abort());
  }

  #accept(answer: HostAnswer<Export>, key: string): StartOutcome {
    const { id } = answer.value;
    const attempt = readAttempt(this.#slot()) ?? { sentAt: Date.now() };
    writeAttempt(this.#slot(), { ...attempt, key, id, settledAt: null });
    return { id, answer };
  }
}

const makeLostError = (cause: unknown): ClipError =>
  new ClipError(
    'export-outcome-unknown',
    'It is not known yet whether the export has started. This is being checked; nothing is started twice.',
    { retryable: true, cause, status: cause instanceof HttpError ? cause.status : null },
  );

const makeUnresolvedError = (cause: unknown): ClipError =>
  new ClipError(
    'export-outcome-unresolved',
    'This site cannot say whether the export has started. Trying again may use up another one.',
    { retryable: true, cause },
  );

/**
 * The attempt key of an intent after the export or key that came before it (`''` at first). It is
 * always the same, so a page that has lost its memory, and another tab, ask for the same attempt.
 */
export const makeAttemptKey = ({ project, folder, options }: ExportIntent, after: string): string =>
  `clip-${hashText(JSON.stringify([project, folder || null, options, after]))}`;
