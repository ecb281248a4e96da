import type { Export } from '../contract/export.ts';
import { hashText } from '../contract/for-pages.ts';
import type { StartOptionsInput } from '../contract/host.ts';
import { mayStart, type ExportStatus } from '../flow/export-status.ts';
import { estimateProgress } from '../flow/poll-schedule.ts';
import { getAccount, isAccountNamed, onAccount } from './account.ts';
import { ClipError } from './clip-error.ts';
import { HttpError, toClipError } from './errors.ts';
import { ExportWatcher } from './export-watcher.ts';
import type { ClipAddress, HostAnswer, HostClient } from './host-client.ts';
import { askAccount, getPageHost, type PageHostOptions } from './page-host.ts';
import {
  assignSlots,
  dropPaidStart,
  getKeyBase,
  hasPaidStart,
  onPaidStart,
  readPaidStart,
  writePaidStart,
} from './paid-start-store.ts';
import { readQuestion, sendStart, type StartErrors } from './paid-start.ts';
import { Pause } from './pause.ts';
import { getRevision, onRevision } from './revisions.ts';

/** The clip and options that an export button exports. */
export interface ExportIntent extends ClipAddress {
  readonly options: StartOptionsInput;
  /** An existing export to watch instead of starting one. */
  readonly exportId: string | null;
}

export interface ExportState {
  readonly status: ExportStatus;
  /** The last known Export Object; null before the first answer. */
  readonly export: Export | null;
  /** Why it is `error`, `limit` or `unknown`, or why no answers come while `processing`. */
  readonly error: ClipError | null;
}

const idle: ExportState = { status: 'idle', export: null, error: null };

const startErrors: StartErrors = {
  lost: (cause) =>
    new ClipError(
      'export-outcome-unknown',
      'It is not known yet whether the export has started. This is being checked; nothing is started twice.',
      { retryable: true, cause, status: cause instanceof HttpError ? cause.status : null },
    ),
  unresolved: (cause) =>
    new ClipError(
      'export-outcome-unresolved',
      'This site cannot say whether the export has started. Trying again may use up another one.',
      { retryable: true, cause },
    ),
  refused: toClipError,
};

/**
 * The key of an intent's next start, after the export or key that came before it (`''` at first).
 * Always the same, so a page that has lost its memory, and another tab, ask for the same start.
 */
export const makeStartKey = ({ project, folder, options }: ExportIntent, after: string): string =>
  `clip-${hashText(JSON.stringify([project, folder || null, options, after]))}`;

/**
 * The export of one intent (clip, folder, options) on a page, from the click to the file. All
 * buttons of the intent share it, so they start one export together. It ends with its last
 * listener; its paid start is stored.
 */
export class ClipExport {
  readonly #client: HostClient;
  readonly #watcher: ExportWatcher;
  readonly #intent: ExportIntent;
  readonly #name: string;
  readonly #ended: () => void;
  readonly #listeners = new Set<() => void>();
  /** Ends with the last listener, and with the account. Null without listeners. */
  #life: AbortController | null = null;
  /** The wait before a lost start is sent again. */
  readonly #pause = new Pause();
  #watching: AbortController | null = null;
  #watchedId: string | null = null;
  #state = idle;
  /** The host's clock minus this one, in milliseconds. */
  #skew = 0;
  #progress = 0;
  #sawProcessing = false;
  /** An export of the clip that was started elsewhere, perhaps with other options; or null. */
  #foundId: string | null = null;

  /** `name`: of the slot in storage. `ended`: called when the last listener has left. */
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

  get state(): ExportState {
    return this.#state;
  }

