import type { ClipError } from '../client/clip-error.ts';
import type { ExportSession } from '../client/export-session.ts';
import type { HostClientOptions } from '../client/host-client.ts';
import { pageExport } from '../client/page-exports.ts';
import type { Export } from '../contract/export.ts';
import { downloadFileName } from '../contract/file-name.ts';
import type { ExportStatus } from '../flow/export-status.ts';
import { formatDuration } from '../locales/duration.ts';
import { numberFormat } from '../locales/number-format.ts';
import type { Messages } from '../locales/messages.ts';
import { textLanguage } from '../locales/registry.ts';
import {
  ClipExportErrorEvent,
  ClipExportProgressEvent,
  ClipExportReadyEvent,
} from './clip-export-events.ts';
import { newSheet } from './css.ts';
import { el, say } from './dom.ts';
import { exportIntent, type ExportSettings } from './export-intent.ts';
import { exportViewStyles } from './export-view-styles.ts';

/** How often the running exports of a page update their progress. Each may draw a frame. */
const tickMs = 500;
/** With more running exports than this, updates are rarer and take turns. */
const crowdSize = 8;
const crowdTickMs = 2000;
const viewsPerTick = 20;

/** A larger step of the bar is animated, except in a crowd, which would never stop moving. */
const leapShare = 0.02;

let sheet: CSSStyleSheet | undefined;

/** The running exports of the page, which share one timer. */
const running = new Set<ExportView>();
let ticking: ReturnType<typeof setTimeout> | undefined;

function tick(): void {
  for (const one of [...running].slice(0, viewsPerTick)) {
    // Moves it to the end of the line.
    running.delete(one);
    running.add(one);
    one.advance();
  }
  ticking = setTimeout(tick, running.size > crowdSize ? crowdTickMs : tickMs);
}

function run(view: ExportView): void {
  running.add(view);
  ticking ??= setTimeout(tick, tickMs);
}

function rest(view: ExportView): void {
  running.delete(view);
  if (running.size) return;
  clearTimeout(ticking);
  ticking = undefined;
}

/** What the view needs of the element that it belongs to. */
interface ExportElement extends ExportSettings, Pick<Element, 'shadowRoot' | 'dispatchEvent'> {
  readonly status: ExportStatus;
  readonly language: string;
  readonly autoDownload: boolean;
  readonly downloadName: string | null;
  text(key: keyof Messages, english: string, value?: string): string;
  show(status: ExportStatus, error: ClipError | null): void;
  requestUpdate(): void;
}

