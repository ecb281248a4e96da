import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ClipError } from '../../client/clip-error.ts';
import type { Project } from '../../contract/project.ts';
import { formatDuration } from '../../locales/measures.ts';
import { getNumberFormat } from '../../locales/number-format.ts';
import { defineAttributeProperties, textProperty } from '../attribute-properties.ts';
import { showStates } from '../clip-element.ts';
import { PageController } from '../settings/page-controller.ts';
import { describeProgress } from '../settings/progress-text.ts';
import { HostElement } from '../settings/host-element.ts';
import { drawProgressBar, progressStyles } from '../progress-bar.ts';
import { drawReadError } from '../read-error.ts';
import { ClipListItemEvent, type ClipListStatus, ClipsController } from './clips-controller.ts';
import { ClipListItem } from './clip-list-item.ts';
import clipListStyles from './clip-list.css';
import type { VideoPanel } from '../clip-videos/video-panel.ts';
import baseStyles from '../clip-element.css';
import visuallyHiddenStyles from '../visually-hidden.css';

const defaultPageSize = 12;
const skeletonCount = 4;

/** Draws a check box on each clip. */
interface ClipMarks {
  drawMark(id: string, name: string): TemplateResult;
  requestUpdate(): void;
}

/** Has the size of a clip that is not there yet. */
const skeleton = html`<li class="skeleton" aria-hidden="true">
  <div class="bone picture"></div>
  <div class="about">
    <div class="bone short"></div>
    <div class="bone round"></div>
    <div class="bone"></div>
    <div class="bone"></div>
  </div>
  <div part="actions"><div class="bone button"></div></div>
</li>`;

/**
 * All clips of a folder, each with preview, title, score and export button. Updates while their
 * task runs.
 *
 * @element clip-list
 * @fires {ClipListItemEvent} clip-list-item - A clip is about to be shown; you can set its options.
 * @fires {ClipListChangeEvent} clip-list-change - The clips were read, or have changed.
 * @fires {ClipListProgressEvent} clip-list-progress - The task has progressed.
 * @fires {ClipListReadyEvent} clip-list-ready - The list is complete.
 * @fires {ClipListErrorEvent} clip-list-error - The clips could not be read, or their task failed;
 *   `error` says why.
 * @fires {ClipSignedOutEvent} clip-signed-out - No user is signed in. The element continues when
 *   one is.
 * @slot progress - Replaces the progress while the task runs.
 * @slot empty - Replaces the text if there are no clips.
 * @slot error - Replaces the error's text.
 * @slot signed-out - Replaces the text if no user is signed in; for example with a link to sign in.
 * @slot more - The label of the button that shows more.
 * @slot preview-{id} - Replaces the preview of the clip with this id.
 * @slot title-{id} - Replaces its title.
 * @slot score-{id} - Replaces its score.
 * @slot reason-{id} - Replaces the reason for the score.
 * @slot actions-{id} - Content above its export button; empty by default.
 * @slot export-{id} - Replaces its export button.
 * @csspart list - The list.
 * @csspart item - A clip.
 * @csspart check - The box on a clip that selects it, with a `<clip-export-many>`.
 * @csspart poster - The poster image of its preview.
 * @csspart play - The button over the poster.
 * @csspart title - Its title.
 * @csspart score - Its score.
 * @csspart reason - The reason for the score.
 * @csspart actions - The box of its actions.
 * @csspart button - The button that exports it, and the download link.
 * @csspart status - The text below that button.
 * @csspart panel - The box above the clips of a video without words.
 * @csspart field - The field in it for a link.
 * @csspart progress - The progress bar of the task, and those in the buttons.
 * @csspart empty - The box that is shown if there are no clips.
 * @csspart error - The box of an error; replaces the frame of a preview, too.
 * @csspart secondary - Every other button, such as the one that shows more clips.
 * @cssproperty [--clip-list-item-width=15.5rem] - Minimum width of a clip.
 * @cssproperty [--clip-list-gap=1.25rem] - Space between the clips.
 * @cssproperty [--clip-aspect-ratio=9 / 16] - Aspect ratio of previews whose size is not known.
 * @cssproperty [--clip-radius=1rem] - Corner radius of a clip; buttons and fields follow it.
 * @cssproperty [--clip-backdrop] - Background of previews and skeletons.
 * @cssproperty [--clip-accent=#4f46e5] - Score, progress, buttons and focus ring.
 * @cssstate idle - The element is not in the document, or awaits a video of its `<clip-videos>`.
 * @cssstate loading - The clips are being read for the first time.
 * @cssstate processing - The task runs; more clips may come.
 * @cssstate ready - The list is complete.
 * @cssstate error - The clips could not be read, or their task failed.
 * @cssstate signed-out - No user is signed in to the site.
 * @cssstate empty - There are no clips.
 * @cssstate stalled - There has been no answer about the running task for a while.
 */
