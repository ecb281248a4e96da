import {
  type CSSResult,
  html,
  LitElement,
  type PropertyValues,
  type TemplateResult,
  unsafeCSS,
} from 'lit';
import { chooseSlot } from '../events.ts';
import {
  defineAttributeProperties,
  type AttributeProperty,
  flagProperty,
  numberProperty,
  textProperty,
} from '../attribute-properties.ts';
import { getAccountsAtLoad } from '../../client/page-state.ts';
import { asClipError, type ClipError, loadPart } from '../../client/clip-error.ts';
import { addStyles, removeStyles, showStates, listSlotted } from '../clip-element.ts';
import type { Export } from '../../contract/export.ts';
import type { WatermarkInput } from '../../contract/watermark.ts';
import { PageController } from '../settings/page-controller.ts';
import type { ExportStatus } from '../../flow/export-status.ts';
import { exportEvents } from './clip-export-events.ts';
import type { ExportWork } from './export-work.ts';
import { HostElement } from '../settings/host-element.ts';
import exportButtonStyles from './clip-export-button.css';
import baseStyles from '../clip-element.css';
import visuallyHiddenStyles from '../visually-hidden.css';

/** Codes of errors that only the page's author can fix. */
const ofAuthor = /^(missing-|invalid-(config|option|project|url|watermark))/;

/** Reads JSON, which a server can write. Other texts stay as they are and fail the check later. */
const watermarkProperty: AttributeProperty = {
  from(text) {
    try {
      return JSON.parse(text!);
    } catch {
      return text;
    }
  },
  to(value) {
    try {
      return typeof value === 'string' ? value : JSON.stringify(value);
    } catch {
      // Circular, for example.
      return '';
    }
  },
};

let drawing: Promise<void> | null = null;

/** Resolves once the page has drawn its present state. All elements of a task share one wait. */
const waitForDrawing = (): Promise<void> =>
  (drawing ??= new Promise<void>((resolve) => {
    globalThis.requestAnimationFrame?.(() => setTimeout(resolve));
    // A page in the background draws nothing.
    setTimeout(resolve, 100);
  }).finally(() => {
    drawing = null;
  }));

/** Letters as wide as two digits, about. */
const wideLetters = /[\u1100-\u11ff\u2e80-\uffe6]/g;

/** The most room that a label takes, in widths of a digit. */
const measureLabel = (label: string): number =>
  1.1 * label.length + 0.8 * (label.match(wideLetters)?.length ?? 0);

/** Room for the labels in English, as in the style sheet. */
const usualRoom = 17.6;

/** Style sheets for labels of other lengths, shared by all elements. */
const rooms: Record<number, CSSResult> = {};

/**
 * Exports a clip and offers the file. An export is started, and paid for, only once.
 *
 * @element clip-export-button
 * @fires {ClipExportStartEvent} clip-export-start - Before anything is sent; cancelable.
 * @fires {ClipExportProgressEvent} clip-export-progress - The export has progressed.
 * @fires {ClipExportReadyEvent} clip-export-ready - The file can be downloaded.
 * @fires {ClipExportErrorEvent} clip-export-error - The export failed, or its outcome is unknown.
 * @fires {ClipSignedOutEvent} clip-signed-out - No user is signed in. The element continues when
 *   one is.
 * @slot - The button's label.
 * @slot processing - Replaces the label while the export runs.
 * @slot time-left - Replaces the remaining time.
 * @slot ready - The download link's label.
 * @slot error - Replaces the error's text.
 * @slot limit - Replaces the text if the plan allows no more exports.
 * @slot signed-out - Replaces the text if no user is signed in; for example with a link to sign in.
 * @csspart button - The button, and the download link that replaces it.
 * @csspart progress - The bar in the button while the export runs.
 * @csspart status - The text below the button; screen readers announce it.
 * @csspart secondary - The retry button, and the export button of the new version.
 * @cssproperty [--clip-accent=#4f46e5] - Colour of the button.
 * @cssproperty [--clip-on-accent=#fff] - Text on it.
 * @cssproperty [--clip-button-radius] - Its corners. Default: 3/4 of `--clip-radius`.
 * @cssproperty [--clip-danger] - Text of an error.
 * @cssstate idle - Nothing is started.
 * @cssstate starting - The export is being started.
 * @cssstate processing - The export runs.
 * @cssstate ready - The file is ready.
 * @cssstate error - The export failed, or cannot be watched.
 * @cssstate limit - The plan allows no more exports.
 * @cssstate signed-out - No user is signed in to the site.
 * @cssstate unknown - The result of a start is unknown, and is being looked up.
 * @cssstate stalled - There has been no answer about the running export for a while.
 */