/** What a button shows and announces of its export. Loaded after the button itself. */
export class ExportView {
  readonly #button: ExportElement;
  readonly #session: ExportSession;
  #status: ExportStatus = 'idle';
  #shown = '';
  #quarter = 0;
  #spoken = '';
  #waiting = '';
  /** The share that the bar shows. */
  #drawn = 0;
  readonly #bar = el(
    'div',
    { part: 'progress', role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '1' },
    el('i', { className: 'share' }),
  );
  readonly #timeLeft = el('span', { part: 'time-left' }, el('slot', { name: 'time-left' }));
  readonly #link = el('a', {
    part: 'download',
    className: 'main',
    target: '_blank',
    rel: 'noopener',
  });

  /** Joins the page's session of the button's intent. Throws a {@link ClipError}. */
  constructor(button: ExportElement, host: HostClientOptions, signal: AbortSignal) {
    this.#button = button;
    this.#session = pageExport(host, exportIntent(button));
    sheet ??= newSheet(exportViewStyles);
    const { adoptedStyleSheets } = button.shadowRoot!;
    if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
    this.#session.listen(() => this.#follow(), signal);
    signal.addEventListener('abort', () => rest(this));
    // A click that came before is not carried out yet: its state must stay.
    if (button.status !== 'starting' || this.#session.state.status !== 'idle') this.#follow();
  }

  get session(): ExportSession {
    return this.#session;
  }

  get export(): Export | null {
    return this.#session.state.export;
  }

  get progress(): number | null {
    return this.#session.progress;
  }

  get candidates(): readonly Export[] {
    return this.#session.state.candidates;
  }

  /** A button for each export that may be the wanted one; null if there is no such choice. */
  choices(): HTMLElement | null {
    const { candidates } = this;
    if (!candidates.length) return null;
    const button = this.#button;
    const time = new Intl.DateTimeFormat(textLanguage(button.language, 'export-of'), {
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const buttons = candidates.map(({ id, created_at }) =>
      el(
        'button',
        { part: 'candidate', className: 'plain', onclick: () => this.#session.choose(id) },
        button.text('export-of', 'Use the export of {0}', time.format(new Date(created_at))),
      ),
    );
    return el('div', { part: 'candidates' }, ...buttons);
  }

  get downloadUrl(): string | null {
    const one = this.export;
    return one?.status === 'ready'
      ? this.#session.downloadUrl(one, this.#button.downloadName)
      : null;
  }

  /** The label of the busy button. */
  label(): string {
    const button = this.#button;
    const { progress } = this;
    return progress === null
      ? button.text('exporting', 'Exporting…')
      : button.text(
          'exporting-share',
          'Exporting… {0}',
          this.#percent(Math.floor(progress * 100) / 100),
        );
  }

  /** The bar behind the label. */
  bar(): HTMLElement {
    const { progress } = this;
    const bar = this.#bar;
    const share = bar.firstElementChild as HTMLElement;
    const drawn = Math.floor((progress ?? 0) * 100) / 100;
    bar.setAttribute('aria-label', this.#button.text('exporting', 'Exporting…'));
    if (progress === null) bar.removeAttribute('aria-valuenow');
    else bar.setAttribute('aria-valuenow', `${drawn}`);
    const transform = progress === null ? '' : `scaleX(${drawn})`;
    // Setting the same value would interrupt the animation.
    if (share.style.transform === transform) return bar;
    share.classList.toggle('leap', drawn - this.#drawn > leapShare && running.size <= crowdSize);
    share.style.transform = transform;
    this.#drawn = drawn;
    return bar;
  }

  /** The remaining time. Not in the live region, which would announce every change. */
  timeLeft(): HTMLElement | null {
    const { timeLeft } = this.#session;
    if (timeLeft === null) return null;
    const button = this.#button;
    const duration = formatDuration(timeLeft, textLanguage(button.language, 'time-left'));
    say(this.#timeLeft.firstChild!, button.text('time-left', 'About {0} left', duration));
    return this.#timeLeft;
  }

  /** The link that replaces the button. */
  link(): HTMLElement {
    return Object.assign(this.#link, { href: this.downloadUrl!, download: this.#fileName });
  }

  /** The text of the live region. */
  note(error: ClipError | null): string {
    if (!error || this.#status !== 'processing') return this.#spoken;
    return (
      this.#waiting || this.#button.text('stalled', 'The connection is interrupted. Still trying.')
    );
  }

  /** Shows the session's state, and dispatches events for what has changed. */
  #follow(): void {
    const button = this.#button;
    const session = this.#session;
    const { status, error, export: one } = session.state;
    const changed = status !== this.#status;
    this.#status = status;
    // Computed once, because every change of the text would be announced.
    this.#waiting = error ? this.#wait() : '';
    if (changed) {
      rest(this);
      this.#shown = '';
      if (status === 'idle') this.#spoken = '';
      if (status === 'starting') {
        this.#quarter = 0;
        this.#spoken = button.text('announce-start', 'The export has started.');
      }
      if (status === 'processing') run(this);
      if (status === 'ready') {
        this.#spoken = button.text('announce-ready', 'The export is ready.');
      }
    }
    button.show(status, error);
    if (changed && status === 'ready') {
      button.dispatchEvent(new ClipExportReadyEvent(one!, this.downloadUrl!));
      if (button.autoDownload && session.claimDownload()) this.#save();
    } else if (changed && status !== 'processing' && error) {
      button.dispatchEvent(new ClipExportErrorEvent(error));
    }
    this.advance();
  }

  /** @internal Updates the progress of a running export. */
  advance(): void {
    const button = this.#button;
    const { export: one, progress } = this;
    if (this.#status !== 'processing' || !one) return;
    const shown = one.id + (progress === null ? '' : Math.floor(progress * 100));
    if (shown === this.#shown) return;
    this.#shown = shown;
    const quarter = Math.floor((progress ?? 0) * 4);
    if (quarter > this.#quarter) {
      this.#quarter = quarter;
      this.#spoken = button.text('announce-share', 'Export: {0}', this.#percent(quarter / 4));
    }
    button.requestUpdate();
    button.dispatchEvent(new ClipExportProgressEvent(one, progress));
  }

  /** The text about a long wait that the host asked for; empty if there is none. */
  #wait(): string {
    const button = this.#button;
    const { waitLeft } = this.#session;
    const { language } = button;
    return waitLeft === null
      ? ''
      : button.text(
          'waiting',
          'The site is busy. Next try in about {0}.',
          formatDuration(waitLeft, textLanguage(language, 'waiting')),
        );
  }

  #percent(share: number): string {
    return numberFormat(textLanguage(this.#button.language, 'announce-share'), {
      style: 'percent',
    }).format(share);
  }

  get #fileName(): string {
    return this.#button.downloadName || downloadFileName(this.export?.name ?? 'clip');
  }

  #save(): void {
    const link = document.createElement('a');
    link.href = this.downloadUrl!;
    link.download = this.#fileName;
    link.rel = 'noopener';
    link.target = '_blank';
    link.click();
  }
}
