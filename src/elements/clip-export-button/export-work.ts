import { html, nothing, type TemplateResult } from 'lit';
import { addStyles } from '../clip-element.ts';
import type { exportEvents, ExportElement } from './clip-export-events.ts';
import type { PageController } from '../settings/page-controller.ts';
import { checkId, readHostOptions } from '../settings/host-options.ts';
import { encodeId } from '../settings/settings.ts';
import { formatDuration } from '../../locales/measures.ts';
import { getNumberFormat } from '../../locales/number-format.ts';
import { mayStart, type ExportStatus } from '../../flow/export-status.ts';
import { downloadFileName } from '../../contract/for-pages.ts';
import type { Export } from '../../contract/export.ts';
import type { WatermarkInput } from '../../contract/watermark.ts';
import { noteRevision } from '../../client/revisions.ts';
import { toClipError } from '../../client/errors.ts';
import type { PageHostOptions } from '../../client/page-host.ts';
import { type ClipExport, type ExportIntent, getPageExport } from '../../client/clip-export.ts';
import { asClipError, ClipError, loadFailed } from '../../client/clip-error.ts';
import exportWorkStyles from './export-work.css';

/* Animates only `transform` and `opacity`, which need no work of the main thread. */

/** From this share of the estimated time on, no percentage and no remaining time are promised. */
const finishingShare = 0.95;

/** The interval at which running exports update their progress. Each may draw a frame. */
const tickMs = 500;
/** With more running exports than this, updates are rarer and take turns. */
const crowdSize = 8;
const crowdTickMs = 2000;
const worksPerTick = 20;

/** A larger step of the bar is animated, except in a crowd, which would never stop moving. */
const leapShare = 0.02;

/** The running exports of the page, which share one timer. */
const running = new Set<ExportWork>();
let ticking: ReturnType<typeof setTimeout> | undefined;

function advanceRunning(): void {
  for (const one of [...running].slice(0, worksPerTick)) {
    // Moves it to the end of the line.
    running.delete(one);
    running.add(one);
    one.advance();
  }
  ticking = setTimeout(advanceRunning, running.size > crowdSize ? crowdTickMs : tickMs);
}

function startTicking(work: ExportWork): void {
  running.add(work);
  ticking ??= setTimeout(advanceRunning, tickMs);
}

function stopTicking(work: ExportWork): void {
  running.delete(work);
  if (running.size) return;
  clearTimeout(ticking);
  ticking = undefined;
}

/** An export that exists or is being started. It stays when an option changes. */
const isPaidFor = (status: ExportStatus): boolean =>
  ['starting', 'processing', 'ready', 'unknown'].includes(status);

/** The timeout of a press for the options of the page, before the element shows an error. */
const optionsWaitMs = 30_000;

/**
 * Follows the settings of an element, shows the page's export of them, and announces its changes.
 * Loaded after the button itself.
 */
export class ExportWork {
  readonly #element: ExportElement;
  readonly #page: PageController;
  readonly #events: typeof exportEvents;
  /** The shown status, and why it is an error. */
  status: ExportStatus = 'idle';
  error: ClipError | null = null;
  /** The page's export of the settings; null while they are incomplete or wrong. */
  #export: ClipExport | null = null;
  #unlisten: (() => void) | null = null;
  /** The options have changed since the shown export was started: a new one is offered. */
  #offersNew = false;
  #hostOptions: PageHostOptions | null = null;
  /** The clip and host, and the options, that are shown. */
  #clipKey: string | null = null;
  #optionsKey: string | null = null;
  /** A required setting is missing, but may still be set in this task. */
  #awaitsSetting = false;
  /** A press that waits for the options. */
  #pressed: ReturnType<typeof setTimeout> | undefined;
  /** A setting is missing or wrong: there is nothing to start or to try again. */
  #isUnset = false;
  /** The export whose progress is drawn, and the drawn share; null if it is not known. */
  #drawnId: string | null = null;
  #share: number | null = null;
  #isLeap = false;
  #quarter = 0;
  #announcement = '';
  #waiting = '';

  constructor(element: ExportElement, page: PageController, events: typeof exportEvents) {
    this.#element = element;
    this.#page = page;
    this.#events = events;
  }

  get export(): Export | null {
    return this.#export?.state.export ?? null;
  }

  get progress(): number | null {
    return this.#export?.progress ?? null;
  }

  /** Whether no answers about a running export have come for a while. */
  get isStalled(): boolean {
    return this.status === 'processing' && !!this.error;
  }

