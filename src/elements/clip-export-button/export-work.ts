import type { PageHostOptions } from '../../client/page-host.ts';
import { asClipError, loadFailed, type ClipError } from '../../client/clip-error.ts';
import { mayStart, type ExportStatus } from '../../flow/export-status.ts';
import type { exportEvents, ExportHost } from './clip-export-events.ts';
import type { PageController } from '../settings/page-controller.ts';
import { readHostOptions } from '../settings/host-options.ts';
import { encodeId } from '../settings/settings.ts';
import { ExportView } from './export-view.ts';

/** An export that exists or is being started. It stays when an option changes. */
const isPaidFor = (status: ExportStatus): boolean =>
  ['starting', 'processing', 'ready', 'unknown'].includes(status);

/** The timeout of a press for the options of the page, before the element shows an error. */
const optionsWaitMs = 30_000;

/** The export of an element's settings. Loaded after the button itself. */
export class ExportWork {
  readonly #host: ExportHost;
  readonly #page: PageController;
  readonly #isIncomplete: () => boolean;
  readonly #drawn: () => Promise<void>;
  readonly events: typeof exportEvents;
  status: ExportStatus = 'idle';
  error: ClipError | null = null;
  /** Null until the page has drawn the button. */
  view: ExportView | null = null;
  /** The options have changed since the shown export was started: a new one is offered. */
  offersNew = false;
  #joining: Promise<void> = Promise.resolve();
  #watching: AbortController | null = null;
  #options: PageHostOptions | null = null;
  /** The clip and host, and the options, that are shown. */
  #clipKey: string | null = null;
  #optionsKey: string | null = null;
  /** A required setting is missing, but may still be set in this task. */
  #awaitsSetting = false;
  /** A press that waits for them. */
  #pressed: ReturnType<typeof setTimeout> | undefined;
  /** A setting is missing or wrong: there is nothing to start or to try again. */
  #isUnset = false;

  /** `drawn`: resolves once the page has drawn its present state. */
  constructor(
    host: ExportHost,
    page: PageController,
    isIncomplete: () => boolean,
    drawn: () => Promise<void>,
    events: typeof exportEvents,
  ) {
    this.#host = host;
    this.#page = page;
    this.#isIncomplete = isIncomplete;
    this.#drawn = drawn;
    this.events = events;
  }

  /** Whether no answers about a running export have come for a while. */
  get isStalled(): boolean {
    return this.status === 'processing' && !!this.error;
  }

  /** Another export is offered beside the file of an older version, or of unknown options. */
  get offersAgain(): boolean {
    const session = this.view?.session;
    return !!session && (session.isOutdated || session.isOfUnknownOptions);
  }

  /** Follows the settings of the element. */
  update(): void {
    if (!this.#page.connected) return;
    const host = this.#host;
    this.view?.setRevision();
    const { project, folder, presetId, exportId, watermark } = host;
    const { watermarkSrc, watermarkX, watermarkY, watermarkScale } = host;
    // As text, because JSON turns NaN into null.
    const numbers = `${watermarkX} ${watermarkY} ${watermarkScale}`;
    const optionsKey = JSON.stringify([presetId, watermark, watermarkSrc, numbers]);
    const settings = this.#page.settings(() => {
      encodeId(project);
      this.#options = readHostOptions(host);
      return JSON.stringify([this.#options, project, folder, exportId]);
    });
    this.#awaitsSetting = !settings;
    if (!settings || this.#isIncomplete()) return;
    const { key: clipKey, error } = settings;
    const sameOptions = optionsKey === this.#optionsKey;
    if (clipKey === this.#clipKey && (sameOptions || this.offersNew || isPaidFor(this.status))) {
      this.offersNew = !sameOptions;
      return;
    }
    this.#clipKey = clipKey;
    this.#optionsKey = optionsKey;
    this.offersNew = false;
    const pressed = this.#pressed;
    this.stop();
    this.#isUnset = !!error;
    if (error) this.show('error', error);
    else this.#joining = this.#join();
    // The listeners of the page are set in this task, as the options are.
    if (pressed) this.#pressed = setTimeout(() => void this.start());
  }

  async start(): Promise<void> {
    const host = this.#host;
    if (!this.#page.connected || this.#awaitsSetting) return;
    if (this.#isIncomplete()) {
      this.end();
      this.show('starting', null);
      this.#pressed = setTimeout(() => {
        this.end();
        if (host.hydrating) this.show('error', loadFailed(null));
        // Shows what is wrong with the watermark.
        else this.#joining = this.#join();
      }, optionsWaitMs);
      return;
    }
    if (!this.offersNew && !this.offersAgain && !mayStart(this.status)) return;
    if (!host.dispatchEvent(new this.events.start(host))) return;
    if (this.offersNew) this.#rejoin();
    this.show('starting', null);
    await (await this.#joined())?.session.start();
  }

  async retry(): Promise<void> {
    if (!this.#page.connected || this.#awaitsSetting || this.#isUnset) return;
    if (this.#isIncomplete()) await this.start();
    else await (await this.#joined())?.session.retry();
  }

  stop(): void {
    this.#watching?.abort();
    this.view?.end();
    this.#watching = this.view = null;
    clearTimeout(this.#pressed);
    this.#pressed = undefined;
    // Mostly nothing has begun, and drawing a thousand buttons again takes long.
    if (this.status !== 'idle' || this.error) this.show('idle', null);
  }

  reset(): void {
    this.view?.session.reset();
    if (this.offersNew && this.status === 'idle') this.#rejoin();
  }

  /** Ends all work. */
  end(): void {
    this.stop();
    this.#clipKey = null;
    this.offersNew = false;
  }

  /** Shows a state. */
  show(status: ExportStatus, error: ClipError | null): void {
    this.status = status;
    this.error = error;
    this.#host.requestUpdate();
  }

  /** Joins the session of the present options instead of the shown one. */
  #rejoin(): void {
    this.#clipKey = null;
    this.offersNew = false;
    this.update();
  }

  async #join(): Promise<void> {
    const { signal } = (this.#watching = new AbortController());
    try {
      await this.#drawn();
      if (signal.aborted) return;
      const view = new ExportView(this.#host, this.#page, this, this.#options!);
      // The page may have stopped it in an event.
      if (signal.aborted) view.end();
      else this.view = view;
    } catch (cause) {
      if (!signal.aborted) this.show('error', asClipError(cause));
    }
  }

  /** The view once it is loaded; null if that failed, which the element shows. */
  async #joined(): Promise<ExportView | null> {
    // After `stop()`, or if the code could not be loaded.
    if (!this.#watching || (this.error && !this.view)) this.#joining = this.#join();
    await this.#joining;
    return this.view;
  }
}
