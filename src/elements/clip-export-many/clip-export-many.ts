import { html, nothing, type TemplateResult } from 'lit';
import { defineAttributeProperties, textProperty } from '../attribute-properties.ts';
import { addStyles, ClipElement, removeStyles, showStates } from '../clip-element.ts';
import { loadPart } from '../../client/clip-error.ts';
import { getNumberFormat } from '../../locales/number-format.ts';
import type { ClipExportButton } from '../clip-export-button/clip-export-button.ts';
import type { ClipList } from '../clip-list/clip-list.ts';
import { ClipEvent } from '../events.ts';
import { findLinkedElement } from '../linked-element.ts';
import { drawProgressBar, progressStyles } from '../progress-bar.ts';
import { readHostOptions } from '../settings/host-options.ts';
import { PageController } from '../settings/page-controller.ts';
import type { Cost } from './export-cost.ts';
import clipMarkStyles from './clip-mark.css';
import exportManyStyles from './clip-export-many.css';
import baseStyles from '../clip-element.css';
import visuallyHiddenStyles from '../visually-hidden.css';

interface FilePicker {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

/** A longer ZIP is not made in memory. */
const mostBytesInMemory = 256 * 1024 ** 2;

const isRunning = ({ status }: ClipExportButton): boolean =>
  ['starting', 'processing', 'unknown'].includes(status);
const isReady = ({ status }: ClipExportButton): boolean => status === 'ready';

/** Events after which there may be a list, or other clips in it. */
const ofLists = ['clip-list-item', 'clip-list-change'];
const ofButtons = ['start', 'progress', 'ready', 'error'].map((name) => `clip-export-${name}`);

/** Returns a name that file systems accept, with the letters of every language. */
const makeFileName = (name: string): string =>
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
 * Exports several clips of a list together, and saves their files as one ZIP. Puts a box on each
 * clip that selects it. Each export is started, and paid for, as with the clip's own button.
 *
 * @element clip-export-many
 * @fires {ClipSelectEvent} clip-select - The user has changed which clips are selected.
 * @csspart bar - The bar.
 * @csspart check - The box that selects all shown clips, with its label.
 * @csspart status - The cost of the exports, and problems with their files.
 * @csspart button - The export button, and the button that saves the ZIP.
 * @csspart secondary - The button that shows and selects all clips.
 * @csspart progress - The progress bar of the exports.
 * @cssproperty [--clip-radius=1rem] - Corner radius of the bar; buttons follow it.
 * @cssproperty [--clip-accent=#4f46e5] - Boxes, buttons, progress and focus ring.
 * @cssproperty [--clip-on-accent=#fff] - Text on it.
 * @cssstate selected - Clips are selected. The bar then stays in view.
 * @cssstate exporting - Exports of them run.
 * @cssstate zipping - Their files are being saved.
 */
export class ClipExportMany extends ClipElement {
  static override properties = defineAttributeProperties(this, { for: textProperty });
  static override styles = [baseStyles, visuallyHiddenStyles, progressStyles, exportManyStyles];

  /** Id of the `<clip-list>`. */
  declare for: string | null;

  readonly #page = new PageController(this, { left: () => this.#leave() });
  #list: ClipList | null = null;
  /** The list's folder when its selection was read. */
  #folder: string | null = null;
  /** Ends with the list, or its folder. */
  #life = new AbortController();
  #selected = new Set<string>();
  /** The cost of each selected clip's export; null while it is being read or if it is unknown. */
  readonly #costs = new Map<string, Cost | null>();
  #isStarting = false;
  /** The number of files so far in the ZIP that is being made; null without one. */
  #zipped: number | null = null;
  #isZipRefused = false;
  /** The names of clips whose files are missing. */
  #missing: readonly string[] = [];

  constructor() {
    super();
    showStates(this, () => [
      this.selected.length && 'selected',
      this.#buttons.some(isRunning) && 'exporting',
      this.#zipped !== null && 'zipping',
    ]);
  }

  /** The ids of the selected clips that are shown. */
  get selected(): readonly string[] {
    return [...this.#items.keys()].filter((id) => this.#selected.has(id));
  }

  get #items(): ClipList['items'] {
    return this.#list?.items ?? new Map();
  }

  /** Waits for the list, which may come later and then reports its first clip, or its clips. */
  override connectedCallback(): void {
    super.connectedCallback();
    for (const name of ofLists) document.addEventListener(name, this);
  }

  /** @internal */
  handleEvent(): void {
    this.requestUpdate();
  }

  #leave(): void {
    for (const name of ofLists) document.removeEventListener(name, this);
    this.#end();
  }

  /** Follows the list that `for` names now, with the selection of its folder. */
  #follow(): void {
    const named = this.#page.connected ? findLinkedElement(this, this.for, 'clip-list') : null;
    const list = named?.matches(':defined') ? (named as ClipList) : null;
    const folder = list?.folder ?? null;
    if (list === this.#list && folder === this.#folder) return;
    this.#end();
    this.#list = list;
    this.#folder = folder;
    if (!list) return;
    let stored: unknown = null;
    try {
      stored = JSON.parse(sessionStorage.getItem(this.#storedAs) ?? 'null');
    } catch {
      // Storage is blocked, or another program has written it.
    }
    this.#selected = new Set(Array.isArray(stored) ? stored.map(String) : []);
    addStyles(list, clipMarkStyles);
    list.marks = this;
    list.requestUpdate();
    const { signal } = this.#life;
    for (const name of ofButtons) {
      // The button shows its new state after the event.
      const drawAgain = () => queueMicrotask(() => this.requestUpdate());
      list.addEventListener(name, drawAgain, { signal });
    }
    void this.#readCosts();
  }

  #end(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#costs.clear();
    this.#selected.clear();
    this.#zipped = null;
    this.#isStarting = this.#isZipRefused = false;
    this.#missing = [];
    const list = this.#list;
    this.#list = null;
    if (list?.marks !== this) return;
    removeStyles(list, clipMarkStyles);
    list.marks = null;
    list.requestUpdate();
  }

  get #storedAs(): string {
    return `clip-kit:selected:${this.#folder ?? ''}`;
  }

  /** @internal The box of a clip, which the list draws. */
  drawMark(id: string, name: string): TemplateResult {
    return html`<label part="check"
      ><input
        type="checkbox"
        aria-label=${this.#page.text('select-clip', 'Select {0}', name)}
        .checked=${this.#selected.has(id)}
        @change=${({ target }: Event) => this.#select([id], (target as HTMLInputElement).checked)}
    /></label>`;
  }

  protected override willUpdate(): void {
    this.#follow();
  }

  protected override render(): TemplateResult | typeof nothing {
    const page = this.#page;
    if (!this.#items.size) return nothing;
    const buttons = this.#buttons;
    const total = buttons.length;
    const ready = buttons.filter(isReady).length;
    const running = buttons.filter(isRunning).length;
    const open = total - ready - running;
    const all = [...this.#items.keys()];
    const isAll = total > 0 && total === all.length;
    const { text: costText, isOver } = this.#cost();
    const share = buttons.reduce((sum, one) => sum + (isReady(one) ? 1 : (one.progress ?? 0)), 0);
    const part = total ? Math.floor((100 * share) / total) / 100 : 0;
    const exportButton =
      total > 0 && ready === total
        ? null
        : this.#drawExportButton(open, isOver, running && !open ? part : null);
    const readyText = page.text('select-ready', 'Ready: {0}', this.#formatRatio(ready, total));
    return html`<div part="bar" role="group" aria-label=${page.text('export', 'Export')}>
      <label part="check"
        ><input
          type="checkbox"
          .checked=${isAll}
          .indeterminate=${total > 0 && !isAll}
          @change=${({ target }: Event) => this.#select(all, (target as HTMLInputElement).checked)}
        />${page.text('select-all', 'Select all')}</label
      >${isAll ? this.#rest() : null}
      ${
        costText
          ? html`<span part="status" class=${isOver ? 'cost fault' : 'cost'} dir="auto"
              >${costText}</span
            >`
          : null
      }
      ${exportButton}${
        ready > 0 ? this.#drawZipButton(ready, !running && !open) : null
      }${running ? drawProgressBar(page.text('exporting', 'Exporting…'), part || null) : null}
      <span part="status" role="status" class=${this.#fault ? '' : 'visually-hidden'} dir="auto"
        >${this.#fault || (running || ready ? readyText : '')}</span
      >
    </div>`;
  }

  #formatCount(value: number): string {
    return getNumberFormat(this.#page.textLanguage('select-export'), {}).format(value);
  }

  #formatRatio(part: number, all: number): string {
    return `${this.#formatCount(part)}/${this.#formatCount(all)}`;
  }

  /** `share`: the progress of all exports, if there is no other to start. */
  #drawExportButton(open: number, isOver: boolean, share: number | null): TemplateResult {
    const page = this.#page;
    const percent = getNumberFormat(page.textLanguage('exporting-share'), { style: 'percent' });
    const isOff = !open || isOver || this.#isStarting;
    return html`<button
      part="button"
      class="plain first export"
      aria-disabled=${isOff}
      @click=${isOff ? null : () => void this.#export()}
    >
      ${
        share === null
          ? page.text('select-export', 'Export selected ({0})', this.#formatCount(open))
          : page.text('exporting-share', 'Exporting… {0}', percent.format(share))
      }
    </button>`;
  }

  #drawZipButton(ready: number, isFirst: boolean): TemplateResult {
    const page = this.#page;
    const zipped = this.#zipped;
    return html`<button
      part="button"
      class="plain download ${isFirst ? 'first' : ''}"
      aria-disabled=${zipped !== null}
      @click=${zipped === null ? () => void this.#download() : null}
    >
      ${
        zipped === null
          ? page.text('select-zip', 'Download as ZIP ({0})', this.#formatCount(ready))
          : page.text(
              'select-zipping',
              'Preparing the files… {0}',
              this.#formatRatio(zipped, ready),
            )
      }
    </button>`;
  }

  /** The text about files that are missing or cannot be zipped; empty without any. */
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

  /** Draws the number of selected clips, with a button for those that are not shown yet. */
  #rest(): TemplateResult | null {
    const page = this.#page;
    const list = this.#list!;
    const { clips } = list;
    if (clips.length <= this.#items.size) return null;
    const selected = this.#formatRatio(this.#items.size, clips.length);
    const selectRest = async (): Promise<void> => {
      list.showAll();
      await list.updateComplete;
      this.#select([...list.items.keys()], true);
    };
    return html`<span class="selected">${page.text('select-shown', 'Selected: {0}', selected)}</span
      ><button part="secondary" class="plain rest" @click=${() => void selectRest()}>
        ${page.text('select-rest', 'Select all {0}', this.#formatCount(clips.length))}
      </button>`;
  }

  /** The export buttons of the selected clips that are shown. */
  get #buttons(): ClipExportButton[] {
    return [...this.#items]
      .filter(([id]) => this.#selected.has(id))
      .map(([, { exportButton }]) => exportButton);
  }

  /** Returns the cost of the exports that are still to be started. */
  #cost(): { text: string; isOver: boolean } {
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
    const needs = page.text('select-cost', 'Exports needed: {0}.', this.#formatCount(used));
    const has = page.text('select-left', 'Left in the plan: {0}.', this.#formatCount(left));
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
    this.requestUpdate();
    this.#list?.requestUpdate();
    void this.#readCosts();
    this.#page.dispatch(new ClipSelectEvent(this.#folder, this.selected));
  }

  /** Reads the cost of the selected clips whose cost is not known yet. */
  async #readCosts(): Promise<void> {
    const list = this.#list!;
    const { signal } = this.#life;
    for (const { project, folder } of this.#buttons) {
      if (!project || this.#costs.has(project)) continue;
      this.#costs.set(project, null);
      try {
        const { readCost } = await loadPart(import('./export-cost.ts'));
        const options = readHostOptions(list);
        const cost = await readCost(options, project, folder, signal);
        this.#costs.set(project, cost);
      } catch {
        // Not every host tells. A start that costs too much is refused by the service.
      }
      if (signal.aborted) return;
      this.requestUpdate();
    }
  }

  async #export(): Promise<void> {
    const { signal } = this.#life;
    this.#isStarting = true;
    this.requestUpdate();
    for (const button of this.#buttons) {
      if (isReady(button) || isRunning(button)) continue;
      const status = await button.start();
      // The next ones would be refused, too.
      if (signal.aborted || status === 'limit' || status === 'signed-out') break;
      this.requestUpdate();
    }
    if (signal.aborted) return;
    this.#isStarting = false;
    this.#costs.clear();
    this.requestUpdate();
    await this.#readCosts();
  }

  async #download(): Promise<void> {
    const { signal } = this.#life;
    const buttons = this.#buttons.filter(isReady);
    const missing = new Set<ClipExportButton>();
    const files = buttons.map((one) => ({
      name: one.downloadName || makeFileName(one.export?.name ?? 'clip'),
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
      this.requestUpdate();
    };
    const zipName = `${this.#list!.label || 'clips'}.zip`;
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
    const { session, credentials } = readHostOptions(this.#list!);
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

/** The user has changed which clips of a list are selected. */
export class ClipSelectEvent extends ClipEvent {
  /** The ids of the selected clips that are shown. */
  readonly selected: readonly string[];

  constructor(folder: string | null, selected: readonly string[]) {
    super('clip-select', { project: null, folder });
    this.selected = selected;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-select': ClipSelectEvent;
  }
}
