import { ClipError } from '../client/clip-error.ts';
import type { ClipListener } from '../client/clip-watcher.ts';
import type { Project } from '../contract/project.ts';
import type { Task } from '../contract/task.ts';
import { mergedOrder } from '../flow/list-order.ts';
import { formatDuration } from '../locales/duration.ts';
import { numberFormat } from '../locales/number-format.ts';
import { textLanguage } from '../locales/registry.ts';
import { baseStyles } from './base-styles.ts';
import { ClipElement } from './clip-element.ts';
import {
  ClipListChangeEvent,
  ClipListErrorEvent,
  ClipListItemEvent,
  ClipListProgressEvent,
  ClipListReadyEvent,
} from './clip-list-events.ts';
import { ClipListItem } from './clip-list-item.ts';
import { clipListStyles } from './clip-list-styles.ts';
import { el, place, say } from './dom.ts';
import { hostOptions } from './host-options.ts';
import { loadPart } from './load-part.ts';
import { hostProperties, textProperty } from './settings.ts';
import { unseenStyles } from './unseen-styles.ts';

/** `processing`: the task may still bring clips. */
export type ClipListStatus = 'idle' | 'loading' | 'processing' | 'ready' | 'error';

const defaultPageSize = 12;
const skeletonCount = 4;

/** Settings that the elements in the list inherit from it. */
const inherited = { ...hostProperties, playerUrl: textProperty, handshake: textProperty };

const bone = (kind = '') => el('div', { className: `bone ${kind}` });

/** Has the size of a clip that is not there yet. */
const newSkeleton = () =>
  el(
    'li',
    { part: 'skeleton', 'aria-hidden': 'true' },
    bone('picture'),
    el('div', { className: 'say' }, bone('short'), bone(), bone()),
    el('div', { part: 'actions' }, bone('button')),
  );

/** The nodes of a list. */
function newParts(host: ClipList) {
  const text = el('p', { dir: 'auto' });
  const working = el('span', {});
  const timeLeft = el('small', { part: 'time-left' });
  const bar = el(
    'div',
    { part: 'progress', role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '1' },
    el('i', {}),
  );
  const empty = el('slot', { name: 'empty' });
  const more = el('slot', { name: 'more' });
  return {
    config: el('clip-config', {}),
    heard: el('div', { className: 'unseen', role: 'status' }),
    error: el(
      'div',
      { part: 'error', className: 'notice', role: 'alert' },
      // Not the slot itself: the direction of its own text does not count for it.
      el('slot', { name: 'error' }, text),
    ),
    text,
    retry: el('button', { part: 'retry', className: 'plain', onclick: () => host.reload() }),
    progress: el(
      'slot',
      { name: 'progress' },
      el('div', { part: 'working', className: 'notice' }, working, bar, timeLeft),
    ),
    working,
    bar,
    timeLeft,
    emptyBox: el('div', { part: 'empty' }, empty),
    empty,
    list: el('ul', { part: 'list', role: 'list' }),
    moreButton: el(
      'button',
      { part: 'more', className: 'plain', onclick: () => host.showMore() },
      more,
    ),
    more,
    skeletons: Array.from({ length: skeletonCount }, newSkeleton),
  };
}

