import { html, nothing, type TemplateResult } from 'lit';
import { addStyles, removeStyles } from '../clip-element.ts';
import { loadPart } from '../../client/clip-error.ts';
import { nullable, object, plain, text } from '../../client/host-answers.ts';
import { pageHost } from '../../client/page-host.ts';
import type { Allowance } from '../../contract/export.ts';
import { numberFormat } from '../../locales/number-format.ts';
import type { ClipExportButton } from '../clip-export-button/clip-export-button.ts';
import type { HostElement } from '../settings/host-element.ts';
import { hostOptions } from '../settings/host-options.ts';
import type { PageController } from '../settings/page-controller.ts';
import selectStyles from './select-panel.css';

type Cost = Pick<Allowance, 'allowance' | 'counts' | 'refusal' | 'used'>;

const count = plain('number', (value: number) => value >= 0 && Number.isSafeInteger(value));
const cost = object<Cost>({
  allowance: nullable(count),
  counts: plain('boolean'),
  refusal: nullable(text),
  used: count,
});

/** A list whose clips can be selected. */
interface SelectHost extends HostElement {
  readonly folder: string | null;
  readonly label: string | null;
}

/** A clip of the list that is shown. */
interface Selectable {
  readonly exportButton: ClipExportButton;
}

/** All clips of the list. */
interface Clips {
  readonly order: readonly string[];
  showAll(): void;
}

interface FilePicker {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

/** A longer ZIP is not made in memory. */
const mostBytesInMemory = 256 * 1024 ** 2;

const isRunning = ({ status }: ClipExportButton): boolean =>
  ['starting', 'processing', 'unknown'].includes(status);
const isReady = ({ status }: ClipExportButton): boolean => status === 'ready';

const ofButtons = ['start', 'progress', 'ready', 'error'].map((name) => `clip-export-${name}`);

/** What file systems do not take is left out; letters of every language stay. */
const fileNameOf = (name: string): string =>
  `${
    name
      .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, 120) || 'clip'
  }.mp4`;

function save(href: string, fileName: string): void {
  Object.assign(document.createElement('a'), { href, download: fileName, rel: 'noopener' }).click();
}

/**
 * The selection of a list's clips: a box on each, and below the list what they cost, their export,
 * and their files as one ZIP. Each clip keeps its own export button, which starts and pays for its
 * export by the rules of that button. Loaded when a list has `select`.
 */
export class SelectPanel {
  readonly #host: SelectHost;
  readonly #page: PageController;
  readonly #items: ReadonlyMap<string, Selectable>;
  readonly #clips: Clips;
  readonly #life = new AbortController();
  /** Of the list when this was made. */
  readonly folder: string | null;
  readonly #selected: Set<string>;
  /** What the export of each selected clip would cost; null: it is being read, or not known. */
  readonly #costs = new Map<string, Cost | null>();
  #isStarting = false;
  /** How many files are in the ZIP that is being made; null: none is. */
  #zipped: number | null = null;
  #isZipRefused = false;
  /** The names of clips whose files are missing. */
  #missing: readonly string[] = [];

