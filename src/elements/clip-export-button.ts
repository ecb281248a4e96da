import { html, nothing, type TemplateResult } from 'lit/html.js';
import { ClipError } from '../client/clip-error.ts';
import type { ExportSession } from '../client/export-session.ts';
import type { Export } from '../contract/export.ts';
import { downloadFileName } from '../contract/file-name.ts';
import type { WatermarkInput } from '../contract/watermark.ts';
import type { ExportStatus } from '../flow/export-machine.ts';
import { mayStart } from '../flow/may-start.ts';
import { baseStyles } from './base-styles.ts';
import { ClipElement } from './clip-element.ts';
import {
  ClipExportErrorEvent,
  ClipExportProgressEvent,
  ClipExportReadyEvent,
  ClipExportStartEvent,
} from './clip-export-events.ts';
import { exportButtonStyles } from './export-button-styles.ts';
import { hostOptions } from './host-options.ts';
import { numberFrom } from './reactive-element.ts';
import { pathId, plainText } from './settings.ts';
import { checkWatermark, watermarkFrom } from './watermark-property.ts';

const number = { from: numberFrom };
const text = { from: plainText };
/** A link older than this is asked for again when it is used, in milliseconds. */
const staleAfter = 10 * 60 * 1000;

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
 * @slot ready - The download link's label.
 * @slot error - Instead of the error's text.
 * @slot limit - Instead of the text when the plan allows no more exports.
 * @csspart button - The button.
 * @csspart progress - The bar in the button while the export runs.
 * @csspart status - The text below the button; also what a screen reader hears.
 * @csspart download - The download link.
 * @csspart retry - The button that tries again, or asks again.
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
    folder: text,
    watermarkSrc: { attribute: 'watermark-src', ...text },
    watermarkX: { attribute: 'watermark-x', ...number },
    watermarkY: { attribute: 'watermark-y', ...number },
    watermarkScale: { attribute: 'watermark-scale', ...number },
    watermark: { from: watermarkFrom },
    presetId: { attribute: 'preset-id', ...text },
    exportId: { attribute: 'export-id', ...text },
    autoDownload: {
      attribute: 'auto-download',
      from: (value: string | null) => value !== null && value !== 'false',
    },
    downloadName: { attribute: 'download-name', ...text },
  };
  static override styles = [baseStyles, exportButtonStyles];
  static override delegatesFocus = true;

  /** Id of the clip's folder, where it has one. */
  declare folder: string | null;
  /** Address of the watermark's image. */
  declare watermarkSrc: string | null;
  /** Its horizontal position, 0 to 1. Default 0.5. */
  declare watermarkX: number | null;
  /** Its vertical position, 0 to 1. Default 0.5. */
  declare watermarkY: number | null;
  /** Its size factor. Default 1. */
  declare watermarkScale: number | null;
  /** The watermark as an object; wins over the four above. As an attribute: JSON. */
  declare watermark: WatermarkInput | null;
  /** Id of a styling preset (the other variant of the service's call; not together with a watermark). */
  declare presetId: string | null;
  /** An export that exists, to be watched instead of starting one. */
  declare exportId: string | null;
  /** Starts the download once when the export becomes ready. */
  declare autoDownload: boolean;
  /** Suggested file name. Default: the clip's name by the rule of the service. */
  declare downloadName: string | null;

  #status: ExportStatus = 'idle';
  #error: ClipError | null = null;
  #session: ExportSession | null = null;
  #joining: Promise<void> = Promise.resolve();
  #watching: AbortController | null = null;
  #key: string | null = null;
  #shown = '';
  #quarter = 0;
  #spoken = '';
  #takeFocus = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.autoDownload = false;
  }

  get status(): ExportStatus {
    return this.#status;
  }

  get error(): ClipError | null {
    return this.#error;
  }

  /** The Export Object, or null. */
  get export(): Export | null {
    return this.#session?.state.export ?? null;
  }

  /** 0 to 1 (1: ready), or null where nothing honest can be said. */
  get progress(): number | null {
    return this.#session?.progress ?? null;
  }

  /** Where the file is, once it is ready; else null. */
  get downloadUrl(): string | null {
    const one = this.export;
    if (one?.status !== 'ready' || !this.#session) return null;
    return one.src_url && /^https?:\/\//i.test(one.src_url)
      ? one.src_url
      : this.#session.downloadUrl(one);
  }

  /** Starts an export, unless one is there or on its way. Resolves when the start has been answered. */
  async start(): Promise<void> {
    // What was just set on the element belongs to this start.
    if (this.isUpdatePending) await this.updateComplete;
    if (!this.connection || !mayStart(this.#status)) return;
    const allowed = this.dispatchEvent(
      new ClipExportStartEvent(this.project ?? '', this.folder || null),
    );
    if (!allowed) return;
    this.#show('starting', null);
    this.#spoken = this.text('announce-start', 'The export has started.');
    await this.#withSession((session) => session.start());
  }

  /** A new export after a failed one; otherwise another look at the same. */
  async retry(): Promise<void> {
    if (this.connection) await this.#withSession((session) => session.retry());
  }

  /** Stops watching; the export itself goes on, and `start()` finds it again. */
  stop(): void {
    this.#leave();
    this.#show('idle', null);
  }

  /** Forgets the export that is shown, so that another one can be started (after an edit, say). */
  reset(): void {
    this.#session?.reset();
  }

  protected override get flags(): readonly string[] {
    return this.#status === 'processing' && this.#error ? ['stalled'] : [];
  }

  protected override willUpdate(): void {
    if (!this.connection) return;
    let key: string;
    let error: ClipError | null = null;
    try {
      key = JSON.stringify([hostOptions(this), this.#intent()]);
    } catch (cause) {
      error = cause as ClipError;
      key = error.code + error.message;
    }
    if (key === this.#key) return;
    this.#key = key;
    this.#leave();
    this.#show('idle', null);
    if (error) this.#show('error', error);
    else this.#joining = this.#join();
  }

  protected override updated(): void {
    super.updated();
    if (!this.#takeFocus) return;
    this.#takeFocus = false;
    this.shadowRoot!.querySelector<HTMLElement>('a, button')?.focus();
  }

  protected override left(): void {
    this.#leave();
    this.#key = null;
    this.#show('idle', null);
  }

  #intent() {
    const { project, folder, presetId, exportId, watermarkSrc } = this;
    pathId(project ?? '');
    const flat = watermarkSrc
      ? {
          src_url: watermarkSrc,
          pos_x: this.watermarkX ?? undefined,
          pos_y: this.watermarkY ?? undefined,
          scale: this.watermarkScale ?? undefined,
        }
      : null;
    const watermark = checkWatermark(this.watermark ?? flat);
    if (watermark && presetId) {
      throw new ClipError('invalid-watermark', 'A watermark and a preset cannot go together.');
    }
    return {
      project: project!,
      folder: folder || null,
      exportId: exportId || null,
      options: { ...(watermark && { watermark }), ...(presetId && { preset_id: presetId }) },
    };
  }

  /** Joins the page's session of this intent, which picks up what was started before. */
  async #join(): Promise<void> {
    const { signal } = (this.#watching = new AbortController());
    try {
      const { pageExport } = await import('../client/page-exports.ts');
      if (signal.aborted) return;
      const session = pageExport(hostOptions(this), this.#intent());
      this.#session = session;
      session.listen(() => this.#follow(), signal);
      // A click that came first is still to be carried out.
      if (this.#status !== 'starting' || session.state.status !== 'idle') this.#follow();
    } catch (cause) {
      if (signal.aborted) return;
      this.#show(
        'error',
        new ClipError('load-failed', 'A part of this page could not be loaded. Reload the page.', {
          cause,
          retryable: true,
        }),
      );
    }
  }

  async #withSession(work: (session: ExportSession) => Promise<void>): Promise<void> {
    // After stop(), or when the code could not be loaded.
    if (!this.#watching || (this.#error && !this.#session)) this.#joining = this.#join();
    await this.#joining;
    if (this.#session) await work(this.#session);
  }

  #leave(): void {
    this.#watching?.abort();
    this.#watching = this.#session = null;
    this.#shown = '';
    this.#quarter = 0;
  }

  /** Shows the session's state, and tells of what has changed. */
  #follow(): void {
    const session = this.#session;
    if (!session) return;
    const { status, error, export: one } = session.state;
    const before = this.#status;
    this.#show(status, error);
    if (status !== before) {
      if (status === 'starting') {
        this.#quarter = 0;
      } else if (status === 'ready' && one) {
        this.#spoken = this.text('announce-ready', 'The export is ready.');
        this.dispatchEvent(new ClipExportReadyEvent(one, this.downloadUrl!));
        if (this.autoDownload && session.claimDownload()) this.#save();
      } else if (error) {
        this.dispatchEvent(new ClipExportErrorEvent(error));
      }
    }
    this.#advance();
  }

  /** Looks how far a running export is by now. */
  #advance(): void {
    const { export: one, progress } = this;
    if (this.#status !== 'processing' || !one) return;
    const shown = one.id + (progress === null ? '' : Math.floor(progress * 100));
    if (shown === this.#shown) return;
    this.#shown = shown;
    const quarter = Math.floor((progress ?? 0) * 4);
    if (quarter > this.#quarter) {
      this.#quarter = quarter;
      this.#spoken = this.text('announce-share', 'Export: {0}', this.#percent(quarter / 4));
    }
    this.requestUpdate();
    this.dispatchEvent(new ClipExportProgressEvent(one, progress));
  }

  #show(status: ExportStatus, error: ClipError | null): void {
    if (status !== this.#status && this.shadowRoot?.activeElement) this.#takeFocus = true;
    if (status === 'idle') this.#spoken = '';
    if (status !== this.#status) {
      clearInterval(this.#timer);
      if (status === 'processing') this.#timer = setInterval(() => this.#advance(), 500);
    }
    this.#status = status;
    this.#error = error;
    this.requestUpdate();
  }

  #percent(share: number): string {
    return new Intl.NumberFormat(this.language, { style: 'percent' }).format(share);
  }

  get #fileName(): string {
    return this.downloadName || downloadFileName(this.export?.name ?? 'clip');
  }

  #save(): void {
    const link = document.createElement('a');
    link.href = this.downloadUrl!;
    link.download = this.#fileName;
    link.rel = 'noopener';
    link.target = '_blank';
    link.click();
  }

  async #download(event: Event): Promise<void> {
    const session = this.#session;
    const watching = this.#watching;
    if (!session || !watching || Date.now() - session.learnt < staleAfter) return;
    event.preventDefault();
    await session.refresh(watching.signal).catch(() => {});
    // Without a fresh one, the old link is still the best there is.
    if (!watching.signal.aborted) this.#save();
  }

  protected override render(): TemplateResult {
    const status = this.#status;
    return html`${status === 'ready' ? this.#renderDownload() : this.#renderButton(status)}
      <div part="status" class=${this.#error ? 'note' : 'unseen'} role="status">
        ${this.#renderNote(status)}
      </div>
      ${
        this.#error?.retryable && status !== 'processing' && status !== 'limit'
          ? html`<button part="retry" class="plain" @click=${() => this.retry()}>
              ${status === 'unknown' ? this.text('check-again', 'Check again') : this.text('retry', 'Try again')}
            </button>`
          : nothing
      }`;
  }

  #renderButton(status: ExportStatus): unknown {
    if (status === 'error' || status === 'unknown') return nothing;
    const busy = status === 'starting' || status === 'processing';
    const { progress } = this;
    const share = progress === null ? '' : this.#percent(Math.floor(progress * 100) / 100);
    return html`<div class="control">
      <button part="button" class="main" aria-disabled=${busy} @click=${() => this.start()}>
        ${
          busy
            ? html`<slot name="processing"
                >${
                  status === 'starting'
                    ? this.text('starting', 'Starting…')
                    : share
                      ? this.text('exporting-share', 'Exporting… {0}', share)
                      : this.text('exporting', 'Exporting…')
                }</slot
              >`
            : html`<slot>${this.text('export', 'Export')}</slot>`
        }
      </button>
      ${
        busy
          ? html`<progress
              part="progress"
              max="1"
              aria-label=${this.text('exporting', 'Exporting…')}
              value=${progress ?? nothing}
            ></progress>`
          : nothing
      }
    </div>`;
  }

  #renderDownload(): TemplateResult {
    return html`<div class="control">
      <a
        part="download"
        class="main"
        href=${this.downloadUrl ?? nothing}
        download=${this.#fileName}
        target="_blank"
        rel="noopener"
        @click=${this.#download}
        ><slot name="ready">${this.text('download', 'Download')}</slot></a
      >
    </div>`;
  }

  #renderNote(status: ExportStatus): unknown {
    const error = this.#error;
    if (!error) return this.#spoken;
    if (status === 'processing') {
      return this.text('stalled', 'The connection is interrupted. Still trying.');
    }
    const words = this.text(error.code, error.message);
    return status === 'limit'
      ? html`<slot name="limit">${words}</slot>`
      : html`<slot name="error">${words}</slot>`;
  }
}