  /** Another export is offered beside the file of an older version, or of unknown options. */
  get #offersAgain(): boolean {
    return !!this.#export && (this.#export.isOutdated || this.#export.isOfUnknownOptions);
  }

  /** Follows the settings of the element. */
  update(): void {
    if (!this.#page.connected) return;
    const element = this.#element;
    if (this.#export) noteRevision(element.project!, element.revision);
    const { project, folder, presetId, exportId, watermark } = element;
    const { watermarkSrc, watermarkX, watermarkY, watermarkScale } = element;
    // As text, because JSON turns NaN into null.
    const numbers = `${watermarkX} ${watermarkY} ${watermarkScale}`;
    const optionsKey = JSON.stringify([presetId, watermark, watermarkSrc, numbers]);
    const settings = this.#page.settings(() => {
      encodeId(project);
      this.#hostOptions = readHostOptions(element);
      return JSON.stringify([this.#hostOptions, project, folder, exportId]);
    });
    this.#awaitsSetting = !settings;
    if (!settings || element.isIncomplete) return;
    const { key: clipKey, error } = settings;
    const sameOptions = optionsKey === this.#optionsKey;
    if (clipKey === this.#clipKey && (sameOptions || this.#offersNew || isPaidFor(this.status))) {
      this.#offersNew = !sameOptions;
      return;
    }
    this.#clipKey = clipKey;
    this.#optionsKey = optionsKey;
    this.#offersNew = false;
    const pressed = this.#pressed;
    this.stop();
    this.#isUnset = !!error;
    if (error) this.#show('error', error);
    else this.#join();
    // The listeners of the page are set in this task, as the options are.
    if (pressed) this.#pressed = setTimeout(() => void this.start());
  }

  async start(): Promise<void> {
    const element = this.#element;
    if (!this.#page.connected || this.#awaitsSetting) return;
    if (element.isIncomplete) {
      this.end();
      this.#show('starting', null);
      this.#pressed = setTimeout(() => {
        this.end();
        if (element.hydrating) this.#show('error', loadFailed(null));
        // Shows what is wrong with the watermark.
        else this.#join();
      }, optionsWaitMs);
      return;
    }
    if (!this.#offersNew && !this.#offersAgain && !mayStart(this.status)) return;
    if (!element.dispatchEvent(new this.#events.start(element))) return;
    if (this.#offersNew) this.#rejoin();
    await this.#join()?.start();
  }

  async retry(): Promise<void> {
    if (!this.#page.connected || this.#awaitsSetting || this.#isUnset) return;
    if (this.#element.isIncomplete) await this.start();
    else await this.#join()?.retry();
  }

  stop(): void {
    this.#unlisten?.();
    this.#unlisten = this.#export = null;
    stopTicking(this);
    clearTimeout(this.#pressed);
    this.#pressed = undefined;
    // Mostly nothing has begun, and drawing a thousand buttons again takes long.
    if (this.status !== 'idle' || this.error) this.#show('idle', null);
  }

  reset(): void {
    this.#export?.reset();
    if (this.#offersNew && this.status === 'idle') this.#rejoin();
  }

  /** Ends all work. */
  end(): void {
    this.stop();
    this.#clipKey = null;
    this.#offersNew = false;
  }

  /** The button that starts another export beside the shown one. */
  again(): TemplateResult | null {
    if (!this.#offersNew && !this.#offersAgain) return null;
    const text =
      this.#offersNew || this.#export?.isOfUnknownOptions
        ? this.#page.text('export-again', 'Export with the new options')
        : this.#page.text('export-version', 'Export the new version');
    return html`<button part="secondary" class="plain under again" @click=${this.#element.start}>
      ${text}
    </button>`;
  }

  get downloadUrl(): string | null {
    return this.#export?.downloadUrl(this.#element.downloadName) ?? null;
  }

  /** An address of the file; with a session, one that is made for it now. Null without a file. */
  async fileUrl(): Promise<string | null> {
    return this.#export?.fileUrl(this.#element.downloadName) ?? null;
  }

  /** Saves the file. */
  async download(): Promise<void> {
    try {
      const url = await this.fileUrl();
      if (url) this.#save(url, url === this.downloadUrl);
    } catch (cause) {
      this.#report('ready', toClipError(cause));
    }
  }

  /** The label of the busy button. */
  label(): string {
    const { progress } = this;
    if (progress === null) return this.#page.text('exporting', 'Exporting…');
    if (progress >= finishingShare) return this.#page.text('finishing', 'Finishing…');
    const percent = this.#percent(Math.floor(progress * 100) / 100);
    return this.#page.text('exporting-share', 'Exporting… {0}', percent);
  }

  /** The bar behind the label, and the remaining time below it. */
  bar(): TemplateResult | null {
    // While a press waits for the options.
    if (!this.#export) return null;
    const share = this.#share;
    return html`<div
        part="progress"
        role="progressbar"
        aria-label=${this.#page.text('exporting', 'Exporting…')}
        aria-valuemin="0"
        aria-valuemax="1"
        aria-valuenow=${share ?? nothing}
      >
        <i
          class=${this.#isLeap ? 'share leap' : 'share'}
          .style=${share === null ? '' : `transform:scaleX(${share})`}
        ></i>
      </div>
      ${this.#timeLeft()}`;
  }

  /** The remaining time. Not in the live region, which would announce every change. */
  #timeLeft(): TemplateResult | null {
    const { progress, timeLeft } = this.#export!;
    if (timeLeft === null || (progress ?? 0) >= finishingShare) return null;
    const duration = formatDuration(timeLeft, this.#page.textLanguage('time-left'));
    const text = this.#page.text('time-left', 'About {0} left', duration);
    return html`<span class="time-left"><slot name="time-left">${text}</slot></span>`;
  }

  /** The link that replaces the button; with a session a button, as no link carries one. */
  link(label: TemplateResult): TemplateResult {
    if (!this.downloadUrl) {
      return html`<button part="button" class="main download" @click=${() => this.download()}>
        ${label}
      </button>`;
    }
    return html`<a
      part="button"
      class="main download"
      href=${this.downloadUrl!}
      download=${this.#fileName}
      target="_blank"
      rel="noopener"
      >${label}</a
    >`;
  }

  /** The text of the live region. */
  note(): string {
    if (!this.isStalled) return this.#announcement;
    return (
      this.#waiting || this.#page.text('stalled', 'The connection is interrupted. Still trying.')
    );
  }

  /** Shows the export of the present options instead of the shown one. */
  #rejoin(): void {
    this.#clipKey = null;
    this.#offersNew = false;
    this.update();
  }

  /** Returns the page's export of these settings; null if they are wrong, which is shown. */
  #join(): ClipExport | null {
    if (this.#export) return this.#export;
    try {
      const joined = getPageExport(this.#hostOptions!, readIntent(this.#element));
      this.#export = joined;
      noteRevision(this.#element.project!, this.#element.revision);
      this.#unlisten = joined.listen(() => this.#follow());
      // Mostly there is nothing to draw.
      if (this.error || joined.state.status !== 'idle') this.#follow();
    } catch (cause) {
      this.#show('error', asClipError(cause));
    }
    return this.#export;
  }

  /** Shows the export's state, and dispatches events for what has changed. */
  #follow(): void {
    // The page may have stopped it in an event.
    if (!this.#export) return;
    addStyles(this.#element, exportWorkStyles);
    const { status, error, export: one } = this.#export.state;
    const changed = status !== this.status;
    const isRefused = status === 'idle' && error !== this.error;
    // Computed once, because every change of the text would be announced.
    this.#waiting = error ? this.#wait() : '';
    this.#show(status, error);
    if (changed && status === 'ready' && !error) {
      this.#element.dispatchEvent(new this.#events.ready(this.#element, one!, this.downloadUrl));
      if (this.#element.autoDownload && this.#export.claimDownload()) void this.download();
    } else if ((changed || isRefused) && status !== 'processing' && error) {
      this.#report(status, error);
    }
    this.advance();
  }

  #report(status: ExportStatus, error: ClipError): void {
    this.#show(status, error);
    this.#element.dispatchEvent(this.#events.error(this.#element, error));
  }

  #show(status: ExportStatus, error: ClipError | null): void {
    if (status !== this.status) this.#enter(status);
    this.status = status;
    this.error = error;
    this.#element.requestUpdate();
  }

  #enter(status: ExportStatus): void {
    stopTicking(this);
    this.#drawnId = this.#share = null;
    if (status === 'idle') this.#announcement = '';
    if (status === 'starting') {
      this.#quarter = 0;
      this.#announcement = this.#page.text('announce-start', 'The export has started.');
    }
    if (status === 'processing') startTicking(this);
    if (status === 'ready') {
      this.#announcement = this.#page.text('announce-ready', 'The export is ready.');
    }
  }

  /** @internal Updates the progress of a running export. */
  advance(): void {
    const { export: one, progress } = this;
    if (this.status !== 'processing' || !one) return;
    const share = progress === null ? null : Math.floor(progress * 100) / 100;
    if (one.id === this.#drawnId && share === this.#share) return;
    this.#isLeap = (share ?? 0) - (this.#share ?? 0) > leapShare && running.size <= crowdSize;
    this.#drawnId = one.id;
    this.#share = share;
    const quarter = Math.floor((share ?? 0) * 4);
    if (quarter > this.#quarter) {
      this.#quarter = quarter;
      this.#announcement = this.#page.text(
        'announce-share',
        'Export: {0}',
        this.#percent(quarter / 4),
      );
    }
    this.#element.requestUpdate();
    this.#element.dispatchEvent(new this.#events.progress(this.#element, one, progress));
  }

  /** The text about a long wait that the host asked for; empty if there is none. */
  #wait(): string {
    const { waitLeft } = this.#export!;
    return waitLeft === null
      ? ''
      : this.#page.text(
          'waiting',
          'The site is busy. Next try in about {0}.',
          formatDuration(waitLeft, this.#page.textLanguage('waiting')),
        );
  }

  #percent(share: number): string {
    return getNumberFormat(this.#page.textLanguage('announce-share'), {
      style: 'percent',
    }).format(share);
  }

  get #fileName(): string {
    return this.#element.downloadName || downloadFileName(this.export?.name ?? 'clip');
  }

  /** `isLink`: browsers open no tab for what was not clicked just now. */
  #save(url: string, isLink: boolean): void {
    const link = document.createElement('a');
    link.href = url;
    link.download = this.#fileName;
    link.rel = 'noopener';
    if (isLink) link.target = '_blank';
    link.click();
  }
}

/** A number that may be set as a text. Other texts give NaN, which fails the later check. */
const parseNumber = (value: unknown): unknown =>
  typeof value === 'string' ? Number(value.trim() || NaN) : (value ?? undefined);

/** The watermark of the flat attributes, or null if there is no image. */
const readFlatWatermark = (settings: ExportElement): unknown =>
  settings.watermarkSrc === null
    ? null
    : {
        src_url: settings.watermarkSrc,
        pos_x: parseNumber(settings.watermarkX),
        pos_y: parseNumber(settings.watermarkY),
        scale: parseNumber(settings.watermarkScale),
      };

/**
 * The intent of these settings. Throws `invalid-watermark` or `invalid-option` if one cannot be
 * read: an export without it would cost money and be wrong.
 */
function readIntent(settings: ExportElement): ExportIntent {
  const watermark = checkWatermark(settings.watermark ?? readFlatWatermark(settings));
  const presetId = checkId(settings.presetId, 'preset-id');
  if (watermark && presetId) {
    throw new ClipError('invalid-watermark', 'A watermark and a preset cannot go together.');
  }
  return {
    project: settings.project!,
    folder: checkId(settings.folder, 'folder'),
    exportId: checkId(settings.exportId, 'export-id'),
    options: { ...(watermark && { watermark }), ...(presetId && { preset_id: presetId }) },
  };
}

const isWithin = (value: unknown, low: number, high: number): boolean =>
  typeof value === 'number' && value >= low && value <= high;

/**
 * The watermark with its defaults and an absolute URL; null for none. Throws `invalid-watermark` if
 * it does not fit the specification (2.6).
 */
function checkWatermark(watermark: unknown): Required<WatermarkInput> | null {
  if (watermark === null || watermark === undefined) return null;
  const refuse = (what: string): never => {
    throw new ClipError('invalid-watermark', `The watermark cannot be used: ${what}.`);
  };
  if (typeof watermark !== 'object') return refuse('it must be an object with src_url');
  const { src_url, pos_x = 0.5, pos_y = 0.5, scale = 1, ...rest } = watermark as WatermarkInput;
  // These would count as URLs relative to the page.
  const unreadable = typeof src_url !== 'string' || /^(\s*|\[object Object\])$/.test(src_url);
  const url =
    !unreadable && URL.canParse(src_url, document.baseURI)
      ? new URL(src_url, document.baseURI)
      : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    return refuse('its image needs an http or https address');
  }
  if (!isWithin(pos_x, 0, 1) || !isWithin(pos_y, 0, 1)) refuse('positions are numbers from 0 to 1');
  if (!isWithin(scale, Number.MIN_VALUE, 100)) refuse('the scale is above 0 and at most 100');
  const [unknown] = Object.keys(rest);
  if (unknown) refuse(`it has no "${unknown}"`);
  return { src_url: url.href, pos_x, pos_y, scale };
}