/**
 * All clips of a folder: preview, title, score and its reason, export. Live while their task runs.
 *
 * @element clip-list
 * @fires {ClipListItemEvent} clip-list-item - A clip is about to be shown; it may get options.
 * @fires {ClipListChangeEvent} clip-list-change - The clips were read, or have changed.
 * @fires {ClipListProgressEvent} clip-list-progress - The task has progressed.
 * @fires {ClipListReadyEvent} clip-list-ready - The list is complete.
 * @fires {ClipListErrorEvent} clip-list-error - Clips or their task failed; `error` says why.
 * @slot progress - Replaces the progress while the task runs.
 * @slot empty - Replaces the text if there are no clips.
 * @slot error - Replaces the error's text.
 * @slot more - The label of the button that shows more.
 * @slot preview-{id} - Replaces the preview of the clip with this id.
 * @slot title-{id} - Replaces its title.
 * @slot score-{id} - Replaces its score.
 * @slot reason-{id} - Replaces the reason for the score.
 * @slot actions-{id} - Content above its export button; empty by default.
 * @slot export-{id} - Replaces its export button.
 * @csspart list - The list.
 * @csspart item - A clip.
 * @csspart preview - Its preview.
 * @csspart preview-frame - The frame in it.
 * @csspart preview-poster - The poster image in it.
 * @csspart preview-play - The button over the poster.
 * @csspart preview-symbol - The round play symbol in it.
 * @csspart preview-spinner - The spinner while the frame loads.
 * @csspart preview-error - Replaces the frame after an error.
 * @csspart preview-retry - The button in it that tries again.
 * @csspart preview-open - The link in it that opens the preview in a new tab.
 * @csspart broken - Stands for a clip that cannot be read.
 * @csspart title - Its title.
 * @csspart score - Its score.
 * @csspart reason - The reason for the score.
 * @csspart note - What could not be done for the clip as requested.
 * @csspart actions - The box of its actions.
 * @csspart export - Its `<clip-export-button>`.
 * @csspart export-button - The button in it.
 * @csspart export-progress - The bar in the button while the export runs.
 * @csspart export-time-left - The remaining time of the export.
 * @csspart export-status - The text below the button.
 * @csspart export-download - The download link.
 * @csspart export-retry - The button that tries again, or asks again.
 * @csspart export-export-again - The button that exports again with changed options.
 * @csspart skeleton - Has the size of a clip while the list loads.
 * @csspart working - The box of the progress.
 * @csspart progress - The progress bar.
 * @csspart time-left - The remaining time.
 * @csspart empty - The box that is shown if there are no clips.
 * @csspart error - The box of an error.
 * @csspart retry - The button in it that tries again.
 * @csspart more - The button that shows more clips.
 * @cssproperty [--clip-list-item-width=15.5rem] - Minimum width of a clip.
 * @cssproperty [--clip-list-gap=1.25rem] - Space between the clips.
 * @cssproperty [--clip-aspect-ratio=9 / 16] - Aspect ratio of previews whose size is not known.
 * @cssproperty [--clip-radius=1rem] - Corner radius of a clip.
 * @cssproperty [--clip-backdrop] - Background of previews and skeletons.
 * @cssproperty [--clip-accent=#4f46e5] - Score, progress, buttons and focus ring.
 * @cssstate idle - The element is not in the document.
 * @cssstate loading - The clips are being read for the first time.
 * @cssstate processing - The task runs; more clips may come.
 * @cssstate ready - The list is complete.
 * @cssstate error - The clips could not be read, or their task failed.
 * @cssstate empty - There are no clips.
 * @cssstate stalled - No answers about the running task have come for a while.
 */
export class ClipList extends ClipElement<ClipListStatus> {
  static override properties = {
    ...ClipElement.properties,
    ...inherited,
    folder: textProperty,
    task: textProperty,
    label: textProperty,
    pageSize: {
      from: (text: string | null) => Math.floor(Math.max(0, Number(text))) || defaultPageSize,
    },
    headingLevel: { from: (text: string | null) => Number(text) || 3 },
  };
  static override styles = [baseStyles, unseenStyles, clipListStyles];