export class ClipExportButton extends HostElement {
  static override properties = {
    ...defineAttributeProperties(this, {
      project: textProperty,
      // Raw texts: an option that cannot be read must fail a start instead of being dropped.
      folder: {},
      watermarkSrc: {},
      watermarkX: {},
      watermarkY: {},
      watermarkScale: {},
      watermark: watermarkProperty,
      presetId: {},
      exportId: {},
      autoDownload: flagProperty,
      downloadName: textProperty,
      revision: numberProperty,
      label: textProperty,
      hydrating: flagProperty,
    }),
  };
  static override styles = [baseStyles, visuallyHiddenStyles, exportButtonStyles];
  static override shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  /** The clip's project id. */
  declare project: string | null;
  /** Id of the clip's folder, if it has one. */
  declare folder: string | null;
  /** Name of the clip: "Export: Harbour" is then the button's accessible name. */
  declare label: string | null;
  /** URL of the watermark's image. */
  declare watermarkSrc: string | null;
  /** Horizontal position of the watermark, 0 to 1. Default 0.5. */
  declare watermarkX: number | string | null;
  /** Vertical position of the watermark, 0 to 1. Default 0.5. */
  declare watermarkY: number | string | null;
  /** Size factor of the watermark. Default 1. */
  declare watermarkScale: number | string | null;
  /** The watermark as an object; as an attribute, JSON. Has priority over the four above. */
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
  /**
   * The newest revision of the clip's edit, if the page knows it. An export of an older revision
   * remains available, and the new version is offered beside it. A list sets it automatically.
   */
  declare revision: number | null;
  /**
   * For server-rendered HTML: the page will still set options or listeners in the browser. A click
   * is carried out once this is removed.
   *
   * @default false
   */
  declare hydrating: boolean;

  readonly #page = new PageController(this, { left: () => this.#work?.end() });
  /** Null until it is loaded. A press that comes before waits for it. */
  #work: ExportWork | null = null;
  #loading: Promise<void> | null = null;
  #isPressed = false;
  /** Why the work could not be loaded. */
  #loadError: ClipError | null = null;
  #room = usualRoom;
  #seeksFocus = false;

