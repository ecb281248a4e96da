import { toClipError } from './errors.ts';
import {
  makeAttemptKey,
  type ExportIntent,
  startExport,
  type StartOutcome,
} from './export-start.ts';
import { getAccount, isAccountNamed, onAccount } from './account.ts';
import { ExportWatcher } from './export-watcher.ts';
import { ClipError } from './clip-error.ts';
import { estimateProgress } from '../flow/poll-schedule.ts';
import {
  type ExportEvent,
  exportNext,
  exportStart,
  type ExportState,
} from '../flow/export-machine.ts';
import {
  assignSlots,
  dropAttempt,
  hasAttempt,
  getKeyBase,
  onAttempt,
  readAttempt,
  writeAttempt,
} from './attempt-store.ts';
import type { Export } from '../contract/export.ts';
import { onRevision, getRevision } from './revisions.ts';
import type { ClipAddress, HostAnswer, HostClient } from './host-client.ts';
import { Pause } from './pause.ts';
import { askAccount, getPageHost, type PageHostOptions } from './page-host.ts';

export type SessionState = ExportState<ClipError>;

/**
 * One intent of a page (clip, folder, options). All buttons with this intent share the session, so
 * they start one export together. It ends with its last listener; the attempt is stored.
 */
export class ExportSession {
  readonly #client: HostClient;
  readonly #watcher: ExportWatcher;
  readonly #intent: ExportIntent;
  readonly #name: string;
  readonly #ended: () => void;
  readonly #listeners = new Set<() => void>();
  #life: AbortController | null = null;
  /** The unsubscribe functions of the session. */
  #endings: readonly (() => void)[] = [];
  /** The wait before a lost start is sent again. */
  readonly #pause = new Pause();
  #watching: AbortController | null = null;
  #watchedId: string | null = null;
  #state: SessionState = exportStart;
  #skew = 0;
  #progress = 0;
  #sawProcessing = false;
  /** An export of the clip that was started elsewhere, perhaps with other options; or null. */
  #foundId: string | null = null;
  /** The start that the shown error asks the person about. */
  #unresolved: string | null = null;

  /** `ended`: called when the last listener has left. */
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