export class ClipList extends HostElement {
  static override properties = {
    ...defineAttributeProperties(this, {
      playerUrl: textProperty,
      handshake: textProperty,
      project: textProperty,
      folder: textProperty,
      task: textProperty,
      label: textProperty,
      sort: textProperty,
      pageSize: { from: (text) => Math.floor(Math.max(0, Number(text))) || defaultPageSize },
      headingLevel: { from: (text) => Number(text) || 3 },
    }),
  };
  static override styles = [baseStyles, visuallyHiddenStyles, progressStyles, clipListStyles];

  /**
   * Base URL of the preview pages, or an address with `{id}`; `{lang}` in it is the page's
   * language. Default: from the nearest `<clip-config>`, or `configure()`.
   */
  declare playerUrl: string | null;
  /**
   * The message that the previews' pages post when they have loaded: a text, or the `type` of an
   * object. If omitted, the frame counts as loaded with its `load` event, or the message
   * `clip-ready`.
   */
  declare handshake: string | null;
  /** Id of the folder. */
  declare folder: string | null;
  /** Id of a single clip instead of a folder; with `folder` if it is in one. */
  declare project: string | null;
  /** Id of the task that makes the clips, to show its progress and new clips. */
  declare task: string | null;
  /** Accessible name of the list. */
  declare label: string | null;
  /** `views`: the most watched clips come first. Default: the order of the service, best first. */
  declare sort: string | null;
  /**
   * Number of clips shown at first and added each time.
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

  readonly #page = new PageController(this, {
    left: () => {
      this.#clips.end();
      this.#words?.end();
      this.#words = null;
    },
  });
  readonly #clips = new ClipsController(this, this.#page);
  readonly #items = new Map<string, ClipListItem>();
  /** The clip to focus after drawing. */
  #focusId: string | null = null;
  /** Null until it is loaded, which it is for a video without words. */
  #words: VideoPanel | null = null;
  /** @internal The `<clip-export-many>` of this list. */
  marks: ClipMarks | null = null;

  constructor() {
    super();
    showStates(this, () => [
      this.status,
      this.#isEmpty && /^(processing|ready)$/.test(this.status) && 'empty',
      this.#clips.isStalled && 'stalled',
    ]);
  }

  /** The state of the element; also a custom state. */
  get status(): ClipListStatus {
    return this.#clips.status;
  }

  /** Why the clips could not be read, or their task failed; null without an error. */
  get error(): ClipError | null {
    return this.status === 'signed-out' ? null : this.#clips.error;
  }

  /** The clips that were read, in the order of the list. */
  get clips(): readonly Project[] {
    return this.#clips.all;
  }

  /** Progress of the task, 0 to 1; null if unknown. */
  get progress(): number | null {
    return this.#clips.progress;
  }

  /** Reads the clips again. */
  reload(): void {
    this.#clips.reload();
  }

  /** Shows more clips, and moves the focus to the first of them. */
  showMore(): void {
    this.#focusId = this.#clips.showMore();
  }

  /** @internal The clips that are shown, by id. */
  get items(): ReadonlyMap<string, ClipListItem> {
    return this.#items;
  }

  /** @internal */
  showAll(): void {
    this.#clips.showAll();
  }

