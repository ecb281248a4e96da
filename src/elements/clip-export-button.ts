import { ClipError } from '../client/clip-error.ts';
import type { Export } from '../contract/export.ts';
import type { WatermarkInput } from '../contract/watermark.ts';
import { mayStart, type ExportStatus } from '../flow/export-status.ts';
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

/** Codes of what only the page's author can mend. */
const ofAuthor = /^(missing-|invalid-(option|project|url|watermark))/;

/** An export that is there, or on its way: it is not left because an option changes. */
const isPaidFor = (status: ExportStatus): boolean =>
  ['starting', 'processing', 'ready', 'unknown'].includes(status);

/** What a button is drawn of. */
const newParts = (host: ClipExportButton, press: () => void) => {
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
    reason: el('slot', {}),
    retry: button('retry', 'plain', () => void host.retry()),
    again: button('export-again', 'plain under', () => void host.start()),
  };
};

/** A watermark as an attribute: JSON. What is none stays what it is, and is refused when it is checked. */
const watermarkFrom = (value: string | null): unknown => {
  if (value === null) return null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/**
 * Exports a clip and offers the file: one paid start for one intent, however often it is asked for.
 *
 * @element clip-export-button
 * @fires {ClipExportStartEvent} clip-export-start - Before anything is sent; cancelable.
 * @fires {ClipExportProgressEvent} clip-export-progress - The export has come further.
 * @fires {ClipExportReadyEvent} clip-export-ready - The file can be downloaded.
 * @fires {ClipExportErrorEvent} clip-export-error - The export failed, was refused, or its start's outcome is unknown.
 * @slot - The button's label.
 * @slot processing - Instead of the text while the export runs.
 * @slot time-left - Instead of the time that it will take yet.
 * @slot ready - The download link's label.
 * @slot error - Instead of the error's text.
 * @slot limit - Instead of the text when the plan allows no more exports.
 * @csspart button - The button.
 * @csspart progress - The bar in the button while the export runs.
 * @csspart time-left - The time that it will take yet.
 * @csspart status - The text below the button; also what a screen reader hears.
 * @csspart download - The download link.
 * @csspart retry - The button that tries again, or asks again.
 * @csspart export-again - The button that starts another export, where options have changed since the one that is shown.
 * @cssproperty [--clip-accent=#4f46e5] - Colour of the button.
 * @cssproperty [--clip-on-accent=#fff] - Text on it.
 * @cssproperty [--clip-button-radius=0.75rem] - Its corners.
 * @cssproperty [--clip-danger] - Text of an error.
 * @cssstate idle - Nothing is started.
 * @cssstate starting - The start is on its way.
 * @cssstate processing - The export runs.
 * @cssstate ready - The file is there.
 * @cssstate error - The export failed, or cannot be watched.
 * @cssstate limit - The plan allows no more exports.
 * @cssstate unknown - A start was sent, and its outcome is being asked for.
 * @cssstate stalled - Nothing has been heard of a running export for a while.
 */
export class ClipExportButton extends ClipElement<ExportStatus> {
  static override properties = {
    ...ClipElement.properties,
    ...hostProperties,
    // Texts as they are: what cannot be read is refused before a start, and not passed over.
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
  };
  static override styles = [baseStyles, unseenStyles, exportButtonStyles];
  static override delegatesFocus = true;

  /** Id of the clip's folder, where it has one. */
  declare folder: string | null;
  /** Address of the watermark's image. */
  declare watermarkSrc: string | null;
  /** Its horizontal position, 0 to 1. Default 0.5. */
  declare watermarkX: number | string | null;
  /** Its vertical position, 0 to 1. Default 0.5. */
  declare watermarkY: number | string | null;
  /** Its size factor. Default 1. */
  declare watermarkScale: number | string | null;
  /** The watermark as an object; wins over the four above. As an attribute: JSON. */
  declare watermark: WatermarkInput | null;
  /** Id of a styling preset (the other variant of the service's call; not together with a watermark). */
  declare presetId: string | null;
  /** An export that exists, to be watched instead of starting one. */
  declare exportId: string | null;
  /**
   * Starts the download once when the export becomes ready.
   *
   * @default false
   */
  declare autoDownload: boolean;
  /** Suggested file name. Default: the clip's name by the rule of the service. */
  declare downloadName: string | null;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  declare endpoint: string | null;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  declare credentials: RequestCredentials | null;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  declare csrfHeader: string | null;
  /** The page's token against cross-site requests. */
  declare csrfToken: string | null;
  /** Where a fresh token against cross-site requests is fetched once when one is refused. */
  declare csrfUrl: string | null;

  #status: ExportStatus = 'idle';
  #error: ClipError | null = null;
  #view: ExportView | null = null;
  #joining: Promise<void> = Promise.resolve();
  #watching: AbortController | null = null;
  /** What is shown was joined for this clip at this host, and with these options. */
  #clipKey: string | null = null;
  #optionsKey: string | null = null;
  /** The options have changed since the export that is shown was started: it stays, and another is offered beside it. */
  #offersNew = false;
  /** Something is missing, which may still come in this task. */
  #mayCome = false;
  #takeFocus = false;
  /** Made when it is first drawn, and kept. */
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

  /** 0 to 1 (1: ready), or null where nothing honest can be said. */
  get progress(): number | null {
    return this.#view?.progress ?? null;
  }

  /** Where the file is, once it is ready; else null. */
  get downloadUrl(): string | null {
    return this.#view?.downloadUrl ?? null;
  }

  /**
   * Starts an export, unless one with these options is there or on its way. Resolves when the start has been answered.
   */
  async start(): Promise<void> {
    // What was just set on the element belongs to this start.
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

  /** A new export after a failed one; otherwise another look at the same. */
  async retry(): Promise<void> {
    if (this.connected && !this.#mayCome) await (await this.#joined())?.session.retry();
  }

  /** Stops watching; the export itself goes on, and `start()` finds it again. */
  stop(): void {
    this.#watching?.abort();
    this.#watching = this.#view = null;
    this.show('idle', null);
  }

  /** Forgets the export that is shown, so that another one can be started (after an edit, say). */
  reset(): void {
    this.#view?.session.reset();
    if (this.#offersNew && this.#status === 'idle') this.#rejoin();
  }

  /** @internal What the element shows from now on. */
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
      // Numbers as texts: JSON takes what is none for null.
      const numbers = `${watermarkX} ${watermarkY} ${watermarkScale}`;
      optionsKey = JSON.stringify([presetId, watermark, watermarkSrc, numbers]);
    } catch (cause) {
      // A watermark that is no plain object cannot be written down.
      error = cause instanceof ClipError ? cause : new ClipError('invalid-watermark', `${cause}`);
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

  /** Leaves what is shown, for what the options stand for now. */
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

  /** The view, once it is there; null where it could not be had, which is shown. */
  async #joined(): Promise<ExportView | null> {
    // After stop(), or when the code could not be loaded.
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
    place(main, [labels[shown]]);
    const others = (['idle', 'processing', 'ready'] as const).filter((name) => name !== shown);
    place(sizer, [...others.map((name) => labels[name]), busy && widest]);
    place(parts.control, [main, sizer, busy && (view?.bar() ?? null)]);

    parts.status.className = error ? (over ? 'note' : 'note under') : 'unseen';
    if (error && !processing) {
      reason.name = status === 'limit' ? status : 'error';
      say(reason, this.text(error.code, error.message));
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
      processing && view!.timeLeft(),
      parts.status,
      retries && parts.retry,
      this.#offersNew && parts.again,
    ]);
  }

  /** The button itself: while it is busy, a press of it asks for nothing. */
  #press(): void {
    if (mayStart(this.#status)) void this.start();
  }
}