  constructor() {
    super();
    showStates(this, () => [this.status, this.#work?.isStalled && 'stalled']);
  }

  /** The state of the element; also a custom state. */
  get status(): ExportStatus {
    if (this.#loadError) return 'error';
    return this.#isPressed ? 'starting' : (this.#work?.status ?? 'idle');
  }

  /** Why the export failed, cannot be started or cannot be watched; null without an error. */
  get error(): ClipError | null {
    return this.status === 'signed-out' ? null : this.#error;
  }

  /** The Export Object, or null. */
  get export(): Export | null {
    return this.#work?.export ?? null;
  }

  /** 0 to 1 (1: ready), or null if unknown. */
  get progress(): number | null {
    return this.#work?.progress ?? null;
  }

  /**
   * Address at the endpoint from which the browser saves the file. Null until it is ready, and with
   * a session: then use `download()`.
   */
  get downloadUrl(): string | null {
    return this.#work?.downloadUrl ?? null;
  }

  /**
   * Starts an export, unless there is one with these options. Resolves with the result.
   *
   * @returns The status once the start has been answered, such as `processing`, `limit` or `error`;
   *   the present one if nothing was to be started, or `clip-export-start` was canceled; `starting`
   *   while `hydrating`.
   */
  async start(): Promise<ExportStatus> {
    if (!this.#page.connected) return this.status;
    if (!this.#work) {
      this.#isPressed = true;
      this.requestUpdate();
      await this.#loadWork();
    }
    // Options that were set in this task belong to this start.
    if (this.isUpdatePending) await this.updateComplete;
    this.#isPressed = false;
    // The start may be refused.
    this.requestUpdate();
    await this.#work?.start();
    return this.status;
  }

  /** Starts a new export after a failed one; otherwise requests the same one again. */
  async retry(): Promise<void> {
    if (!this.#page.connected) return;
    await this.#loadWork();
    await this.#work?.retry();
  }

  /** Saves the file, when it is ready. */
  async download(): Promise<void> {
    await this.#work?.download();
  }

  /** @internal An address of the ready file for now; null without one. Throws a `ClipError`. */
  async fileUrl(): Promise<string | null> {
    return this.#work?.fileUrl() ?? null;
  }

  /** Stops watching. The export itself continues, and `start()` finds it again. */
  stop(): void {
    this.#work?.stop();
  }

  /** Clears the shown export, so that you can start another, for example after an edit. */
  reset(): void {
    this.#work?.reset();
  }

  get #error(): ClipError | null {
    return this.#loadError ?? this.#work?.error ?? null;
  }

  /** @internal The page has yet to set options or listeners: nothing may start without them. */
  get isIncomplete(): boolean {
    // Some frameworks write an object as this text on the server, and set it in the browser.
    return this.hydrating || (this.watermark as unknown) === '[object Object]';
  }

  #loadWork(): Promise<void> {
    this.#loading ??= (async () => {
      this.#loadError = null;
      try {
        const { ExportWork } = await loadPart(import('./export-work.ts'));
        this.#work = new ExportWork(this, this.#page, exportEvents);
        this.#work.update();
      } catch (cause) {
        this.#loading = null;
        this.#loadError = asClipError(cause);
        this.requestUpdate();
      }
    })();
    return this.#loading;
  }

  protected override update(changed: PropertyValues): void {
    if (this.#page.connected) {
      getAccountsAtLoad();
      if (this.#work) this.#work.update();
      // A page of a thousand buttons is drawn before any of them looks for its export.
      else if (!this.#loadError) void waitForDrawing().then(() => this.#loadWork());
    }
    super.update(changed);
  }

  protected override willUpdate(): void {
    this.#seeksFocus = !!this.shadowRoot!.activeElement;
  }

  protected override updated(): void {
    // What had the focus may have been replaced.
    if (!this.#seeksFocus || this.shadowRoot!.activeElement) return;
    this.shadowRoot!.querySelector<HTMLElement>('a, button')?.focus();
  }

  protected override render(): TemplateResult {
    const { status } = this;
    const error = this.#error;
    const work = this.#work;
    const isOver = status === 'error' || status === 'unknown';
    const retry =
      isOver && error && !ofAuthor.test(error.code)
        ? html`<button part="secondary" class="plain retry" @click=${this.retry}>
            ${
              status === 'unknown'
                ? this.#page.text('check-again', 'Check again')
                : this.#page.text('retry', 'Try again')
            }
          </button>`
        : null;
    const again = work?.again();
    // The text stays in place, because screen readers announce its changes.
    return html`${isOver ? null : this.#control()}
      <div
        part="status"
        class=${error ? (isOver ? 'note' : 'note under') : 'visually-hidden'}
        role="status"
        dir="auto"
      >
        ${this.#note()}
      </div>
      ${retry || again ? html`${retry}${again}` : null}`;
  }

  /** The button or the link, with room for each label that it may have later. */
  #control(): TemplateResult {
    const page = this.#page;
    const { status } = this;
    const work = this.#work;
    const isProcessing = status === 'processing';
    const isBusy = isProcessing || status === 'starting';
    const slot = status === 'ready' ? status : isBusy ? 'processing' : '';
    const texts = {
      '': page.text('export', 'Export'),
      processing: page.text('exporting-share', 'Exporting… {0}', '100 %'),
      ready: page.text('download', 'Download'),
    };
    this.#keepRoom(Object.values(texts));
    const { label } = this;
    const text = isProcessing
      ? work!.label()
      : isBusy
        ? page.text('starting', 'Starting…')
        : texts[slot];
    // A text that is set needs no marker beside it, as a part of a template does.
    const own = html`<slot name=${slot} .textContent=${text}></slot>`;
    const shown = label ? html`${own}<span class="visually-hidden">: ${label}</span>` : own;
    // The label itself may be among them: the first slot of a name gets what is in it.
    const others = listSlotted(this, 'processing', 'ready').map((element) => element.slot);
    if (slot) others.push('');
    const sizers = others.map(
      (name) => html`<div class="main sizer" aria-hidden="true"><slot name=${name}></slot></div>`,
    );
    return html`${
      status === 'ready'
        ? work!.link(shown)
        : html`<button
            part="button"
            class="main"
            aria-disabled=${isBusy}
            @click=${isBusy ? null : this.start}
          >
            ${shown}
          </button>`
    }
    ${
      sizers.length
        ? html`${sizers}${isBusy ? work?.bar() : null}
            <div class="main sizer label" aria-hidden="true">${texts.processing}</div>`
        : null
    }`;
  }

  /** Keeps the width for all labels, so that the button does not change its size with them. */
  #keepRoom(labels: readonly string[]): void {
    const room = Math.max(...labels.map(measureLabel));
    if (room === this.#room) return;
    const before = rooms[this.#room];
    if (before) removeStyles(this, before);
    this.#room = room;
    addStyles(this, (rooms[room] ??= unsafeCSS(`:host{--_room:${room}ch}`)));
  }

  /** The text below the button; null without one, which needs no node. */
  #note(): TemplateResult | string | null {
    const page = this.#page;
    const { status } = this;
    const error = this.#error;
    const work = this.#work;
    if (error && status !== 'processing') {
      // Not the slot itself: the direction of its own text does not count for it.
      return html`<slot name=${status === 'limit' ? status : chooseSlot(error)}
        ><div dir="auto" lang=${page.textLanguage(error.code)}>
          ${page.text(error.code, error.message)}
        </div></slot
      >`;
    }
    const isStarting = status === 'starting' && !this.isIncomplete;
    return (
      work?.note() || (isStarting ? page.text('announce-start', 'The export has started.') : null)
    );
  }
}