  /** Id of the folder. */
  declare folder: string | null;
  /** Id of a single clip, instead of a folder's; with `folder` if it is in one. */
  declare project: string | null;
  /** Id of the task that makes the clips: shows its progress, and clips as they come. */
  declare task: string | null;
  /** Accessible name of the list. */
  declare label: string | null;
  /**
   * How many clips are shown at first, and how many more each time.
   *
   * @default 12
   */
  declare pageSize: number;
  /**
   * Level of the clips' headings, 2 to 6.
   *
   * @default 3
   */
  declare headingLevel: number;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  declare endpoint: string | null;
  /** Base URL of the preview pages. Default: from the nearest `<clip-config>`, or `configure()`. */
  declare playerUrl: string | null;
  /**
   * The message that the previews' pages post when they have loaded: a text, or the `type` of an
   * object.
   */
  declare handshake: string | null;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  declare credentials: RequestCredentials | null;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  declare csrfHeader: string | null;
  /** The page's CSRF token. */
  declare csrfToken: string | null;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  declare csrfUrl: string | null;

  #status: ClipListStatus = 'idle';
  #error: ClipError | null = null;
  #stalled = false;
  #clips = new Map<string, Project>();
  /** The clips as they were read last, to notice changes. */
  #readText = '';
  #order: string[] = [];
  /** A card for each clip that cannot be read. */
  #broken: HTMLElement[] = [];
  /** How many of them are shown. */
  #limit = 0;
  #task: Task | null = null;
  readonly #items = new Map<string, ClipListItem>();
  /** The host and the clips that are shown, and the task with them. */
  #clipsKey: string | null = null;
  #key: string | null = null;
  #watching: AbortController | null = null;
  #posterMark = '';
  #spoken = '';
  /** The item to focus after drawing. */
  #focusId: string | null = null;
  #parts: ReturnType<typeof newParts> | null = null;

  get status(): ClipListStatus {
    return this.#status;
  }

  get error(): ClipError | null {
    return this.#error;
  }

  /** The clips that were read, in the order of the list. */
  get clips(): readonly Project[] {
    return this.#order.map((id) => this.#clips.get(id)!);
  }

  /** How far the task is, 0 to 1; null if unknown. */
  get progress(): number | null {
    return this.#task?.progress?.share ?? null;
  }

  /** Reads the clips again. */
  reload(): void {
    if (this.connected) void this.#watch();
  }

