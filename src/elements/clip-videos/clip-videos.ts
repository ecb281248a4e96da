import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ClipError } from '../../client/clip-error.ts';
import type { Task } from '../../contract/task.ts';
import { formatDuration, formatLength } from '../../locales/measures.ts';
import { getNumberFormat } from '../../locales/number-format.ts';
import { defineAttributeProperties, textProperty } from '../attribute-properties.ts';
import { showStates } from '../clip-element.ts';
import { findLinkedElement } from '../linked-element.ts';
import { drawProgressBar, progressStyles } from '../progress-bar.ts';
import { PageController } from '../settings/page-controller.ts';
import { describeProgress } from '../settings/progress-text.ts';
import { HostElement } from '../settings/host-element.ts';
import { drawReadError } from '../read-error.ts';
import { ClipVideoEvent, VideosController, type VideosStatus } from './videos-controller.ts';
import clipVideosStyles from './clip-videos.css';
import type { VideoPanel } from './video-panel.ts';
import baseStyles from '../clip-element.css';
import visuallyHiddenStyles from '../visually-hidden.css';

const defaultPageSize = 12;
const maxPageSize = 100;
const skeletonCount = 3;

/** Has the size of a video that is not there yet. */
const skeleton = html`<li class="skeleton" aria-hidden="true">
  <div class="bone picture"></div>
  <div class="about">
    <div class="bone"></div>
    <div class="bone short"></div>
  </div>
</li>`;

/**
 * The user's videos, newest first, with live progress. Choosing one shows its clips in a list.
 *
 * @element clip-videos
 * @fires {ClipVideoEvent} clip-video - A video was chosen; cancelable.
 * @fires {ClipVideosChangeEvent} clip-videos-change - The videos were read, or have changed.
 * @fires {ClipVideosErrorEvent} clip-videos-error - Reading or deleting failed; `error` says why.
 * @fires {ClipSignedOutEvent} clip-signed-out - No user is signed in. The element continues when
 *   one is.
 * @slot empty - Replaces the text if there are no videos.
 * @slot error - Replaces the error's text.
 * @slot signed-out - Replaces the text if no user is signed in; for example with a link to sign in.
 * @slot more - The label of the button that shows more.
 * @csspart list - The list.
 * @csspart item - A video.
 * @csspart poster - Its picture.
 * @csspart title - Its name.
 * @csspart status - Its length, state and number of clips.
 * @csspart progress - How far its task is.
 * @csspart panel - A box below it: of a video without words, and to find more clips.
 * @csspart field - A field in such a box.
 * @csspart empty - The box that is shown if there are no videos.
 * @csspart error - The box of an error.
 * @csspart secondary - Every button with a text, such as the one that shows more videos.
 * @cssproperty [--clip-radius=1rem] - Corner radius of a video; buttons and fields follow it.
 * @cssproperty [--clip-backdrop] - Background of pictures and skeletons.
 * @cssproperty [--clip-accent=#4f46e5] - The chosen video, progress, and focus ring.
 * @cssstate idle - The element is not in the document.
 * @cssstate loading - The videos are being read for the first time.
 * @cssstate ready - The videos are shown.
 * @cssstate error - The videos could not be read.
 * @cssstate signed-out - No user is signed in to the site.
 * @cssstate empty - There are no videos.
 * @cssstate stalled - There has been no answer for a while.
 */
export class ClipVideos extends HostElement {
  static override properties = {
    ...defineAttributeProperties(this, {
      for: textProperty,
      selected: textProperty,
      label: textProperty,
      pageSize: {
        from: (text) =>
          Math.min(maxPageSize, Math.floor(Math.max(0, Number(text))) || defaultPageSize),
      },
    }),
  };
  static override styles = [baseStyles, visuallyHiddenStyles, progressStyles, clipVideosStyles];

  /** Id of the `<clip-list>` that shows the clips of the chosen video. */
  declare for: string | null;
  /** Id of the chosen video's task. With `for`, the newest one if omitted. */
  declare selected: string | null;
  /** Accessible name of the list. */
  declare label: string | null;
  /**
   * Number of videos shown at first and added each time; at most 100.
   *
   * @default 12
   */
  declare pageSize: number;