  get #isEmpty(): boolean {
    return !this.#clips.order.length && !this.#clips.unreadable;
  }

  /** Adds items for new clips, and removes those of deleted clips. */
  #updateItems(): void {
    const focused = this.shadowRoot!.activeElement;
    const isGone = (id: string) => !this.#clips.has(id);
    const holder = [...this.#items].find(([, { node }]) => node?.contains(focused))?.[0];
    if (holder !== undefined && isGone(holder)) this.#focusId = this.#neighbour(holder);
    for (const id of this.#items.keys()) if (isGone(id)) this.#items.delete(id);
    for (const id of this.#clips.shown) {
      if (this.#items.has(id)) continue;
      const clip = this.#clips.get(id);
      const item = new ClipListItem(clip);
      this.#items.set(id, item);
      this.dispatchEvent(new ClipListItemEvent(clip, item.preview, item.exportButton));
    }
  }

  /** The clip to focus when this one is gone: the next one that stays, or the one before. */
  #neighbour(gone: string): string | null {
    const ids = [...this.#items.keys()];
    const at = ids.indexOf(gone);
    const stays = (id: string) => this.#clips.has(id);
    return ids.slice(at).find(stays) ?? ids.slice(0, at).reverse().find(stays) ?? null;
  }

  protected override updated(): void {
    this.marks?.requestUpdate();
    const id = this.#focusId;
    this.#focusId = null;
    if (id !== null) this.#items.get(id)?.node?.focus();
  }

  protected override render(): TemplateResult {
    this.#updateItems();
    const page = this.#page;
    const clips = this.#clips;
    const { error, status } = clips;
    const awaitsClips = this.#isEmpty && /^(loading|processing)$/.test(status);
    const total = getNumberFormat(page.textLanguage('list-more'), {}).format(
      clips.order.length - clips.shown.length,
    );
    // The elements in the list find these settings here, and the others around the list.
    return html`<clip-config
      endpoint=${this.endpoint ?? nothing}
      credentials=${this.credentials ?? nothing}
      csrf-header=${this.csrfHeader ?? nothing}
      csrf-url=${this.csrfUrl ?? nothing}
      session=${this.session ?? nothing}
      player-url=${this.playerUrl ?? nothing}
      handshake=${this.handshake ?? nothing}
      .csrfToken=${this.csrfToken}
      .getSession=${this.getSession}
      ><div class="visually-hidden" role="status">${this.#stalledText || clips.announcement}</div>
      ${error && drawReadError(this.#page, error, this.reload, 'notice')}${status === 'processing' ? this.#progress() : null}${this.#wordsOf()}
      <ul
        part="list"
        role="list"
        aria-label=${this.label || page.text('list-label', 'Clips')}
        aria-busy=${awaitsClips}
      >
        ${repeat(
          clips.shown,
          (id) => id,
          (id) => this.#item(id),
        )}${Array.from({ length: clips.unreadable }, () => this.#unreadable())}${
          awaitsClips ? Array.from({ length: skeletonCount }, () => skeleton) : null
        }
      </ul>
      ${
        status === 'ready' && this.#isEmpty
          ? html`<div part="empty">
              <slot name="empty">${page.text('list-empty', 'There are no clips yet.')}</slot>
            </div>`
          : null
      }${
        clips.shown.length < clips.order.length
          ? html`<button part="secondary" class="plain more" @click=${this.showMore}>
              <slot name="more">${page.text('list-more', 'Show more ({0})', total)}</slot>
            </button>`
          : null
      }</clip-config
    >`;
  }

  /** Draws the panel above the clips of a video without words. A `<clip-videos>` has its own. */
  #wordsOf(): TemplateResult | null {
    const { task, status, isOfVideos } = this.#clips;
    const lacksWords = task?.notes?.some(({ code }) => code === 'no-words');
    if (status !== 'ready' || !lacksWords || isOfVideos) return null;
    if (!this.#words) void this.#loadWords();
    return this.#words && this.#words.drawWords(task!);
  }

  async #loadWords(): Promise<void> {
    // The next drawing tries again.
    const part = await import('../clip-videos/video-panel.ts').catch(() => null);
    if (!part || this.#words || !this.#page.connected) return;
    this.#words = new part.VideoPanel(this, this.#page, () => this.reload());
    this.requestUpdate();
  }

  #item(id: string): TemplateResult {
    const scoreLabel = this.#page.text('score', 'Score: {0} of 100', '{0}');
    const clip = this.#clips.get(id);
    const mark = this.marks?.drawMark(id, clip.name) ?? null;
    const { posterMark } = this.#clips;
    return this.#items.get(id)!.render(clip, this.headingLevel, scoreLabel, posterMark, mark);
  }

  #unreadable(): TemplateResult {
    const text = this.#page.text(
      'invalid-answer',
      'This site gave an answer that could not be read.',
    );
    return html`<li part="item" class="broken" role="listitem" dir="auto">${text}</li>`;
  }

  #progress(): TemplateResult {
    const { progress, secondsLeft, task } = this.#clips;
    const label = describeProgress(this.#page, task?.progress);
    const duration =
      secondsLeft === null
        ? ''
        : formatDuration(secondsLeft * 1000, this.#page.textLanguage('time-left'));
    const left = duration && this.#page.text('time-left', 'About {0} left', duration);
    return html`<slot name="progress"
      ><div class="notice working">
        <span>${label}</span>
        ${drawProgressBar(label, progress)}
        <small class="time-left">${this.#stalledText || left}</small>
      </div></slot
    >`;
  }

  get #stalledText(): string {
    return this.#clips.isStalled
      ? this.#page.text('stalled', 'The connection is interrupted. Still trying.')
      : '';
  }
}