  /** Shows more clips, and moves the focus to the first of them. */
  showMore(): void {
    if (this.#limit >= this.#order.length) return;
    this.#focusId = this.#order[this.#limit]!;
    this.#limit += this.pageSize;
    this.requestUpdate();
  }

  protected override get states(): readonly string[] {
    const status = this.#status;
    const isEmpty =
      (status === 'processing' || status === 'ready') &&
      !this.#order.length &&
      !this.#broken.length;
    return [status, ...(isEmpty ? ['empty'] : []), ...(this.#stalled ? ['stalled'] : [])];
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.connected) return;
    const { folder, project, task } = this;
    let clipsKey: string;
    let error: ClipError | null = null;
    try {
      if (!folder && !project) {
        throw new ClipError('missing-folder', 'No folder is set: set the id of a folder of clips.');
      }
      clipsKey = JSON.stringify([hostOptions(this), folder, project]);
    } catch (cause) {
      error = cause as ClipError;
      clipsKey = error.code + error.message;
    }
    if (this.mayPass(error)) return;
    const key = JSON.stringify([clipsKey, task]);
    if (key === this.#key) return;
    if (clipsKey !== this.#clipsKey) this.#forget();
    this.#clipsKey = clipsKey;
    this.#key = key;
    if (error) this.#fail(error);
    else void this.#watch();
  }

  protected override updated(): void {
    super.updated();
    const id = this.#focusId;
    this.#focusId = null;
    if (id !== null) this.#items.get(id)?.node.focus();
  }

  protected override left(): void {
    this.#forget();
    this.#clipsKey = this.#key = null;
  }

  #forget(): void {
    this.#watching?.abort();
    this.#clips.clear();
    this.#items.clear();
    this.#order = this.#broken = [];
    this.#limit = 0;
    this.#task = null;
    this.#readText = this.#posterMark = this.#spoken = '';
    this.#set('idle');
  }

  async #watch(): Promise<void> {
    this.#watching?.abort();
    const { signal } = (this.#watching = new AbortController());
    const { folder, project, task } = this;
    this.#set(this.#order.length && !this.#error ? this.#status : 'loading');
    try {
      const { watchClips } = await loadPart(import('../client/clip-watcher.ts'));
      if (signal.aborted) return;
      const listener: ClipListener = {
        onUpdate: (clips, now) => this.#heard(clips, now),
        onStalled: (error) => {
          this.#stalled = !!error;
          this.requestUpdate();
        },
        onFailed: (error) => this.#fail(error),
      };
      void watchClips(hostOptions(this), { folder, project, task }, listener, signal);
    } catch (cause) {
      if (!signal.aborted) this.#fail(cause as ClipError);
    }
  }

  #heard(read: readonly (Project | undefined)[], task: Task | null): void {
    const clips = read.filter((clip) => clip !== undefined);
    this.#broken = Array.from(
      { length: read.length - clips.length },
      (_, at) => this.#broken[at] ?? el('li', { part: 'broken', role: 'listitem', dir: 'auto' }),
    );
    const processing = task?.status === 'processing';
    const wasProcessing = this.#status === 'processing';
    const before = this.#order.length;
    const progressed = JSON.stringify(task) !== JSON.stringify(this.#task);
    this.#task = task;
    // A first frame of the source has been the poster until the preview was made.
    if (wasProcessing && !processing) this.#posterMark = 'made';
    const text = JSON.stringify(read);
    const changed = text !== this.#readText;
    if (changed) this.#merge(clips);
    this.#readText = text;
    const count = numberFormat(textLanguage(this.language, 'announce-clips'), {}).format(
      this.#order.length,
    );
    if (wasProcessing && this.#order.length > before) {
      this.#spoken = this.text('announce-clips', 'Clips: {0}', count);
    }
    if (wasProcessing && task?.status === 'ready') {
      this.#spoken = this.text('announce-complete', 'All clips are there.');
    }
    if (task?.status === 'error') {
      this.#fail(
        new ClipError('task-failed', task.failure?.message ?? 'The video could not be processed.', {
          cause: task.failure,
        }),
      );
    } else this.#set(processing ? 'processing' : 'ready');
    if (changed) this.#tell(new ClipListChangeEvent(this.clips));
    if (task && progressed) this.#tell(new ClipListProgressEvent(task, this.progress));
    if (!processing && !this.#error) this.#tell(new ClipListReadyEvent(this.clips));
  }

  #merge(clips: readonly Project[]): void {
    const { pageSize } = this;
    const shown = this.#order.slice(0, this.#limit);
    const last = shown.at(-1);
    this.#clips = new Map(clips.map((clip) => [clip.id, clip]));
    this.#focusId = this.#neighbour();
    this.#order = mergedOrder(this.#order, [...this.#clips.keys()]);
    // What is shown stays shown, also if others have come before it.
    this.#limit = Math.max(
      this.#limit,
      pageSize,
      last === undefined ? 0 : this.#order.indexOf(last) + 1,
    );
    for (const id of this.#items.keys()) if (!this.#clips.has(id)) this.#items.delete(id);
  }

  /** The clip to focus if the one with the focus goes: the next one, or the one before. */
  #neighbour(): string | null {
    const focused = this.shadowRoot!.activeElement;
    const at = this.#order.findIndex((id) => this.#items.get(id)?.node.contains(focused));
    const stays = (id: string): boolean => this.#clips.has(id);
    if (at < 0 || stays(this.#order[at]!)) return null;
    const after = this.#order.slice(at).find(stays);
    return after ?? this.#order.slice(0, at).reverse().find(stays) ?? null;
  }

  #fail(error: ClipError): void {
    this.#set('error', error);
    this.#tell(new ClipListErrorEvent(error));
  }

  #set(status: ClipListStatus, error: ClipError | null = null): void {
    this.#status = status;
    this.#error = error;
    this.#stalled = false;
    this.requestUpdate();
  }

