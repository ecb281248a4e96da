import type { Export } from '../contract/export.ts';
import type { HostStartExportInput } from '../contract/host.ts';
import { backoff } from '../flow/backoff.ts';
import {
  exportNext,
  exportStart,
  type ExportEvent,
  type ExportState,
} from '../flow/export-machine.ts';
import { progressOf } from '../flow/poll-schedule.ts';
import { newAttemptKey } from './attempt-key.ts';
import { dropAttempt, onAttempt, readAttempt, writeAttempt } from './attempt-store.ts';
import { ClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { ExportWatcher } from './export-watcher.ts';
import type { ClipAddress, HostAnswer, HostClient } from './host-client.ts';
import { toClipError } from './host-errors.ts';
import { onReturn, Pause } from './pause.ts';

/** What an export button stands for. */
export interface ExportIntent extends ClipAddress {
  readonly options: Pick<HostStartExportInput, 'watermark' | 'preset_id'>;
  /** An export that exists and is to be watched, rather than one to start. */
  readonly exportId: string | null;
}

export type SessionState = ExportState<ClipError>;

/** Empty answers to "what became of this attempt?" before a start counts as not carried out. */
const emptyAnswers = 3;

/** Holds a lock of the browser across tabs where it has them. */
const locked = <T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request(name, { signal }, work) : work();

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
      await locked(this.#name, life, () => this.#startOnce(failed, life));
    } catch {
      // Aborted: the attempt is in storage, and is settled when somebody looks again.
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
    const { status } = this.#state;
    const attempt = this.#intent.exportId ? null : readAttempt(this.#name);
    if (!attempt || status === 'starting') return;
    if (attempt.id) {
      this.#watch(attempt.id, null);
    } else if (status === 'idle' && !navigator.locks) {
      void this.#settle(attempt.key, lostError(null), life, 1);
    } else if (status === 'idle') {
      // Whoever holds the lock is still sending it.
      void locked(this.#name, life, async () => {
        const now = readAttempt(this.#name);
        if (now?.id) this.#watch(now.id, null);
        else if (now) await this.#settle(now.key, lostError(null), life, 1);
      }).catch(() => {});
    }
  }

  async #startOnce(failed: string | null, life: AbortSignal): Promise<void> {
    let attempt = readAttempt(this.#name);
    if (attempt?.id && attempt.id !== failed) return this.#watch(attempt.id, null);
    if (attempt?.id) attempt = null;
    if (attempt) {
      // An earlier start without a known outcome: asked about first, and sent again under its own key alone.
      try {
        const { value, skew } = await this.#client.exportsByAttempt(attempt.key, life);
        if (value[0]) return this.#accept({ value: value[0], skew, held: false }, attempt.key);
      } catch (cause) {
        life.throwIfAborted();
        return void this.#apply({ type: 'refused', failure: toClipError(cause), limit: false });
      }
    }
    const key = attempt?.key ?? newAttemptKey();
    if (!attempt) writeAttempt(this.#name, { key, at: Date.now(), id: null });
    const { project, folder, options } = this.#intent;
    try {
      this.#accept(
        await this.#client.startExport(
          { project_id: project, ...(folder ? { folder_id: folder } : {}), ...options },
          key,
          life,
        ),
        key,
      );
    } catch (cause) {
      life.throwIfAborted();
      const failure = toClipError(cause);
      if (refusedForSure(cause)) {
        dropAttempt(this.#name);
        this.#apply({ type: 'refused', failure, limit: failure.code === 'export-limit' });
      } else {
        await this.#settle(key, lostError(cause), life, emptyAnswers);
      }
    }
  }

  /** Asks what became of an attempt until the host says; sends no start. */
  async #settle(
    key: string,
    failure: ClipError,
    life: AbortSignal,
    answers: number,
  ): Promise<void> {
    this.#apply({ type: 'lost', failure });
    let empty = 0;
    for (let tries = 1; ; tries++) {
      try {
        const { value, skew } = await this.#client.exportsByAttempt(key, life);
        if (value[0]) return this.#accept({ value: value[0], skew, held: false }, key);
        empty++;
      } catch (cause) {
        life.throwIfAborted();
        if (cause instanceof HttpError && refusedForSure(cause)) {
          return void this.#apply({ type: 'refused', failure: toClipError(cause), limit: false });
        }
      }
      if (empty >= answers) break;
      await this.#pause.for(backoff(tries, Math.random()), life);
    }
    // The key stays: should the start have been only slow, the next click meets it under the same key.
    if (answers === 1) this.#apply({ type: 'reset' });
    else {
      this.#apply({
        type: 'refused',
        failure: new ClipError(
          'export-not-started',
          'The export did not start, and nothing was used up. Try again.',
          { retryable: true, cause: failure.cause },
        ),
        limit: false,
      });
    }
  }

  #accept(answer: HostAnswer<Export>, key: string): void {
    writeAttempt(this.#name, {
      key,
      at: readAttempt(this.#name)?.at ?? Date.now(),
      id: answer.value.id,
    });
    this.#watch(answer.value.id, answer);
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
        refused: (failure) => this.#apply({ type: 'refused', failure, limit: false }),
        gone: () => this.#gone(),
      },
      signal,
    );
  }

  #heard(answer: Export, skew: number): void {
    this.#skew = skew;
    this.#learnt = Date.now();
    if (answer.status === 'processing') this.#sawProcessing = true;
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

  #gone(): void {
    dropAttempt(this.#name);
    this.#watchedId = null;
    const remembered = !this.#intent.exportId && !this.#state.export;
    this.#apply(
      remembered
        ? { type: 'reset' }
        : {
            type: 'refused',
            failure: new ClipError('export-not-found', 'This export no longer exists.', {
              status: 404,
            }),
            limit: false,
          },
    );
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

const lostError = (cause: unknown): ClipError =>
  new ClipError(
    'export-outcome-unknown',
    'It is not known yet whether the export has started. This is being checked; nothing is started twice.',
    { retryable: true, cause, status: cause instanceof HttpError ? cause.status : null },
  );