  /** 0 to 0.99 while processing, 1 when ready, null if unknown. Never falls for one export. */
  get progress(): number | null {
    if (this.#state.status === 'ready') return 1;
    const estimate = this.#estimate;
    if (estimate === null) return null;
    const since = Date.parse(this.#state.export!.created_at);
    const share = estimateProgress({ since, estimate }, Date.now() + this.#skew);
    return share === null ? null : (this.#progress = Math.max(this.#progress, share));
  }

  /** Milliseconds until a running export should be ready; null if unknown or overdue. */
  get timeLeft(): number | null {
    const left = (this.#estimate ?? 0) - Date.now() - this.#skew;
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
   * Calls `listener` at every change. The first one finds what is stored.
   *
   * @returns A function that removes the listener. The last removal ends the work.
   */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#life) this.#begin();
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size) return;
      this.#leave();
      this.#ended();
    };
  }

  /** Starts an export, unless one exists, is starting, or may have started. Never rejects. */
  async start(): Promise<void> {
    const before = this.#state;
    const isNext = this.isOutdated || this.isOfUnknownOptions;
    if (isNext || before.status === 'error' || mayStart(before.status)) {
      await this.#send(before, isNext);
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
      const id = this.#intent.exportId ?? readPaidStart(this.#slot)?.id;
      if (id && error?.code !== 'export-failed') this.#watch(id, null);
      else await this.start();
    }
  }

  /** Forgets the settled export, so that another can be started. */
  reset(): void {
    if (!['ready', 'error', 'limit'].includes(this.#state.status)) return;
    dropPaidStart(this.#slot);
    this.#set(idle);
  }

  /**
   * Whether to download the file without a click: true once across all tabs, and only for an export
   * that was seen rendering here.
   */
  claimDownload(): boolean {
    const stored = readPaidStart(this.#slot);
    if (!this.#sawProcessing || stored?.downloaded) return false;
    this.#sawProcessing = false;
    if (stored) writePaidStart(this.#slot, { ...stored, downloaded: true });
    return true;
  }

  /** The address of the ready file. Null before, and with a session, which no address carries. */
  downloadUrl(fileName: string | null): string | null {
    const one = this.#readyExport;
    if (!one || this.#client.session) return null;
    return this.#client.downloadUrl(one.id, getClip(one), fileName);
  }

  /** An address of the ready file; with a session, one that is made for it now. */
  async fileUrl(fileName: string | null): Promise<string | null> {
    const one = this.#readyExport;
    if (!one || !this.#client.session) return this.downloadUrl(fileName);
    return this.#client.downloadGrant(one.id, getClip(one), fileName);
  }

  get #readyExport(): Export | null {
    return this.#state.status === 'ready' ? this.#state.export : null;
  }

  /** When the running export should be ready, by the host's clock; null if it is not known. */
  get #estimate(): number | null {
    const { status, export: current } = this.#state;
    if (status !== 'processing' || !current?.estimated_ready_at) return null;
    return Date.parse(current.estimated_ready_at);
  }

  /** The storage slot of this intent's paid start: each account has its own. */
  get #slot(): string {
    const account = getAccount(this.#client.endpoint);
    return account ? `${account} ${this.#name}` : this.#name;
  }

  #begin(): void {
    const { signal } = (this.#life = new AbortController());
    const slot = (): string => this.#slot;
    const listeners = [
      // One without an export is still being sent by the other tab.
      onPaidStart(slot, () => readPaidStart(this.#slot)?.id !== null && this.#resume(signal)),
      onAccount(this.#client.endpoint, (before) => this.#followAccount(before, signal)),
      onRevision(this.#intent.project, () => this.#notify()),
    ];
    signal.addEventListener('abort', () => listeners.forEach((stop) => stop()));
    this.#find(signal);
  }

  #leave(): void {
    this.#life?.abort();
    this.#watching?.abort();
    this.#life = this.#watchedId = null;
    this.#set(idle);
  }

  /** Shows the export that the page has asked for, or what storage knows of. */
  #find(life: AbortSignal): void {
    if (this.#intent.exportId) this.#watch(this.#intent.exportId, null);
    else if (isAccountNamed(this.#client.endpoint)) this.#resume(life);
    else if (hasPaidStart(this.#name)) void askAccount(this.#client, life);
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

  /** Continues from storage: watches a known export, sends a start again that has no answer. */
  #resume(life: AbortSignal): void {
    const { status, export: current } = this.#state;
    const isKnown = !this.#intent.exportId && isAccountNamed(this.#client.endpoint);
    const stored = isKnown ? readPaidStart(this.#slot) : null;
    if (status === 'starting') return;
    if (!stored) {
      if (isKnown && status === 'idle' && !getKeyBase(this.#slot)) void this.#look(life);
    } else if (stored.id) {
      const isShown = status === 'error' && current?.status === status && current.id === stored.id;
      if (!isShown) this.#watch(stored.id, null);
    } else if (status === 'idle') {
      void this.#send(idle, false);
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
      !readPaidStart(slot) &&
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
        writePaidStart(slot, { key: makeStartKey(intent, ''), sentAt, id, settledAt: null });
      }
      this.#watch(id, null);
    } catch {
      // The button starts an export, as in a browser that knows of none.
    }
  }

  /**
   * Sends a start, unless the last one has its export, and stores it before. One whose answer is
   * not known is sent again, with the same key. `before`: what was shown, whose export counts as
   * none. `isNext`: that export is ready, and stays if the start is refused.
   */
  async #send(before: ExportState, isNext: boolean): Promise<void> {
    const life = this.#life?.signal;
    if (!life) return;
    this.#set({ ...idle, status: 'starting' });
    const intent = this.#intent;
    const slot = this.#slot;
    const stored = readPaidStart(slot);
    if (stored?.id && stored.id !== before.export?.id) return this.#adopt(stored.id, null);
    const isRepeated = stored?.id === null;
    const confirmed = readQuestion(before.error);
    // A page without memory, or with full storage, makes the same key again.
    const key = isRepeated ? stored.key : makeStartKey(intent, getKeyBase(slot));
    const sentAt = isRepeated && !confirmed ? stored.sentAt : Date.now();
    writePaidStart(slot, { key, sentAt, id: null, settledAt: null });
    const body = {
      project_id: intent.project,
      ...(intent.folder && { folder_id: intent.folder }),
      ...intent.options,
      ...(confirmed && { confirmed_start: confirmed }),
    };
    const result = await sendStart(() => this.#client.startExport(body, key, life), {
      isRepeated,
      pause: this.#pause,
      signal: life,
      errors: startErrors,
      onLost: (error) => this.#state.status === 'starting' && this.#fail('unknown', error),
    }).catch(() => null);
    // Without a result the work has ended. What is stored is sent again by the next page.
    if (!result) return;
    if ('answer' in result) {
      const { id } = result.answer.value;
      // The answer may have named the account.
      const known = readPaidStart(this.#slot) ?? { sentAt };
      writePaidStart(this.#slot, { ...known, key, id, settledAt: null });
      return this.#adopt(id, result.answer);
    }
    // Another tab has sent the same start, and was answered.
    const other = readPaidStart(slot);
    if (other?.key === key && other.id) return this.#adopt(other.id, null);
    const { error, isRefused } = result;
    // That another try is refused says nothing of the one before.
    if (isRefused && !confirmed) {
      // A used key is not made again: its export is deleted, or another request had it.
      const isUsed = /^(export-not-found|attempt-mismatch)$/.test(error.code);
      dropPaidStart(slot, isUsed ? key : undefined);
      if (isNext && stored?.id) writePaidStart(slot, stored);
    }
    if (!life.aborted) return isNext ? this.#set({ ...before, error }) : this.#refuse(error);
    // Another user has signed in since the click.
    if (this.#life && this.#state.status === 'idle') this.#set({ ...idle, error });
  }

  /** Shows the export of a start: its options are those of the intent. */
  #adopt(id: string, first: HostAnswer<Export> | null): void {
    this.#foundId = null;
    this.#watch(id, first);
  }

  #watch(id: string, first: HostAnswer<Export> | null): void {
    const { status } = this.#state;
    const isShown = id === this.#watchedId && (status === 'processing' || status === 'ready');
    if (!this.#life || isShown) return;
    this.#watching?.abort();
    const { signal } = (this.#watching = new AbortController());
    this.#watchedId = id;
    this.#progress = 0;
    this.#sawProcessing = false;
    this.#set({ ...idle, status: 'processing' });
    if (first) this.#update(first.value, first.skew);
    if (this.#state.status !== 'processing') return;
    this.#watcher.watch(
      id,
      first,
      {
        onUpdate: (answer, skew) => this.#update(answer, skew),
        onStalled: (error) => {
          const { status, error: shown } = this.#state;
          if (status === 'processing' && error !== shown) this.#fail(status, error);
        },
        onRefused: (error) => this.#refuse(error),
        onMissing: () => void this.#confirmMissing(id, signal),
      },
      signal,
    );
  }

  #update(answer: Export, skew: number): void {
    const { id, status, failure } = answer;
    this.#skew = skew;
    if (status === 'processing') this.#sawProcessing = true;
    else this.#noteSettled(id);
    const message = failure?.message || 'The export failed. Start a new one.';
    const error =
      status === 'error' ? new ClipError('export-failed', message, { retryable: true }) : null;
    // A late answer never changes a settled export.
    if (this.#state.status === 'processing') this.#set({ status, export: answer, error });
  }

  /** Stores when the export settled: a day later the intent can start a new one. */
  #noteSettled(id: string): void {
    const stored = readPaidStart(this.#slot);
    if (stored?.id !== id || stored.settledAt !== null) return;
    writePaidStart(this.#slot, { ...stored, settledAt: Date.now() });
  }

  /** Requests a missing export by its id, before it is forgotten and may be paid for again. */
  async #confirmMissing(id: string, signal: AbortSignal): Promise<void> {
    try {
      const answer = await this.#client.getExport(id, this.#intent, signal);
      this.#watchedId = null;
      return this.#watch(id, answer);
    } catch (cause) {
      if (signal.aborted) return;
      const error = toClipError(cause);
      if (error.status !== 404) return this.#refuse(error);
    }
    dropPaidStart(this.#slot);
    if (!this.#intent.exportId && !this.#state.export) return this.#set(idle);
    const message = 'This export no longer exists.';
    this.#refuse(new ClipError('export-not-found', message, { status: 404 }));
  }

  #refuse(error: ClipError): void {
    const { code } = error;
    if (code === 'export-limit') return this.#fail('limit', error);
    if (code !== 'signed-out') return this.#fail('error', error);
    this.#fail(code, error);
    const life = this.#life!.signal;
    void this.#client.session?.signedIn(life).then(() => {
      if (life.aborted || this.#state.status !== code) return;
      this.#set(idle);
      this.#find(life);
    });
  }

  #fail(status: ExportStatus, error: ClipError | null): void {
    this.#set({ ...this.#state, status, error });
  }

  #set(next: ExportState): void {
    if (next === this.#state) return;
    this.#state = next;
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const getClip = (item: Export): ClipAddress => ({
  project: item.project_id,
  folder: item.folder_id,
});

/** The exports of each host that the page shows, by the name of their intent. */
const pageExports = new Map<
  HostClient,
  { readonly watcher: ExportWatcher; readonly byName: Map<string, ClipExport> }
>();

/** The export of an intent at an endpoint, shared by the whole page. */
export function getPageExport(options: PageHostOptions, intent: ExportIntent): ClipExport {
  const client = getPageHost(options);
  const { project, folder, exportId } = intent;
  const name = JSON.stringify([client.endpoint, project, folder || null, intent.options, exportId]);
  const own = pageExports.get(client) ?? { watcher: new ExportWatcher(client), byName: new Map() };
  pageExports.set(client, own);
  const known = own.byName.get(name);
  if (known) return known;
  const made = new ClipExport(client, own.watcher, intent, name, () => own.byName.delete(name));
  own.byName.set(name, made);
  return made;
}
