import type { ReactiveController } from 'lit';
import { accountsAtLoad } from '../../client/accounts-at-load.ts';
import { asClipError, type ClipError, loadPart } from '../../client/clip-error.ts';
import type { ExportStatus } from '../../flow/export-status.ts';
import type { PageController } from '../settings/page-controller.ts';
import type { ExportHost } from './clip-export-events.ts';
import type { ExportView } from './export-view.ts';
import type { ExportWork } from './export-work.ts';

/** Loads what exports, after the button itself. A press that comes before waits for it. */
export class ExportController implements ReactiveController {
  readonly #host: ExportHost;
  readonly #page: PageController;
  /** Null until it is loaded. */
  work: ExportWork | null = null;
  #loading: Promise<void> | null = null;
  #isPressed = false;
  /** Why it could not be loaded. */
  #error: ClipError | null = null;

  constructor(host: ExportHost, page: PageController) {
    this.#host = host;
    this.#page = page;
    host.addController(this);
  }

  get status(): ExportStatus {
    if (this.#error) return 'error';
    return this.#isPressed ? 'starting' : (this.work?.status ?? 'idle');
  }

  get error(): ClipError | null {
    return this.#error ?? this.work?.error ?? null;
  }

  /** The page has yet to set options or listeners: nothing may start without them. */
  get isIncomplete(): boolean {
    // Some frameworks write an object as this text on the server, and set it in the browser.
    return this.#host.hydrating || this.#host.watermark === '[object Object]';
  }

  get view(): ExportView | null {
    return this.work?.view ?? null;
  }

  hostUpdate(): void {
    if (!this.#page.connected) return;
    accountsAtLoad();
    if (this.work) this.work.update();
    else if (!this.#error) void this.#load();
  }

  async start(): Promise<void> {
    if (!this.#page.connected) return;
    if (!this.work) {
      this.#isPressed = true;
      this.#host.requestUpdate();
    }
    if (!this.work) await this.#load();
    // Options that were set in this task belong to this start.
    if (this.#host.isUpdatePending) await this.#host.updateComplete;
    if (this.#isPressed) {
      this.#isPressed = false;
      // The start may be refused.
      this.#host.requestUpdate();
    }
    await this.work?.start();
  }

  async retry(): Promise<void> {
    if (!this.#page.connected) return;
    await this.#load();
    await this.work?.retry();
  }

  #load(): Promise<void> {
    this.#loading ??= (async () => {
      this.#error = null;
      try {
        const { ExportWork } = await loadPart(import('./export-work.ts'));
        this.work = new ExportWork(this.#host, this.#page, () => this.isIncomplete);
        this.work.update();
      } catch (cause) {
        this.#loading = null;
        this.#error = asClipError(cause);
        this.#host.requestUpdate();
      }
    })();
    return this.#loading;
  }
}