  /** `items`: the clips that are shown, by id and in the order of the list. */
  constructor(
    host: SelectHost,
    page: PageController,
    items: ReadonlyMap<string, Selectable>,
    clips: Clips,
  ) {
    this.#host = host;
    this.#page = page;
    this.#items = items;
    this.#clips = clips;
    this.folder = host.folder;
    let stored: unknown = null;
    try {
      stored = JSON.parse(sessionStorage.getItem(this.#storedAs) ?? 'null');
    } catch {
      // Storage is blocked, or another program has written it.
    }
    this.#selected = new Set(Array.isArray(stored) ? stored.map(String) : []);
    const { signal } = this.#life;
    addStyles(host, selectStyles);
    for (const name of ofButtons) {
      // The button shows its new state after the event.
      const drawAgain = () => queueMicrotask(() => host.requestUpdate());
      host.shadowRoot!.addEventListener(name, drawAgain, { signal });
    }
    void this.#readCosts();
  }

  get #storedAs(): string {
    return `clip-kit:selected:${this.folder ?? ''}`;
  }

  end(): void {
    this.#life.abort();
    removeStyles(this.#host, selectStyles);
  }

  /** The box of a clip. */
  drawMark(id: string, name: string): TemplateResult {
    return html`<label part="select"
      ><input
        type="checkbox"
        aria-label=${this.#page.text('select-clip', 'Select {0}', name)}
        .checked=${this.#selected.has(id)}
        @change=${({ target }: Event) => this.#select([id], (target as HTMLInputElement).checked)}
    /></label>`;
  }

  /** What stands below the list. */
  drawBar(): TemplateResult {
    const page = this.#page;
    const buttons = this.#buttons;
    const total = buttons.length;
    const ready = buttons.filter(isReady).length;
    const running = buttons.filter(isRunning).length;
    const open = total - ready - running;
    const all = [...this.#items.keys()];
    const format = numberFormat(page.textLanguage('select-export'), {});
    const number = (value: number): string => format.format(value);
    const { text: costText, isOver } = this.#cost(number);
    const zipText =
      this.#zipped === null
        ? page.text('select-zip', 'Download as ZIP ({0})', number(ready))
        : page.text(
            'select-zipping',
            'Preparing the files… {0}',
            `${number(this.#zipped)}/${number(ready)}`,
          );
    const share = buttons.reduce((sum, one) => sum + (isReady(one) ? 1 : (one.progress ?? 0)), 0);
    const part = total ? Math.floor((100 * share) / total) / 100 : 0;
    const percent = numberFormat(page.textLanguage('exporting-share'), { style: 'percent' });
    const exportText =
      running && !open
        ? page.text('exporting-share', 'Exporting… {0}', percent.format(part))
        : page.text('select-export', 'Export selected ({0})', number(open));
    const readyText = page.text('select-ready', 'Ready: {0}', `${number(ready)}/${number(total)}`);
    const isIdle = !open || this.#isStarting || isOver;
    return html`<div
      part="selection"
      class=${total ? 'used' : ''}
      role="group"
      aria-label=${page.text('export', 'Export')}
    >
      <label part="select-all"
        ><input
          type="checkbox"
          .checked=${total > 0 && total === all.length}
          .indeterminate=${total > 0 && total < all.length}
          @change=${({ target }: Event) => this.#select(all, (target as HTMLInputElement).checked)}
        />${page.text('select-all', 'Select all')}</label
      >${total > 0 && total === all.length ? this.#rest(number) : null}
      ${
        costText
          ? html`<span part="cost" class=${isOver ? 'fault' : ''} dir="auto">${costText}</span>`
          : null
      }
      ${
        total > 0 && ready === total
          ? null
          : html`<button
              part="export-selected"
              class="plain first"
              aria-disabled=${isIdle}
              @click=${isIdle ? null : () => void this.#export()}
            >
              ${exportText}
            </button>`
      }${
        ready > 0
          ? html`<button
              part="download-selected"
              class=${running || open ? 'plain' : 'plain first'}
              aria-disabled=${this.#zipped !== null}
              @click=${this.#zipped === null ? () => void this.#download() : null}
            >
              ${zipText}
            </button>`
          : null
      }${
        running
          ? html`<div
              part="progress"
              role="progressbar"
              aria-label=${page.text('exporting', 'Exporting…')}
              aria-valuemin="0"
              aria-valuemax="1"
              aria-valuenow=${part || nothing}
            >
              <i .style=${part ? `transform:scaleX(${part})` : ''}></i>
            </div>`
          : null
      }
      <span role="status" class=${this.#fault ? '' : 'visually-hidden'} dir="auto"
        >${this.#fault || (running || ready ? readyText : '')}</span
      >
    </div>`;
  }

  /** What was wrong with the files. */
  get #fault(): string {
    const page = this.#page;
    return [
      this.#isZipRefused &&
        page.text(
          'select-zip-failed',
          'One ZIP cannot be made here: the files are saved one by one.',
        ),
      this.#missing.length &&
        page.text('select-zip-missing', 'Missing files: {0}', this.#missing.join(', ')),
    ]
      .filter(Boolean)
      .join(' ');
  }

  /** How many clips are selected, with a button for those that are not shown yet. */
  #rest(number: (value: number) => string): TemplateResult | null {
    const page = this.#page;
    const { order } = this.#clips;
    if (order.length <= this.#items.size) return null;
    const selected = `${number(this.#items.size)}/${number(order.length)}`;
    const selectRest = async (): Promise<void> => {
      this.#clips.showAll();
      this.#select(order, true);
      await this.#host.updateComplete;
      await this.#readCosts();
    };
    return html`<span part="selected">${page.text('select-shown', 'Selected: {0}', selected)}</span
      ><button part="select-rest" class="plain" @click=${() => void selectRest()}>
        ${page.text('select-rest', 'Select all {0}', number(order.length))}
      </button>`;
  }

  /** The export buttons of the selected clips that are shown. */
  get #buttons(): ClipExportButton[] {
    return [...this.#items]
      .filter(([id]) => this.#selected.has(id))
      .map(([, { exportButton }]) => exportButton);
  }

  /** What the exports that are still to be started cost. */
  #cost(number: (value: number) => string): { text: string; isOver: boolean } {
    const page = this.#page;
    const open = [...this.#items].filter(
      ([id, { exportButton: one }]) => this.#selected.has(id) && !isRunning(one) && !isReady(one),
    );
    const costs = open.map(([id]) => this.#costs.get(id) ?? null).filter((one) => one !== null);
    const last = costs.at(-1);
    if (!last || costs.length < open.length) return { text: '', isOver: false };
    const used = costs.filter(({ counts }) => counts).length;
    const left = last.allowance === null ? Infinity : Math.max(0, last.allowance - last.used);
    if (last.refusal !== null && left === Infinity) return { text: last.refusal, isOver: true };
    if (left === Infinity) return { text: '', isOver: false };
    const needs = page.text('select-cost', 'Exports needed: {0}.', number(used));
    const has = page.text('select-left', 'Left in the plan: {0}.', number(left));
    return { text: `${needs} ${has}`, isOver: used > left || (last.refusal !== null && used > 0) };
  }

  #select(ids: readonly string[], isSelected: boolean): void {
    for (const id of ids) {
      if (isSelected) this.#selected.add(id);
      else this.#selected.delete(id);
    }
    try {
      sessionStorage.setItem(this.#storedAs, JSON.stringify([...this.#selected]));
    } catch {
      // The selection is gone after a reload.
    }
    this.#host.requestUpdate();
    void this.#readCosts();
  }

  /** Asks what the selected clips cost that have not been asked about yet. */
  async #readCosts(): Promise<void> {
    const { signal } = this.#life;
    for (const { project, folder } of this.#buttons) {
      if (!project || this.#costs.has(project)) continue;
      this.#costs.set(project, null);
      try {
        const { value } = await pageHost(hostOptions(this.#host)).get<Cost>(
          `/projects/${encodeURIComponent(project)}/allowance`,
          cost,
          { query: folder ? { folder_id: folder } : {}, isOwn: true, signal },
        );
        this.#costs.set(project, value);
      } catch {
        // Not every host tells. A start that costs too much is refused by the service.
      }
      if (signal.aborted) return;
      this.#host.requestUpdate();
    }
  }

  async #export(): Promise<void> {
    const { signal } = this.#life;
    this.#isStarting = true;
    this.#host.requestUpdate();
    for (const button of this.#buttons) {
      if (isReady(button) || isRunning(button)) continue;
      const status = await button.start();
      // The next ones would be refused, too.
      if (signal.aborted || status === 'limit' || status === 'signed-out') break;
      this.#host.requestUpdate();
    }
    if (signal.aborted) return;
    this.#isStarting = false;
    this.#costs.clear();
    this.#host.requestUpdate();
    await this.#readCosts();
  }

  async #download(): Promise<void> {
    const { signal } = this.#life;
    const buttons = this.#buttons.filter(isReady);
    const missing = new Set<ClipExportButton>();
    const files = buttons.map((one) => ({
      name: one.downloadName || fileNameOf(one.export?.name ?? 'clip'),
      open: async () => {
        const file = await this.#open(one);
        if (!file) missing.add(one);
        return file;
      },
      button: one,
    }));
    const show = (zipped: number | null, isRefused = false): void => {
      this.#zipped = zipped;
      this.#isZipRefused = isRefused;
      this.#missing = files.filter(({ button }) => missing.has(button)).map(({ name }) => name);
      this.#host.requestUpdate();
    };
    const zipName = `${this.#host.label || 'clips'}.zip`;
    show(0);
    // At once: browsers ask where to save only while they handle a click.
    const place = await askForPlace(zipName);
    if (place === 'canceled') return show(null);
    try {
      const { zipFiles } = await loadPart(import('./zip-files.ts'));
      if (place) {
        const zip = zipFiles(files, Infinity, show);
        await zip.body!.pipeTo(await place.createWritable(), { signal });
      } else {
        const url = URL.createObjectURL(await zipFiles(files, mostBytesInMemory, show).blob());
        if (!signal.aborted) save(url, zipName);
        // Browsers read it after the click.
        setTimeout(() => URL.revokeObjectURL(url), 60_000);
      }
      show(null);
    } catch {
      if (signal.aborted) return;
      const isMissing = missing.size === files.length;
      // A storage of another origin may let pages link to a file that they may not read.
      show(null, !isMissing);
      for (const { name, button } of files) {
        const url = missing.has(button) ? null : await button.fileUrl().catch(() => null);
        if (url) save(url, name);
      }
    }
  }

  /** Requests a file; null if it is missing. */
  async #open(button: ClipExportButton): Promise<Response | null> {
    const url = await button.fileUrl();
    if (!url) return null;
    const { session, credentials } = hostOptions(this.#host);
    const response = await fetch(url, {
      credentials: session ? 'omit' : (credentials ?? 'same-origin'),
      signal: this.#life.signal,
    });
    const type = response.headers.get('Content-Type') ?? '';
    if (response.ok && /^(video\/|application\/octet-stream)/.test(type)) return response;
    void response.body?.cancel();
    return null;
  }
}

/** Asks where to save a file; null where the browser cannot, and a ZIP is made in memory. */
async function askForPlace(
  suggestedName: string,
): Promise<FileSystemFileHandle | 'canceled' | null> {
  try {
    return (await (window as FilePicker).showSaveFilePicker?.({ suggestedName })) ?? null;
  } catch (cause) {
    // Anything else is a page that may not ask.
    return cause instanceof DOMException && cause.name === 'AbortError' ? 'canceled' : null;
  }
}
