import { ClipError, isClipError } from '../client/clip-error.ts';
import type { Export } from '../contract/export.ts';
import type { WatermarkInput } from '../contract/watermark.ts';
import { mayStart, type ExportStatus } from '../flow/export-status.ts';
import { textLanguage } from '../locales/registry.ts';
import { baseStyles } from './base-styles.ts';
import { ClipElement } from './clip-element.ts';
import { ClipExportStartEvent } from './clip-export-events.ts';
import { el, place, say } from './dom.ts';
import { exportButtonStyles } from './export-button-styles.ts';
import type { ExportView } from './export-view.ts';
import { hostOptions } from './host-options.ts';
import { loadPart } from './load-part.ts';
import { hostProperties, pathId, textProperty } from './settings.ts';
import { unseenStyles } from './unseen-styles.ts';

/** Codes of errors that only the page's author can fix. */
const ofAuthor = /^(missing-|invalid-(option|project|url|watermark))/;

/** An export that exists or is being started. It stays when an option changes. */
const isPaidFor = (status: ExportStatus): boolean =>
  ['starting', 'processing', 'ready', 'unknown'].includes(status);

/** The nodes of a button. */
function newParts(host: ClipExportButton, press: () => void) {
  const button = (part: string, className: string, onclick: () => void) =>
    el('button', { part, className, onclick });
  return {
    labels: {
      idle: el('slot', {}),
      processing: el('slot', { name: 'processing' }),
      ready: el('slot', { name: 'ready' }),
    },
    control: el('div', { className: 'control' }),
    button: button('button', 'main', press),
    sizer: el('div', { className: 'main sizer', 'aria-hidden': 'true' }),
    widest: el('span', {}),
    status: el('div', { part: 'status', role: 'status', dir: 'auto' }),
    // Not the slot itself: the direction of its own text does not count for it.
    reason: el('slot', {}, el('div', { dir: 'auto' })),
    clip: el('span', { className: 'unseen' }),
    retry: button('retry', 'plain', () => void host.retry()),
    again: button('export-again', 'plain under', () => void host.start()),
  };
}

