import type { Export } from '../contract/export.ts';
import type { StartOptionsInput } from '../contract/host.ts';
import { inFlightLimitMs, maySendAgain, type NoExport } from '../flow/attempt-outcome.ts';
import { retryDelay } from '../flow/backoff.ts';
import { isOfClip } from '../flow/clip-match.ts';
import {
  exportNext,
  exportStart,
  type ExportEvent,
  type ExportState,
} from '../flow/export-machine.ts';
import { progressOf } from '../flow/poll-schedule.ts';
import { newAttemptKey } from './attempt-key.ts';
import { exportMismatch, searchAttempt } from './attempt-search.ts';
import {
  dropAttempt,
  onAttempt,
  readAttempt,
  writeAttempt,
  type Attempt,
} from './attempt-store.ts';
import { ClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { ExportWatcher } from './export-watcher.ts';
import type { ClipAddress, HostAnswer, HostClient } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { onFocus, onReturn, Pause } from './pause.ts';
import { withTabLock } from './tab-lock.ts';

/** What an export button stands for. */
export interface ExportIntent extends ClipAddress {
  readonly options: StartOptionsInput;
  /** An export that exists and is to be watched, rather than one to start. */
  readonly exportId: string | null;
}

export type SessionState = ExportState<ClipError>;

/** How often a host that keeps keys says that nothing was started, before a start counts as not carried out. */
const noneAnswers = 3;

/** What is known of a start in the end, where no export came of it. */
type Settled = 'none' | 'untold';

/**
 * One intent of a page (clip, folder, options): shared by every button that stands for it, so that they start one export
 * together. It lives as long as somebody listens; the attempt itself is remembered in storage.
 */
export class ExportSession {
  readonly #client: HostClient;
  readonly #watcher: ExportWatcher;
  readonly #intent: ExportIntent;
  readonly #name: string;
  readonly #ended: () => void;
  readonly #listeners = new Set<() => void>();
  readonly #pause = new Pause();
  #life: AbortController | null = null;
  #watching: AbortController | null = null;
  #watchedId: string | null = null;
  #state: SessionState = exportStart;
  #skew = 0;
  #progress = 0;
  #learnt = 0;
  #sawProcessing = false;

  /** `ended`: called when nobody listens any more. */
  constructor(
    client: HostClient,
    watcher: ExportWatcher,
    intent: ExportIntent,
    name: string,
    ended: () => void,
  ) {
    this.#client = client;
    this.#watcher = watcher;
    this.#intent = intent;
    this.#name = name;
    this.#ended = ended;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** 0 to 0.99 while processing, 1 when ready, null where nothing honest can be said. Never falls for one export. */
  get progress(): number | null {
    const { status, export: one } = this.#state;
    if (status === 'ready') return 1;
    if (status !== 'processing' || !one?.estimated_ready_at) return null;
    const share = progressOf(
      { since: Date.parse(one.created_at), estimate: Date.parse(one.estimated_ready_at) },
      Date.now() + this.#skew,
    );
    return share === null ? null : (this.#progress = Math.max(this.#progress, share));
  }

  /** Milliseconds until a running export is expected to be ready; null where nobody says, or the time is over. */
  get timeLeft(): number | null {
    const { status, export: one } = this.#state;
    if (status !== 'processing' || !one?.estimated_ready_at) return null;
    const left = Date.parse(one.estimated_ready_at) - Date.now() - this.#skew;
    return left > 0 ? left : null;
  }

  /** Milliseconds until the next request where the host asked for a long wait; else null. */
  get waitLeft(): number | null {
    return this.#state.status === 'processing' ? this.#watcher.waitLeft : null;
  }

  /** When the export was last heard of, in milliseconds since 1970. */
  get learnt(): number {
    return this.#learnt;
  }

  /** Tells of every change until the signal is aborted; the first listener brings the session to life. */
  listen(listener: () => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#listeners.add(listener);
    signal.addEventListener(
      'abort',
      () => {
        this.#listeners.delete(listener);
        if (!this.#listeners.size) this.#end();
      },
      { once: true },
    );
    if (!this.#life) this.#begin();
  }

  /** Sends a start, unless one is on its way, its outcome is open, or an export is there. Never rejects. */
  async start(): Promise<void> {
    const life = this.#life?.signal;
    const failed = this.#state.export?.id ?? null;
    if (!life || !this.#apply({ type: 'start' })) return;
    try {
      await withTabLock(this.#name, life, () => this.#startOnce(failed, life));
      void this.#lookLater(life);
    } catch (cause) {
      // Where it was aborted, the attempt is in storage, and is settled when somebody looks again.
      if (!life.aborted) this.#refuse(toClipError(cause));
    }
  }

  /** A new export after a failed one; after a failed look, another look at the same. */
  async retry(): Promise<void> {
    const { status, error } = this.#state;
    if (status === 'unknown') {
      this.#pause.wake();
    } else if (status === 'processing') {
      this.#watcher.refresh();
    } else if (status === 'error' || status === 'limit') {
      const id = this.#intent.exportId ?? readAttempt(this.#name)?.id;
      if (id && error?.code !== 'export-failed') this.#watch(id, null);
      else await this.start();
    }
  }

  /** Forgets the settled export, so that another one can be started. */
  reset(): void {
    if (!['ready', 'error', 'limit'].includes(this.#state.status)) return;
    dropAttempt(this.#name);
    this.#watchedId = null;
    this.#apply({ type: 'reset' });
  }

  /** Asks for a fresh Export Object (a link may have gone stale). */
  async refresh(signal: AbortSignal): Promise<Export> {
    const { export: one } = this.#state;
    if (!one) throw new ClipError('export-not-found', 'There is no export yet.');
    try {
      const answer = await this.#client.getExport(
        one.id,
        { project: one.project_id, folder: one.folder_id },
        signal,
      );
      this.#learnt = Date.now();
      if (answer.value.status === 'ready') this.#set({ ...this.#state, export: answer.value });
      return answer.value;
    } catch (cause) {
      signal.throwIfAborted();
      throw toClipError(cause);
    }
  }

  /** True once, over all tabs, for an export whose rendering was seen here: may its file be downloaded without a click? */
  claimDownload(): boolean {
    const attempt = readAttempt(this.#name);
    if (!this.#sawProcessing || attempt?.downloaded) return false;
    this.#sawProcessing = false;
    if (attempt) writeAttempt(this.#name, { ...attempt, downloaded: true });
    return true;
  }

  downloadUrl(one: Export): string {
    return this.#client.downloadUrl(one.id, { project: one.project_id, folder: one.folder_id });
  }

  #begin(): void {
    const { signal } = (this.#life = new AbortController());
    onAttempt(this.#name, () => this.#resume(signal), signal);
    onReturn(() => this.#pause.wake(), signal);
    onFocus(() => this.#pause.wake(), signal);
    if (this.#intent.exportId) this.#watch(this.#intent.exportId, null);
    else this.#resume(signal);
  }

  #end(): void {
    this.#life?.abort();
    this.#life = this.#watching = this.#watchedId = null;
    this.#set(exportStart);
    this.#ended();
  }

  /** Picks up what is remembered: a known export is watched, an open attempt settled. */
  #resume(life: AbortSignal): void {
    const { status, export: one } = this.#state;
    const attempt = this.#intent.exportId ? null : readAttempt(this.#name);
    if (!attempt || status === 'starting') return;
    if (attempt.id) {
      const shown = status === 'error' && one?.status === 'error' && one.id === attempt.id;
      if (!shown) this.#watch(attempt.id, null);
    } else if (status === 'idle') {
      // Whoever holds the lock is still sending it.
      withTabLock(this.#name, life, async () => {
        const now = readAttempt(this.#name);
        if (now?.id) this.#watch(now.id, null);
        else if (now) await this.#resumeOpen(now, life);
      }).then(
        () => this.#lookLater(life),
        () => {},
      );
    }
  }

  async #resumeOpen(attempt: Attempt, life: AbortSignal): Promise<void> {
    const settled = await this.#settle(attempt, lostError(null), life);
    if (settled === 'untold') this.#refuse(untoldError());
    if (settled !== 'none') return;
    // Too old to be on its way: it is settled now. A younger one keeps its key for the next click.
    if (ageOf(attempt) >= inFlightLimitMs) dropAttempt(this.#name);
    this.#apply({ type: 'reset' });
  }

  async #startOnce(failed: string | null, life: AbortSignal): Promise<void> {
    let attempt = readAttempt(this.#name);
    if (attempt?.id && attempt.id !== failed) return this.#watch(attempt.id, null);
    if (attempt?.id) attempt = null;
    if (attempt) {
      // An earlier start without a known outcome: asked about first, and sent again only under its own key.
      let outcome: HostAnswer<Export> | NoExport;
      try {
        outcome = await this.#search(attempt, life);
      } catch (cause) {
        life.throwIfAborted();
        return this.#refuse(toClipError(cause));
      }
      if (typeof outcome !== 'string') return this.#accept(outcome, attempt.key);
      if (!maySendAgain(outcome, ageOf(attempt))) {
        return this.#conclude(attempt, lostError(null), life);
      }
    }
    const sentAt = Date.now();
    attempt = attempt
      ? { ...attempt, sentAt }
      : { key: newAttemptKey(), at: sentAt, sentAt, id: null, settledAt: null };
    writeAttempt(this.#name, attempt);
    const { project, folder, options } = this.#intent;
    try {
      this.#accept(
        await this.#client.startExport(
          { project_id: project, ...(folder ? { folder_id: folder } : {}), ...options },
          attempt.key,
          life,
        ),
        attempt.key,
      );
    } catch (cause) {
      life.throwIfAborted();
      if (!refusedForSure(cause)) return this.#conclude(attempt, lostError(cause), life);
      dropAttempt(this.#name);
      const failure = toClipError(cause);
      this.#refuse(failure, failure.code === 'export-limit');
    }
  }

  /** Settles a start that somebody has just asked for, and says how it ended. */
  async #conclude(attempt: Attempt, failure: ClipError, life: AbortSignal): Promise<void> {
    const settled = await this.#settle(attempt, failure, life);
    if (settled === 'untold') this.#refuse(untoldError(failure.cause));
    if (settled !== 'none') return;
    // The key stays: should the start have been only slow, the next click meets it under the same key.
    this.#refuse(
      new ClipError(
        'export-not-started',
        'The export did not start, and nothing was used up. Try again.',
        { retryable: true, cause: failure.cause },
      ),
    );
  }

  /**
   * Looks for the export of an attempt until it is found (null), or it is known how things stand. Sends no start. While
   * the start may still be on its way, no empty answer of a host that keeps no keys ends the search.
   */
  async #settle(attempt: Attempt, failure: ClipError, life: AbortSignal): Promise<Settled | null> {
    this.#apply({ type: 'lost', failure });
    let none = 0;
    for (let tries = 1; ; tries++) {
      let retryAfter: number | null = null;
      try {
        const outcome = await this.#search(attempt, life);
        if (typeof outcome !== 'string') {
          this.#accept(outcome, attempt.key);
          return null;
        }
        if (outcome === 'none') none++;
        if (none >= noneAnswers || (outcome !== 'in-flight' && ageOf(attempt) >= inFlightLimitMs)) {
          return outcome === 'untold' ? 'untold' : 'none';
        }
      } catch (cause) {
        life.throwIfAborted();
        const failure = toClipError(cause);
        if (cause instanceof ClipError || failure.status === 401 || failure.status === 403) {
          this.#refuse(failure);
          return null;
        }
        if (cause instanceof HttpError) ({ retryAfter } = cause);
      }
      await this.#pause.for(this.#retryDelay(tries, retryAfter), life);
    }
  }

  /** Goes on looking for a start that seems not to have come about, while it may still be on its way. */
  async #lookLater(life: AbortSignal): Promise<void> {
    const seemsNotStarted = (): boolean => {
      const { status, error } = this.#state;
      return status === 'idle' || (status === 'error' && error?.code === 'export-not-started');
    };
    const attempt = readAttempt(this.#name);
    if (!attempt || attempt.id) return;
    for (let tries = noneAnswers; ageOf(attempt) < inFlightLimitMs; tries++) {
      try {
        await this.#pause.for(this.#retryDelay(tries, null), life);
        const now = readAttempt(this.#name);
        if (!seemsNotStarted() || now?.key !== attempt.key || now.id) return;
        const outcome = await this.#search(attempt, life);
        if (!seemsNotStarted()) return;
        if (typeof outcome !== 'string') return this.#accept(outcome, attempt.key);
      } catch {
        if (life.aborted) return;
      }
    }
  }

  #search(attempt: Attempt, life: AbortSignal): Promise<HostAnswer<Export> | NoExport> {
    const { options } = this.#intent;
    return searchAttempt(this.#client, this.#intent, !!options.watermark, attempt, life);
  }

  #retryDelay(tries: number, retryAfter: number | null): number {
    const { hidden } = document;
    return retryDelay({ failures: tries, retryAfter, hidden, jitter: Math.random() });
  }

  #accept(answer: HostAnswer<Export>, key: string): void {
    const { id } = answer.value;
    if (!isOfClip(answer.value, this.#intent)) return this.#refuse(exportMismatch());
    const now = Date.now();
    const attempt = readAttempt(this.#name) ?? { key, at: now, sentAt: now };
    writeAttempt(this.#name, { ...attempt, key, id, settledAt: null });
    this.#watch(id, answer);
  }

  #watch(id: string, first: HostAnswer<Export> | null): void {
    const life = this.#life;
    const { status } = this.#state;
    if (!life || (id === this.#watchedId && (status === 'processing' || status === 'ready')))
      return;
    this.#watchedId = id;
    this.#watching?.abort();
    this.#watching = new AbortController();
    const signal = AbortSignal.any([life.signal, this.#watching.signal]);
    this.#progress = 0;
    this.#sawProcessing = false;
    this.#apply({ type: 'adopt', export: null });
    if (first) this.#heard(first.value, first.skew);
    if (this.#state.status !== 'processing') return;
    this.#watcher.watch(
      id,
      first,
      {
        heard: (answer, skew) => this.#heard(answer, skew),
        stalled: (failure) => this.#apply({ type: 'stalled', failure }),
        refused: (failure) => this.#refuse(failure),
        gone: () => void this.#gone(id, signal),
      },
      signal,
    );
  }

  #heard(answer: Export, skew: number): void {
    if (!isOfClip(answer, this.#intent)) {
      this.#watching?.abort();
      return this.#refuse(exportMismatch());
    }
    this.#skew = skew;
    this.#learnt = Date.now();
    if (answer.status === 'processing') this.#sawProcessing = true;
    else this.#noteSettled(answer.id);
    this.#apply({
      type: 'heard',
      export: answer,
      failure: new ClipError(
        'export-failed',
        answer.failure?.message || 'The export failed. Start a new one.',
        { retryable: true },
      ),
    });
  }

  /** A day from now the intent may be for a new export. */
  #noteSettled(id: string): void {
    const attempt = readAttempt(this.#name);
    if (attempt?.id !== id || attempt.settledAt !== null) return;
    writeAttempt(this.#name, { ...attempt, settledAt: Date.now() });
  }

  /** The export stands in no list. Before it is forgotten, and could be paid for again, it is asked for by itself. */
  async #gone(id: string, signal: AbortSignal): Promise<void> {
    const { project, folder } = this.#intent;
    try {
      const answer = await this.#client.getExport(id, { project, folder: folder ?? null }, signal);
      if (answer.value.id !== id) return this.#refuse(exportMismatch());
      this.#watchedId = null;
      return this.#watch(id, answer);
    } catch (cause) {
      if (signal.aborted) return;
      const failure = toClipError(cause);
      if (failure.status !== 404) return this.#refuse(failure);
    }
    dropAttempt(this.#name);
    this.#watchedId = null;
    if (!this.#intent.exportId && !this.#state.export) this.#apply({ type: 'reset' });
    else {
      this.#refuse(
        new ClipError('export-not-found', 'This export no longer exists.', { status: 404 }),
      );
    }
  }

  #refuse(failure: ClipError, limit = false): void {
    this.#apply({ type: 'refused', failure, limit });
  }

  /** True where the event changed something. */
  #apply(event: ExportEvent<ClipError>): boolean {
    return this.#set(exportNext(this.#state, event));
  }

  #set(next: SessionState): boolean {
    if (next === this.#state) return false;
    this.#state = next;
    for (const listener of [...this.#listeners]) listener();
    return true;
  }
}

/** A refusal that says that nothing was started: every 4xx, and a 5xx that says so itself. */
const refusedForSure = (cause: unknown): boolean =>
  cause instanceof HttpError &&
  ((cause.status < 500 && cause.status !== 408) || cause.problem?.unknown_outcome === false);

/** Milliseconds since the start was last sent. */
const ageOf = (attempt: Attempt): number => Date.now() - attempt.sentAt;

const lostError = (cause: unknown): ClipError =>
  new ClipError(
    'export-outcome-unknown',
    'It is not known yet whether the export has started. This is being checked; nothing is started twice.',
    { retryable: true, cause, status: cause instanceof HttpError ? cause.status : null },
  );

const untoldError = (cause?: unknown): ClipError =>
  new ClipError(
    'export-outcome-untold',
    'This site cannot say whether the export has started. Trying again may use up another one.',
    { retryable: true, cause },
  );