  readonly #page = new PageController(this, {
    left: () => {
      this.#videos.end();
      this.#panel?.end();
      this.#panel = null;
    },
  });
  readonly #videos = new VideosController(this, this.#page, () => this.#choosePresent());
  /** The video whose deletion is asked about, and whether it is under way. */
  #asked: string | null = null;
  #isDeleting = false;
  /** The element to focus after drawing. */
  #focus: string | null = null;
  /** The video that the list of clips shows. */
  #shown: Task | null = null;
  /** Null until it is loaded, which it is when there is a video that it can do something for. */
  #panel: VideoPanel | null = null;

  constructor() {
    super();
    showStates(this, () => [
      this.status,
      this.status === 'ready' && !this.videos.length && 'empty',
      this.#videos.isStalled && 'stalled',
    ]);
  }

  /** The state of the element; also a custom state. */
  get status(): VideosStatus {
    return this.#videos.status;
  }

  /** Why the videos could not be read; null without an error. */
  get error(): ClipError | null {
    return this.status === 'signed-out' ? null : this.#videos.error;
  }

  /** The videos that are shown, newest first. */
  get videos(): readonly Task[] {
    return this.#videos.videos;
  }

  /** Reads the videos again. */
  reload(): void {
    this.#videos.reload();
  }

  /** Shows a new video at once, and chooses it. */
  add(task: Task): void {
    this.#videos.add(task);
    this.choose(task.id);
  }

  /** Chooses a video by the id of its task, as if the user had. */
  choose(id: string): void {
    const task = this.videos.find((one) => one.id === id);
    if (!task || !this.dispatchEvent(new ClipVideoEvent(task))) return;
    this.selected = id;
    this.#show(task);
  }

  /** Shows more videos. */
  async showMore(): Promise<void> {
    const before = this.videos.length;
    await this.#videos.more();
    this.#focus = this.videos[before]?.id ?? null;
    this.requestUpdate();
  }

  /** The list of clips, if the page names one. */
  get #list(): (HTMLElement & { reload?(): void }) | null {
    return findLinkedElement(this, this.for, 'clip-list');
  }

  #show(task: Task): void {
    const before = this.#shown;
    this.#shown = task;
    const { id, status, output_type: type, output_id: output } = task;
    const list = this.#list;
    if (!list) return;
    // It follows a video until it is ready.
    if (before?.id === id && before.status === 'ready' && status !== 'ready') list.reload?.();
    const [own, other] = type === 'folder' ? ['folder', 'project'] : ['project', 'folder'];
    list.removeAttribute(other!);
    list.setAttribute(own!, output);
    list.setAttribute('task', id);
  }

  /** After reading: the list shows the chosen video, or the newest one. */
  #choosePresent(): void {
    if (!this.for || !this.videos.length) return;
    const { selected } = this;
    const chosen = this.videos.find(({ id }) => id === selected);
    if (!chosen) this.choose(this.videos[0]!.id);
    else if (this.#shown?.id !== selected || this.#shown!.status !== chosen.status)
      this.#show(chosen);
  }

  /** Draws the panel below a video: to add words if it has none, otherwise to make more clips. */
  #panelOf(task: Task): TemplateResult | null {
    const { id, notes, status, source_seconds: seconds, output_type: type } = task;
    if (status !== 'ready' || (this.for && id !== this.selected)) return null;
    const lacksWords = notes?.some(({ code }) => code === 'no-words');
    // Only a service that says how long the source is has further clips.
    const hasMore = type === 'folder' && seconds && id === this.selected;
    if (!lacksWords && !hasMore) return null;
    if (!this.#panel) void this.#loadPanel();
    if (!this.#panel) return null;
    return lacksWords ? this.#panel.drawWords(task) : this.#panel.drawMore(task);
  }

  async #loadPanel(): Promise<void> {
    // The next drawing tries again.
    const part = await import('./video-panel.ts').catch(() => null);
    if (!part || this.#panel || !this.#page.connected) return;
    this.#panel = new part.VideoPanel(this, this.#page, (task) => this.add(task));
    this.requestUpdate();
  }

  #ask(id: string): void {
    this.#asked = id;
    this.#focus = 'keep';
    this.requestUpdate();
  }

  #keep(id: string): void {
    this.#asked = null;
    this.#focus = `delete-${id}`;
    this.requestUpdate();
  }

  async #delete(task: Task): Promise<void> {
    if (this.#isDeleting) return;
    this.#isDeleting = true;
    this.requestUpdate();
    const at = this.videos.findIndex(({ id }) => id === task.id);
    const isDeleted = await this.#videos.remove(task);
    this.#isDeleting = false;
    this.#asked = null;
    const next = this.videos[at] ?? this.videos[at - 1];
    this.#focus = isDeleted ? (next?.id ?? 'list') : `delete-${task.id}`;
    if (isDeleted) {
      this.#videos.announcement = this.#page.text(
        'announce-video-deleted',
        '{0} is deleted.',
        this.#nameOf(task),
      );
      if (this.#shown?.id === task.id && !this.videos.length) this.#clear();
    }
    this.requestUpdate();
  }

  /** The clips of a deleted video are gone. */
  #clear(): void {
    this.#shown = this.selected = null;
    for (const name of ['folder', 'project', 'task']) this.#list?.removeAttribute(name);
  }

  protected override updated(): void {
    const key = this.#focus;
    this.#focus = null;
    if (key === null) return;
    const all = this.shadowRoot!.querySelectorAll<HTMLElement>('[data-focus]');
    [...all].find((one) => one.dataset['focus'] === key)?.focus();
  }

  #nameOf({ name, created_at: at }: Task): string {
    if (name) return name;
    const language = this.#page.textLanguage('videos-unnamed');
    let date = at.slice(0, 10);
    try {
      date = new Intl.DateTimeFormat([language, 'en'], { dateStyle: 'medium' }).format(
        new Date(at),
      );
    } catch {
      // A language that the browser does not know.
    }
    return this.#page.text('videos-unnamed', 'Video of {0}', date);
  }

  protected override render(): TemplateResult {
    const page = this.#page;
    const { status, videos, error, isStalled, announcement } = this.#videos;
    const isLoading = status === 'loading';
    const stalled = page.text('stalled', 'The connection is interrupted. Still trying.');
    return html`<div class="visually-hidden" role="status">
        ${isStalled ? stalled : announcement}
      </div>
      ${error && drawReadError(this.#page, error, this.reload)}
      <ul
        part="list"
        role="list"
        tabindex="-1"
        data-focus="list"
        aria-label=${this.label || page.text('videos-label', 'Your videos')}
        aria-busy=${isLoading}
      >
        ${repeat(
          videos,
          ({ id }) => id,
          (task) => this.#video(task),
        )}${isLoading ? Array.from({ length: skeletonCount }, () => skeleton) : null}
      </ul>
      ${
        status === 'ready' && !videos.length
          ? html`<div part="empty">
              <slot name="empty">${page.text('videos-empty', 'There are no videos yet.')}</slot>
            </div>`
          : null
      }${
        this.#videos.hasMore
          ? html`<button part="secondary" class="plain more" @click=${this.showMore}>
              <slot name="more">${page.text('videos-more', 'Show more')}</slot>
            </button>`
          : null
      }`;
  }

  #video(task: Task): TemplateResult {
    const page = this.#page;
    const { id, picture_url: picture, progress, status } = task;
    const name = this.#nameOf(task);
    const isChosen = id === this.selected;
    const fault = this.#videos.faults.get(id);
    return html`<li part="item" role="listitem" class=${isChosen ? 'chosen' : ''}>
      <button
        class="choose"
        data-focus=${id}
        aria-current=${isChosen ? 'true' : nothing}
        @click=${() => this.choose(id)}
      >
        <span part="poster"
          >${
            picture
              ? html`<img src=${picture} alt="" loading="lazy" decoding="async" />`
              : html`<svg viewBox="0 0 24 24" aria-hidden="true">
                  <path d="M5 5h14v14H5zM10 9l5 3-5 3z" />
                </svg>`
          }</span
        >
        <span class="about">
          <span part="title"><bdi>${name}</bdi></span>
          <span part="status" class=${status}>${this.#details(task)}</span>
        </span>
      </button>
      <button
        class="delete"
        data-focus="delete-${id}"
        aria-label=${page.text('videos-delete', 'Delete {0}', name)}
        @click=${() => this.#ask(id)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5 7h14M10 4h4M7 7l1 13h8l1-13M10.5 11v5m3-5v5" />
        </svg>
      </button>
      ${
        status === 'processing' ? drawProgressBar(name, progress?.share ?? null) : null
      }${this.#panelOf(task)}${id === this.#asked ? this.#question(task, name) : null}${
        fault
          ? html`<p class="fault" role="alert" dir="auto" lang=${page.textLanguage(fault.code)}>
              ${page.text(fault.code, fault.message)}
            </p>`
          : null
      }
    </li>`;
  }

  /** Returns the video's length, and its state or the number of its clips. */
  #details(task: Task): string {
    const page = this.#page;
    const { status, source_seconds: seconds, clip_count: count, progress, failure } = task;
    const length = seconds ? [formatLength(seconds, page.textLanguage('videos-label'))] : [];
    if (status === 'error') {
      // The service's own words are more exact than ours.
      return failure?.message ?? page.text('task-failed', 'The video could not be processed.');
    }
    if (status === 'processing') {
      const left = progress?.seconds_left;
      const text =
        left == null
          ? describeProgress(page, progress)
          : page.text(
              'time-left',
              'About {0} left',
              formatDuration(left * 1000, page.textLanguage('time-left')),
            );
      return [...length, text].join(' · ');
    }
    if (count === undefined) return length.join();
    const clips = getNumberFormat(page.textLanguage('announce-clips'), {}).format(count);
    return [...length, page.text('announce-clips', 'Clips: {0}', clips)].join(' · ');
  }

  #question(task: Task, name: string): TemplateResult {
    const page = this.#page;
    const text = page.text('videos-delete-question', 'Delete {0} and all its clips?', name);
    const keep = (): void => this.#keep(task.id);
    const escape = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') keep();
    };
    return html`<div class="question" role="group" aria-label=${text} @keydown=${escape}>
      <span dir="auto">${text}</span>
      <button
        part="secondary"
        class="plain confirm"
        aria-disabled=${this.#isDeleting}
        @click=${() => this.#delete(task)}
      >
        ${page.text('videos-delete-yes', 'Delete')}
      </button>
      <button part="secondary" class="plain keep" data-focus="keep" @click=${keep}>
        ${page.text('videos-delete-no', 'Keep')}
      </button>
    </div>`;
  }
}