  /** 0 to 0.99 while processing, 1 when ready, null if unknown. Never falls for one export. */
  get progress(): number | null {
    const { status, export: current } = this.#state;
    if (status === 'ready') return 1;
    if (status !== 'processing' || !current?.estimated_ready_at) return null;
    const share = estimateProgress(
      { since: Date.parse(current.created_at), estimate: Date.parse(current.estimated_ready_at) },
      Date.now() + this.#skew,
    );
    return share === null ? null : (this.#progress = Math.max(this.#progress, share));
  }

  /** Milliseconds until a running export should be ready; null if unknown or overdue. */
  get timeLeft(): number | null {
    const { status, export: current } = this.#state;
    if (status !== 'processing' || !current?.estimated_ready_at) return null;
    const left = Date.parse(current.estimated_ready_at) - Date.now() - this.#skew;
    return left > 0 ? left : null;
  }

  /** Milliseconds until the next request if the host asked for a long wait; otherwise null. */
  get waitLeft(): number | null {
    return this.#state.status === 'processing' ? this.#watcher.waitLeft : null;
  }

  /** Whether the ready export is of an older revision of the clip: a new one may be started. */
  get isOutdated(): boolean {
    const { status, export: current } = this.#state;
    return (
      status === 'ready' &&
      !this.#intent.exportId &&
      (current?.revision ?? Infinity) < getRevision(this.#intent.project)
    );
  }

  /** Whether the ready export may have other options than the intent: a new one may be started. */
  get isOfUnknownOptions(): boolean {
    const { status, export: current } = this.#state;
    return status === 'ready' && current?.id === this.#foundId;
  }

  /**
   * Calls `listener` at every change. The first one starts the session.
   *
   * @returns A function that removes the listener. The last removal ends the session.
   */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#life) this.#begin();
    return () => {
      if (this.#listeners.delete(listener) && !this.#listeners.size) this.#end();
    };
  }

  /** Starts an export, unless one exists, is starting, or may have started. Never rejects. */
  async start(): Promise<void> {
    const life = this.#life?.signal;
    const before = this.#state;
    const replaced = before.export?.id ?? null;
    const again = this.isOutdated || this.isOfUnknownOptions;
    const slot = this.#slot;
    const kept = again ? readAttempt(slot) : null;
    const confirmed = this.#unresolved;
    if (!life || !this.#apply({ type: 'start', again })) return;
    try {
      const outcome = await this.#send(life, replaced, confirmed);
      if ('id' in outcome) return this.#conclude(outcome);
      // The file of the older revision is still there.
      if (kept && !readAttempt(slot)) writeAttempt(slot, kept);
      if (life.aborted) return this.#showRefusal(outcome.failure);
      this.#conclude(outcome);
      if (again) this.#set({ ...before, error: outcome.failure });
    } catch (cause) {
      // If it was aborted, the attempt is in storage, and the next session sends it again.
      if (!life.aborted) this.#refuse(toClipError(cause));
    }
  }

  /** Starts a new export after a failed one; otherwise requests the same one again. */
  async retry(): Promise<void> {
    const { status, error } = this.#state;
    if (status === 'unknown') {
      this.#pause.wake();
    } else if (status === 'processing') {
      this.#watcher.refresh();
    } else if (status === 'error' || status === 'limit') {
      const id = this.#intent.exportId ?? readAttempt(this.#slot)?.id;
      if (id && error?.code !== 'export-failed') return this.#watch(id, null);
      await this.start();
    }
  }

  /** Forgets the settled export, so that another can be started. */
  reset(): void {
    if (!['ready', 'error', 'limit'].includes(this.#state.status)) return;
    dropAttempt(this.#slot);
    this.#watchedId = null;
    this.#apply({ type: 'reset' });
  }

  /**
   * Whether to download the file without a click: true once across all tabs, and only for an export
   * that was seen rendering here.
   */
  claimDownload(): boolean {
    const attempt = readAttempt(this.#slot);
    if (!this.#sawProcessing || attempt?.downloaded) return false;
    this.#sawProcessing = false;
    if (attempt) writeAttempt(this.#slot, { ...attempt, downloaded: true });
    return true;
  }

  /** The address of the file. Null with a session: {@link downloadGrant} makes an address then. */
  downloadUrl(item: Export, fileName: string | null): string | null {
    return this.#client.session ? null : this.#client.downloadUrl(item.id, getClip(item), fileName);
  }

  downloadGrant(item: Export, fileName: string | null): Promise<string> {
    return this.#client.downloadGrant(item.id, getClip(item), fileName);
  }

  /** The storage slot of this intent's attempt: each account has its own. */
  get #slot(): string {
    return makeSlot(getAccount(this.#client.endpoint), this.#name);
  }

  #begin(): void {
    const { signal } = (this.#life = new AbortController());
    this.#endings = [
      onAttempt(
        () => this.#slot,
        () => {
          // One without an export is still being sent by the other tab.
          if (readAttempt(this.#slot)?.id !== null) this.#resume(signal);
        },
      ),
      onAccount(this.#client.endpoint, (before) => this.#followAccount(before, signal)),
      onRevision(this.#intent.project, () => this.#notify()),
    ];
    this.#find(signal);
  }

  #send(
    signal: AbortSignal,
    replaced: string | null,
    confirmed: string | null,
  ): Promise<StartOutcome> {
    return startExport(this.#client, this.#intent, {
      slot: () => this.#slot,
      replaced,
      confirmed,
      pause: this.#pause,
      signal,
      onLost: (failure) => this.#apply({ type: 'lost', failure }),
    });
  }

  /** Shows the export that the page has asked for, or what storage knows of. */
  #find(signal: AbortSignal): void {
    if (this.#intent.exportId) this.#watch(this.#intent.exportId, null);
    else if (isAccountNamed(this.#client.endpoint)) this.#resume(signal);
    else if (hasAttempt(this.#name)) void askAccount(this.#client, signal);
  }

  #awaitSignIn(): void {
    const signal = this.#life?.signal;
    if (!signal) return;
    void this.#client.session?.signedIn(signal).then(() => {
      if (signal.aborted || this.#state.status !== 'signed-out') return;
      this.#watchedId = null;
      this.#apply({ type: 'reset' });
      this.#find(signal);
    });
  }

  #end(): void {
    this.#leave();
    this.#ended();
  }

  #leave(): void {
    this.#life?.abort();
    for (const end of this.#endings) end();
    this.#life = this.#watching = this.#watchedId = null;
    this.#set(exportStart);
  }

  /** The host has named the account: shows what is stored for it, and nothing of another one. */
  #followAccount(before: string, life: AbortSignal): void {
    const { endpoint } = this.#client;
    const account = getAccount(endpoint);
    const isOther = before !== account;
    if (isOther && before) {
      if (this.#intent.exportId) return;
      this.#leave();
      this.#begin();
      return;
    }
    // A browser's first account: what was begun before its first answer is of it.
    if (isOther) assignSlots(endpoint, account);
    this.#resume(life);
  }

  /** Shows that another user has signed in since the click. Nothing was started. */
  #showRefusal(error: ClipError): void {
    if (this.#life && this.#state.status === 'idle') this.#set({ ...this.#state, error });
  }

  /** Continues from storage: watches a known export, sends an attempt again that has no answer. */
  #resume(life: AbortSignal): void {
    const { status, export: current } = this.#state;
    const isKnown = !this.#intent.exportId && isAccountNamed(this.#client.endpoint);
    const attempt = isKnown ? readAttempt(this.#slot) : null;
    if (status === 'starting') return;
    if (!attempt) {
      if (isKnown && status === 'idle' && !getKeyBase(this.#slot)) void this.#look(life);
    } else if (attempt.id) {
      const shown = status === 'error' && current?.status === 'error' && current.id === attempt.id;
      if (!shown) this.#watch(attempt.id, null);
    } else if (status === 'idle') {
      this.#send(life, null, null)
        .then((outcome) => this.#conclude(outcome))
        .catch(() => {});
    }
  }

  /** Looks for an export that was started elsewhere. Changes nothing if the host cannot answer. */
  async #look(life: AbortSignal): Promise<void> {
    const slot = this.#slot;
    const intent = this.#intent;
    const isOpen = (): boolean =>
      !life.aborted &&
      this.#state.status === 'idle' &&
      slot === this.#slot &&
      !readAttempt(slot) &&
      !getKeyBase(slot);
    try {
      const { findExport } = await import('./found-exports.ts');
      const found = isOpen() ? await findExport(this.#client, intent) : null;
      if (!found || !isOpen()) return;
      const { id, created_at, watermarked } = found;
      // The host does not say with which options it was started.
      if (watermarked || Object.keys(intent.options).length) this.#foundId = id;
      else {
        const sentAt = Date.parse(created_at);
        writeAttempt(slot, { key: makeAttemptKey(intent, ''), sentAt, id, settledAt: null });
      }
      this.#watch(id, null);
    } catch {
      // The button starts an export, as in a browser that knows of none.
    }
  }

  #conclude(outcome: StartOutcome): void {
    if ('id' in outcome) {
      this.#foundId = null;
      return this.#watch(outcome.id, outcome.answer);
    }
    this.#unresolved = outcome.unresolved;
    this.#refuse(outcome.failure);
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
    if (first) this.#update(first.value, first.skew);
    if (this.#state.status !== 'processing') return;
    this.#watcher.watch(
      id,
      first,
      {
        onUpdate: (answer, skew) => this.#update(answer, skew),
        onStalled: (failure) => this.#apply({ type: 'stalled', failure }),
        onRefused: (failure) => this.#refuse(failure),
        onMissing: () => void this.#confirmMissing(id, signal),
      },
      signal,
    );
  }

  #update(answer: Export, skew: number): void {
    this.#skew = skew;
    if (answer.status === 'processing') this.#sawProcessing = true;
    else this.#noteSettled(answer.id);
    const message = answer.failure?.message || 'The export failed. Start a new one.';
    const failure = new ClipError('export-failed', message, { retryable: true });
    this.#apply({ type: 'updated', export: answer, failure });
  }

  /** Stores when the export settled: a day later the intent can start a new one. */
  #noteSettled(id: string): void {
    const attempt = readAttempt(this.#slot);
    if (attempt?.id !== id || attempt.settledAt !== null) return;
    writeAttempt(this.#slot, { ...attempt, settledAt: Date.now() });
  }

  /** Requests a missing export by its id, before it is forgotten and may be paid for again. */
  async #confirmMissing(id: string, signal: AbortSignal): Promise<void> {
    try {
      const answer = await this.#client.getExport(id, this.#intent, signal);
      this.#watchedId = null;
      return this.#watch(id, answer);
    } catch (cause) {
      if (signal.aborted) return;
      const failure = toClipError(cause);
      if (failure.status !== 404) return this.#refuse(failure);
    }
    dropAttempt(this.#slot);
    this.#watchedId = null;
    if (!this.#intent.exportId && !this.#state.export) this.#apply({ type: 'reset' });
    else {
      this.#refuse(
        new ClipError('export-not-found', 'This export no longer exists.', { status: 404 }),
      );
    }
  }

  #refuse(failure: ClipError): void {
    const { code } = failure;
    const status =
      code === 'export-limit' ? 'limit' : code === 'signed-out' ? 'signed-out' : 'error';
    this.#apply({ type: 'refused', failure, status });
    if (status === 'signed-out') this.#awaitSignIn();
  }

  /** True if the event changed something. */
  #apply(event: ExportEvent<ClipError>): boolean {
    return this.#set(exportNext(this.#state, event));
  }

  #set(next: SessionState): boolean {
    if (next === this.#state) return false;
    this.#state = next;
    this.#notify();
    return true;
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const getClip = (item: Export): ClipAddress => ({
  project: item.project_id,
  folder: item.folder_id,
});

const makeSlot = (account: string, name: string): string => (account ? `${account} ${name}` : name);

const watchers = new Map<unknown, ExportWatcher>();
const sessions = new Map<unknown, Map<string, ExportSession>>();

/** The session of an intent at an endpoint, shared by the whole page. */
export function getPageExport(options: PageHostOptions, intent: ExportIntent): ExportSession {
  const client = getPageHost(options);
  const name = JSON.stringify([
    client.endpoint,
    intent.project,
    intent.folder || null,
    intent.options,
    intent.exportId,
  ]);
  let watcher = watchers.get(client);
  if (!watcher) watchers.set(client, (watcher = new ExportWatcher(client)));
  const own = sessions.get(client) ?? new Map<string, ExportSession>();
  sessions.set(client, own);
  let session = own.get(name);
  if (!session) {
    session = new ExportSession(client, watcher, intent, name, () => own.delete(name));
    own.set(name, session);
  }
  return session;
}