  /** Dispatches an event after the change that it is about is drawn. */
  #tell(event: Event): void {
    void this.updateComplete.then(() => {
      if (this.isConnected) this.dispatchEvent(event);
    });
  }

  protected override draw(root: ShadowRoot): void {
    const parts = (this.#parts ??= newParts(this));
    const { config, list } = parts;
    const status = this.#status;
    const count = this.#order.length;
    const mayCome =
      !count && !this.#broken.length && (status === 'loading' || status === 'processing');
    // The elements in the list find these settings here, and the others around the list.
    for (const name of Object.keys(inherited) as (keyof typeof inherited)[]) {
      if (config[name] !== this[name]) Object.assign(config, { [name]: this[name] });
    }
    list.setAttribute('aria-label', this.label || this.text('list-label', 'Clips'));
    list.ariaBusy = `${mayCome}`;
    say(parts.heard, this.#stalledText() || this.#spoken);
    this.#drawTexts(parts);
    const shown = this.#order.slice(0, this.#limit);
    for (const card of this.#broken) {
      say(card, this.text('invalid-answer', 'This site gave an answer that could not be read.'));
    }
    place(list, [
      ...shown.map((id) => this.#drawItem(id)),
      ...this.#broken,
      ...(mayCome ? parts.skeletons : []),
    ]);
    place(config, [
      parts.heard,
      this.#error && parts.error,
      status === 'processing' && parts.progress,
      list,
      status === 'ready' && !count && !this.#broken.length && parts.emptyBox,
      count > this.#limit && parts.moreButton,
    ]);
    place(root, [config]);
  }

  #drawItem(id: string): HTMLElement {
    const clip = this.#clips.get(id)!;
    let item = this.#items.get(id);
    const isNew = !item;
    if (!item) this.#items.set(id, (item = new ClipListItem(clip)));
    item.update(
      clip,
      this.headingLevel,
      this.text('score', 'Score: {0} of 100', '{0}'),
      this.#posterMark,
    );
    if (isNew) this.dispatchEvent(new ClipListItemEvent(clip, item.preview, item.exportButton));
    return item.node;
  }

  #drawTexts(parts: ReturnType<typeof newParts>): void {
    const { bar, timeLeft, working } = parts;
    const error = this.#error;
    if (error) {
      // The service's own words about a failed task are more exact than ours.
      const text = error.cause && error.code === 'task-failed' ? error.message : null;
      say(parts.text, text ?? this.text(error.code, error.message));
      if (text === null) parts.text.lang = textLanguage(this.language, error.code);
      else parts.text.removeAttribute('lang');
      say(parts.retry, this.text('retry', 'Try again'));
      place(parts.error, [parts.error.firstChild!, error.retryable && parts.retry]);
    }
    say(parts.empty, this.text('list-empty', 'There are no clips yet.'));
    const total = numberFormat(textLanguage(this.language, 'list-more'), {}).format(
      this.#order.length - this.#limit,
    );
    say(parts.more, this.text('list-more', 'Show more ({0})', total));
    if (this.#status !== 'processing') return;
    const { progress } = this;
    const label = this.text('list-working', 'Making clips…');
    say(working, label);
    bar.setAttribute('aria-label', label);
    const share = progress && Math.floor(progress * 100) / 100;
    if (share === null) bar.removeAttribute('aria-valuenow');
    else bar.setAttribute('aria-valuenow', `${share}`);
    (bar.firstElementChild as HTMLElement).style.transform =
      share === null ? '' : `scaleX(${share})`;
    const left = this.#task?.progress?.seconds_left;
    const duration =
      left == null ? '' : formatDuration(left * 1000, textLanguage(this.language, 'time-left'));
    say(
      timeLeft,
      this.#stalledText() || (duration && this.text('time-left', 'About {0} left', duration)),
    );
  }

  #stalledText(): string {
    return this.#stalled
      ? this.text('stalled', 'The connection is interrupted. Still trying.')
      : '';
  }
}