/** A watermark from an attribute, as JSON. Other texts are kept, and fail the later check. */
function watermarkFrom(value: string | null): unknown {
  if (value === null) return null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * Exports a clip and offers the file. One intent is started, and paid for, only once.
 *
 * @element clip-export-button
 * @fires {ClipExportStartEvent} clip-export-start - Before anything is sent; cancelable.
 * @fires {ClipExportProgressEvent} clip-export-progress - The export has progressed.
 * @fires {ClipExportReadyEvent} clip-export-ready - The file can be downloaded.
 * @fires {ClipExportErrorEvent} clip-export-error - The export failed, or its outcome is unknown.
 * @slot - The button's label.
 * @slot processing - Replaces the label while the export runs.
 * @slot time-left - Replaces the remaining time.
 * @slot ready - The download link's label.
 * @slot error - Replaces the error's text.
 * @slot limit - Replaces the text if the plan allows no more exports.
 * @csspart button - The button.
 * @csspart progress - The bar in the button while the export runs.
 * @csspart time-left - The remaining time, in the button.
 * @csspart status - The text below the button; screen readers announce it.
 * @csspart download - The download link.
 * @csspart retry - The button that tries again, or asks again.
 * @csspart candidates - The buttons of the exports that may be the result of a lost start.
 * @csspart candidate - One of them.
 * @csspart export-again - The button that exports again with changed options.
 * @cssproperty [--clip-accent=#4f46e5] - Colour of the button.
 * @cssproperty [--clip-on-accent=#fff] - Text on it.
 * @cssproperty [--clip-button-radius=0.75rem] - Its corner radius.
 * @cssproperty [--clip-danger] - Text of an error.
 * @cssstate idle - Nothing is started.
 * @cssstate starting - The start has been sent.
 * @cssstate processing - The export runs.
 * @cssstate ready - The file is ready.
 * @cssstate error - The export failed, or cannot be watched.
 * @cssstate limit - The plan allows no more exports.
 * @cssstate unknown - The outcome of a start is not known, and is being searched for.
 * @cssstate stalled - No answers about a running export have come for a while.
 */
export class ClipExportButton extends ClipElement<ExportStatus> {
  static override properties = {
    ...ClipElement.properties,
    ...hostProperties,
    // Raw texts: an option that cannot be read must fail a start instead of being dropped.
    folder: {},
    watermarkSrc: {},
    watermarkX: {},
    watermarkY: {},
    watermarkScale: {},
    watermark: { from: watermarkFrom, reflect: false as const },
    presetId: {},
    exportId: {},
    autoDownload: {
      from: (value: string | null) => value !== null && value !== 'false',
    },
    downloadName: textProperty,
    label: textProperty,
  };
  static override styles = [baseStyles, unseenStyles, exportButtonStyles];
  static override delegatesFocus = true;

  /** Id of the clip's folder, if it has one. */
  declare folder: string | null;
  /** Name of the clip: "Export: Harbour" is then the button's accessible name. */
  declare label: string | null;
  /** URL of the watermark's image. */
  declare watermarkSrc: string | null;
  /** Its horizontal position, 0 to 1. Default 0.5. */
  declare watermarkX: number | string | null;
  /** Its vertical position, 0 to 1. Default 0.5. */
  declare watermarkY: number | string | null;
  /** Its size factor. Default 1. */
  declare watermarkScale: number | string | null;
  /** The watermark as an object; wins over the four above. As an attribute: JSON. */
  declare watermark: WatermarkInput | null;
  /** Id of a styling preset. Cannot be combined with a watermark. */
  declare presetId: string | null;
  /** Id of an existing export to watch instead of starting one. */
  declare exportId: string | null;
  /**
   * Starts the download once when the export becomes ready.
   *
   * @default false
   */
  declare autoDownload: boolean;
  /** Name of the saved file. Default: the clip's name. */
  declare downloadName: string | null;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  declare endpoint: string | null;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  declare credentials: RequestCredentials | null;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  declare csrfHeader: string | null;
  /** The page's CSRF token. */
  declare csrfToken: string | null;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  declare csrfUrl: string | null;

  #status: ExportStatus = 'idle';
  #error: ClipError | null = null;
  #view: ExportView | null = null;
  #joining: Promise<void> = Promise.resolve();
  #watching: AbortController | null = null;
  /** The clip and host, and the options, that are shown. */
  #clipKey: string | null = null;
  #optionsKey: string | null = null;
  /** The options have changed since the shown export was started: a new one is offered. */
  #offersNew = false;
  /** A required setting is missing, but may still be set in this task. */
  #mayCome = false;
  #takeFocus = false;
  /** Created at the first drawing, and kept. */
  #parts: ReturnType<typeof newParts> | null = null;

  get status(): ExportStatus {
    return this.#status;
  }

  get error(): ClipError | null {
    return this.#error;
  }

  /** The Export Object, or null. */
  get export(): Export | null {
    return this.#view?.export ?? null;
  }

  /** 0 to 1 (1: ready), or null if unknown. */
  get progress(): number | null {
    return this.#view?.progress ?? null;
  }

  /**
   * Exports of which one may be the result of a start, after the error `export-outcome-untold`. The
   * element shows a button for each; `retry()` starts another export.
   */
  get candidates(): readonly Export[] {
    return this.#view?.candidates ?? [];
  }

  /** Address at the endpoint that saves the file, when it is ready; otherwise null. */
  get downloadUrl(): string | null {
    return this.#view?.downloadUrl ?? null;
  }

  /**
   * Starts an export, unless there is one with these options. Resolves when the start has been
   * answered.
   */
  async start(): Promise<void> {
    // Options that were set in this task belong to this start.
    if (this.isUpdatePending) await this.updateComplete;
    if (!this.connected || this.#mayCome) return;
    if (!this.#offersNew && !mayStart(this.#status)) return;
    const allowed = this.dispatchEvent(
      new ClipExportStartEvent(this.project ?? '', this.folder || null),
    );
    if (!allowed) return;
    if (this.#offersNew) this.#rejoin();
    this.show('starting', null);
    await (await this.#joined())?.session.start();
  }

  /** Starts a new export after a failed one; otherwise asks again for the same one. */
  async retry(): Promise<void> {
    if (this.connected && !this.#mayCome) await (await this.#joined())?.session.retry();
  }

  /** Takes one of the `candidates`, by its id. */
  choose(exportId: string): void {
    this.#view?.session.choose(exportId);
  }

  /** Stops watching. The export itself continues, and `start()` finds it again. */
  stop(): void {
    this.#watching?.abort();
    this.#watching = this.#view = null;
    this.show('idle', null);
  }

  /** Forgets the shown export, so that another can be started, for example after an edit. */
  reset(): void {
    this.#view?.session.reset();
    if (this.#offersNew && this.#status === 'idle') this.#rejoin();
  }

  /** @internal Shows a state. */
  show(status: ExportStatus, error: ClipError | null): void {
    if (status !== this.#status && this.shadowRoot?.activeElement) this.#takeFocus = true;
    this.#status = status;
    this.#error = error;
    this.requestUpdate();
  }

  protected override get states(): readonly string[] {
    const status = this.#status;
    return status === 'processing' && this.#error ? [status, 'stalled'] : [status];
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.connected) return;
    let clipKey: string;
    let optionsKey = '';
    let error: ClipError | null = null;
    try {
      pathId(this.project);
      const { project, folder, presetId, exportId, watermark } = this;
      const { watermarkSrc, watermarkX, watermarkY, watermarkScale } = this;
      clipKey = JSON.stringify([hostOptions(this), project, folder, exportId]);
      // As text, because JSON turns NaN into null.
      const numbers = `${watermarkX} ${watermarkY} ${watermarkScale}`;
      optionsKey = JSON.stringify([presetId, watermark, watermarkSrc, numbers]);
    } catch (cause) {
      // `JSON.stringify` throws for some objects, such as circular ones.
      error = isClipError(cause) ? cause : new ClipError('invalid-watermark', `${cause}`);
      clipKey = error.code + error.message;
    }
    this.#mayCome = this.mayPass(error);
    if (this.#mayCome) return;
    const sameOptions = optionsKey === this.#optionsKey;
    if (clipKey === this.#clipKey && (sameOptions || this.#offersNew || isPaidFor(this.#status))) {
      this.#offersNew = !sameOptions;
      return;
    }
    this.#clipKey = clipKey;
    this.#optionsKey = optionsKey;
    this.#offersNew = false;
    this.stop();
    if (error) this.show('error', error);
    else this.#joining = this.#join();
  }

  protected override updated(): void {
    super.updated();
    if (!this.#takeFocus) return;
    this.#takeFocus = false;
    this.shadowRoot!.querySelector<HTMLElement>('a, button')?.focus();
  }

  protected override left(): void {
    this.stop();
    this.#clipKey = null;
    this.#offersNew = false;
  }

  /** Joins the session of the present options instead of the shown one. */
  #rejoin(): void {
    this.#clipKey = null;
    this.#offersNew = false;
    this.willUpdate();
  }

  async #join(): Promise<void> {
    const { signal } = (this.#watching = new AbortController());
    try {
      const { ExportView } = await loadPart(import('./export-view.ts'));
      if (!signal.aborted) this.#view = new ExportView(this, hostOptions(this), signal);
    } catch (cause) {
      if (!signal.aborted) this.show('error', cause as ClipError);
    }
  }

  /** The view once it is loaded; null if that failed, which the element shows. */
  async #joined(): Promise<ExportView | null> {
    // After `stop()`, or if the code could not be loaded.
    if (!this.#watching || (this.#error && !this.#view)) this.#joining = this.#join();
    await this.#joining;
    return this.#view;
  }

  protected override draw(root: ShadowRoot): void {
    const parts = (this.#parts ??= newParts(this, () => this.#press()));
    const { labels, button, sizer, widest, reason } = parts;
    const status = this.#status;
    const error = this.#error;
    const view = this.#view;
    const processing = status === 'processing';
    const busy = processing || status === 'starting';
    const over = status === 'error' || status === 'unknown';
    const shown = busy ? 'processing' : status === 'ready' ? status : 'idle';

    say(widest, this.text('exporting-share', 'Exporting… {0}', '100 %'));
    say(labels.idle, this.text('export', 'Export'));
    say(labels.ready, this.text('download', 'Download'));
    const busyText = processing ? view!.label() : this.text('starting', 'Starting…');
    say(labels.processing, busy ? busyText : widest.textContent);
    const main = status === 'ready' ? view!.link() : button;
    button.setAttribute('aria-disabled', `${busy}`);
    const { label } = this;
    say(parts.clip, `: ${label}`);
    place(main, [labels[shown], !!label && parts.clip]);
    const others = (['idle', 'processing', 'ready'] as const).filter((name) => name !== shown);
    place(sizer, [...others.map((name) => labels[name]), busy && widest]);
    place(parts.control, [
      main,
      sizer,
      busy && (view?.bar() ?? null),
      processing && view!.timeLeft(),
    ]);

    parts.status.className = error ? (over ? 'note' : 'note under') : 'unseen';
    if (error && !processing) {
      reason.name = status === 'limit' ? status : 'error';
      const text = reason.firstChild as HTMLElement;
      say(text, this.text(error.code, error.message));
      text.lang = textLanguage(this.language, error.code);
      place(parts.status, [reason]);
    } else {
      const started = busy ? this.text('announce-start', 'The export has started.') : '';
      say(parts.status, view ? view.note(error) : started);
    }
    say(
      parts.retry,
      status === 'unknown'
        ? this.text('check-again', 'Check again')
        : this.text('retry', 'Try again'),
    );
    say(parts.again, this.text('export-again', 'Export with the new options'));
    const retries = error && !processing && status !== 'limit' && !ofAuthor.test(error.code);
    place(root, [
      !over && parts.control,
      parts.status,
      over && (view?.choices() ?? null),
      retries && parts.retry,
      this.#offersNew && parts.again,
    ]);
  }

  /** A press of the button does nothing while it is busy. */
  #press(): void {
    if (mayStart(this.#status)) void this.start();
  }
}
