import {
  html,
  nothing,
  svg,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ClipError } from '../../client/clip-error.ts';
import type { Messages } from '../../locales/messages.ts';
import { getNumberFormat } from '../../locales/number-format.ts';
import { defineAttributeProperties, flagProperty, textProperty } from '../attribute-properties.ts';
import { showStates } from '../clip-element.ts';
import { Poster } from '../clip-preview/poster.ts';
import { drawReadError } from '../read-error.ts';
import { HostElement } from '../settings/host-element.ts';
import { isolateText, PageController } from '../settings/page-controller.ts';
import { ClipChangeEvent, ClipEndEvent, ClipFeedItemEvent } from './clip-feed-events.ts';
import clipFeedStyles from './clip-feed.css';
import { FeedAddress } from './feed-address.ts';
import { type FeedClip, FeedClips, type FeedStatus } from './feed-clips.ts';
import { FeedFrames } from './feed-frames.ts';
import { FeedScroller } from './feed-scroller.ts';
import baseStyles from '../clip-element.css';
import visuallyHiddenStyles from '../visually-hidden.css';

/** Attributes that the elements of its frames get, too. */
const passedOn = [
  ...['player-url', 'handshake', 'no-exclusive', 'links'],
  ...['endpoint', 'credentials', 'csrf-header', 'csrf-url', 'session'],
];

/** The number of clips drawn at first and added each time. */
const step = 12;
/** More are drawn when fewer than these are left. */
const ahead = 3;

const symbols = {
  play: svg`<path class="solid" d="M8 5v14l11-7z"/>`,
  pause: svg`<path d="M8 6v12M16 6v12" stroke-width="4"/>`,
  on: svg`<path class="solid" d="M4 9v6h4l5 4V5L8 9z"/><path d="M16.5 9a4 4 0 0 1 0 6M19 6a8 8 0 0 1 0 12"/>`,
  off: svg`<path class="solid" d="M4 9v6h4l5 4V5L8 9z"/><path d="m17 10 4 4m0-4-4 4"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
};

const drawSymbol = (name: keyof typeof symbols): TemplateResult =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true">${symbols[name]}</svg>`;

const soundKey = 'clip-feed-sound';
/** For framed pages in which the browser stores nothing. */
let hasSound = false;

/** Whether the visitor has turned sound on, in any feed of the visit. */
function readSound(): boolean {
  try {
    return sessionStorage.getItem(soundKey) === 'on';
  } catch {
    return hasSound;
  }
}

function storeSound(isOn: boolean): void {
  hasSound = isOn;
  try {
    sessionStorage.setItem(soundKey, isOn ? 'on' : 'off');
  } catch {
    // It is known to this page.
  }
}

const isMotionReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * A vertical feed of clips: one fills the box and plays; swiping shows the next.
 *
 * @element clip-feed
 * @fires {ClipFeedItemEvent} clip-feed-item - A clip was rendered for the first time; you can fill
 *   its slot.
 * @fires {ClipChangeEvent} clip-change - Another clip fills the box.
 * @fires {ClipEndEvent} clip-end - The clip has reached its end, and starts again.
 * @fires {ClipFeedErrorEvent} clip-feed-error - The clips could not be read; `error` says why.
 * @fires {ClipSignedOutEvent} clip-signed-out - No user is signed in. The element continues when
 *   one is.
 * @slot actions-{id} - Over the picture of the clip with this id, beside its title.
 * @slot empty - Replaces the text if there are no clips.
 * @slot error - Replaces the error's text.
 * @slot signed-out - Replaces the text if no user is signed in; for example with a link to sign in.
 * @csspart item - A clip: its poster, and what is over its picture; in the strip, its button.
 * @csspart poster - Its poster, until the picture moves.
 * @csspart title - Its title, over the picture and in the strip.
 * @csspart controls - The row of buttons at the top.
 * @csspart control - A button in it.
 * @csspart dialog - The modal layout.
 * @csspart strip - The strip of posters.
 * @csspart empty - The box that is shown if there are no clips.
 * @csspart error - The box of an error; replaces a frame, too.
 * @csspart secondary - The retry button in it, and the link to the clip.
 * @cssproperty [--clip-feed-peek=min(9cqb, 5rem)] - How much of the next clip a column shows.
 * @cssproperty [--clip-feed-strip-width=9rem] - Width of a poster in the strip, without a height.
 * @cssproperty [--clip-aspect-ratio=9 / 16] - Shape of the column, and of the posters in the strip.
 * @cssproperty [--clip-radius] - Corner radius of the box, and of the posters in the strip.
 * @cssproperty [--clip-accent=#4f46e5] - Focus ring around the posters in the strip.
 * @cssstate idle - The element is not in the document.
 * @cssstate loading - The clips are being read.
 * @cssstate ready - The clips were read.
 * @cssstate error - The clips could not be read.
 * @cssstate signed-out - No user is signed in to the site.
 * @cssstate empty - There are no clips.
 * @cssstate playing - The clip in the box plays.
 * @cssstate muted - Sound is off.
 * @cssstate open - The modal layout is open.
 */
export class ClipFeed extends HostElement {
  static override properties: PropertyDeclarations = defineAttributeProperties(this, {
    playerUrl: textProperty,
    posterUrl: textProperty,
    handshake: textProperty,
    folder: textProperty,
    projects: textProperty,
    start: textProperty,
    layout: textProperty,
    history: textProperty,
    label: textProperty,
    noExclusive: flagProperty,
  });
  static override styles = [baseStyles, visuallyHiddenStyles, clipFeedStyles];

  /**
   * Base URL of the preview pages, or an address with `{id}`; `{lang}` in it is the page's
   * language. Default: from the nearest `<clip-config>`, or `configure()`.
   */
  declare playerUrl: string | null;
  /**
   * Address of the posters, with `{project}` for the id; `{lang}` in it is the page's language.
   * Default: from the nearest `<clip-config>`, or `configure()`.
   */
  declare posterUrl: string | null;
  /**
   * The message that the clips' pages post when they have loaded: a text, or the `type` of an
   * object. If omitted, the frame counts as loaded with its `load` event, or the message
   * `clip-ready`.
   */
  declare handshake: string | null;
  /** Id of the folder whose clips are shown. The host reads them. */
  declare folder: string | null;
  /**
   * Ids of clips, separated by spaces, in the order of the feed. With `folder`, the host provides
   * their titles and posters; otherwise no host is needed.
   */
  declare projects: string | null;
  /** Id of the first clip to show. Default: the first of the feed. */
  declare start: string | null;
  /**
   * `strip`: a row of posters that open the feed. `modal`: hidden until `open()`. Default: the
   * feed.
   */
  declare layout: 'strip' | 'modal' | null;
  /**
   * `replace`: the parameter `clip` of the page's address is the current clip, and the feed starts
   * there. Only one feed of a page can have it. Default: the address does not change.
   */
  declare history: 'replace' | null;
  /** Accessible name of the feed. */
  declare label: string | null;
  /**
   * Can play together with others on the page: it neither pauses them nor is paused by them.
   *
   * @default false
   */
  declare noExclusive: boolean;

  readonly #page = new PageController(this, {
    moved: () => {
      // The box has lost its place, and the dialog is not modal any more.
      this.#scroller.end();
      this.#dialog = null;
    },
    left: () => this.#leave(),
  });
  readonly #clips = new FeedClips(this, this.#page);
  readonly #frames = new FeedFrames({
    changed: () => this.requestUpdate(),
    ended: () => this.dispatchEvent(new ClipEndEvent(this.#current!, this.folder, this.index)),
  });
  readonly #scroller = new FeedScroller({
    changed: () => this.#see(),
    arrived: (place) => this.#onArrival(place),
    settled: (place) => this.#onSettled(place),
    strayed: (place) => {
      if (place !== this.index) this.#return();
    },
  });
  readonly #address = new FeedAddress(this);
  readonly #posters = new Map<string, Poster>();
  /** Id of the clip in the box. */
  #current: string | null = null;
  /** The clip to scroll to once it is drawn, and whether that can be seen. */
  #goal: { readonly id: string; readonly isSmooth: boolean } | null = null;
  /** Id of the clip that is being scrolled to. */
  #aim: string | null = null;
  /** The ids of the clips when they were drawn last. */
  #order: readonly string[] = [];
  /** The number of clips that are drawn. */
  #limit = step;
  #isOpen = false;
  /** The dialog that was shown. */
  #dialog: HTMLDialogElement | null = null;
  #announcement = '';
  /** Removes the listeners on the page. */
  #listening: AbortController | null = null;

  constructor() {
    super();
    showStates(this, () => [
      this.status,
      this.status === 'ready' && !this.#clips.all.length && 'empty',
      this.#frames.isPlaying && 'playing',
      this.#frames.isMuted && 'muted',
      this.#isOpen && 'open',
    ]);
  }

  /** The state of the element; also a custom state. */
  get status(): FeedStatus {
    return this.#clips.status;
  }

  /** Why the clips could not be read; null without an error. */
  get error(): ClipError | null {
    return this.status === 'signed-out' ? null : this.#clips.error;
  }

  /** Id of the clip in the box; null without clips. */
  get project(): string | null {
    return this.#current;
  }

  /** Index of the current clip in the feed; -1 without clips. */
  get index(): number {
    return this.#place(this.#current);
  }

  /** Opens the modal layout, at the clip with this id or the current one. */
  open(project?: string): void {
    if (!this.#isOpen) this.#address.push(() => this.close());
    this.#isOpen = true;
    if (project && this.#find(project)) this.#enter(project);
    this.#begin();
  }

  /** Closes the modal layout, and restores the focus. */
  close(): void {
    this.shadowRoot?.querySelector('dialog')?.close();
  }

  /** Scrolls to the next clip. */
  next(): void {
    this.#scrollTo(this.#place(this.#aim ?? this.#current) + 1);
  }

  /** Scrolls to the previous clip. */
  previous(): void {
    this.#scrollTo(this.#place(this.#aim ?? this.#current) - 1);
  }

  /** Reads the folder again. */
  reload(): void {
    this.#clips.reload();
  }

  get #isShown(): boolean {
    return this.#isOpen || (this.layout !== 'strip' && this.layout !== 'modal');
  }

  #find(id: string | null): FeedClip | undefined {
    return this.#clips.all.find((clip) => clip.id === id);
  }

  #place(one: string | null | undefined): number {
    return this.#clips.all.findIndex(({ id }) => id === one);
  }

  #leave(): void {
    this.#listening?.abort();
    this.#listening = this.#current = this.#goal = this.#aim = null;
    this.#isOpen = false;
    this.#address.end();
    this.#scroller.end();
    this.#posters.forEach((poster) => poster.end());
    this.#posters.clear();
    this.#frames.end();
    this.#clips.end();
  }

  #listen(): void {
    if (this.#listening) return;
    const { signal } = (this.#listening = new AbortController());
    document.addEventListener('visibilitychange', () => this.#see(), { signal });
    const onPlay = ({ target }: Event): void => {
      if (this.noExclusive || !(target instanceof HTMLMediaElement) || target.muted) return;
      this.#frames.isWanted = false;
      this.requestUpdate();
    };
    // Media events do not bubble.
    document.addEventListener('play', onPlay, { signal, capture: true });
  }

  #see(): void {
    this.#frames.isVisible = this.#scroller.isInView && !document.hidden;
    this.requestUpdate();
  }

  /** Plays the clip in the box from now on, unless the visitor wants little motion. */
  #begin(): void {
    this.#frames.isWanted = !isMotionReduced();
    this.#frames.isMuted = !readSound();
    this.requestUpdate();
  }

  /** Makes a clip the one in the box, without scrolling that can be seen. */
  #enter(id: string): void {
    this.#current = id;
    this.#goal = { id, isSmooth: false };
  }

  // Not `willUpdate`, which comes before the controllers have read the clips.
  protected override update(changed: PropertyValues): void {
    if (this.#page.connected) this.#follow();
    super.update(changed);
  }

  /** Chooses the clip in the box, how many are drawn, and which ones have a frame. */
  #follow(): void {
    this.#listen();
    const { all } = this.#clips;
    const order = this.#order;
    this.#order = all.map(({ id }) => id);
    if (!this.#find(this.#current)) this.#replace(order.indexOf(this.#current!), order);
    const { index } = this;
    // Clips have come before it, or left: not all browsers scroll along.
    if (order[index] !== this.#current) this.#return();
    const target = Math.max(index, this.#place(this.#goal?.id));
    while (this.#limit < all.length && target + ahead >= this.#limit) this.#limit += step;
    // A frame that begins to load would disturb the scrolling.
    if (!this.#isShown) this.#frames.end();
    else this.#frames.place(all, index, this.#frameAttributes(), !this.#scroller.isScrolling);
  }

  /** Chooses another clip than the one that was at this place, and is not there any more. */
  #replace(at: number, order: readonly string[]): void {
    const beside = at < 0 ? [] : [...order.slice(at + 1), ...order.slice(0, at).reverse()];
    const neighbour = beside.map((id) => this.#find(id)).find((clip) => clip);
    const first =
      neighbour ?? this.#find(this.#address.clip) ?? this.#find(this.start) ?? this.#clips.all[0];
    this.#current = null;
    if (!first) return;
    this.#enter(first.id);
    if (neighbour && this.#isShown) this.#show(neighbour);
    else this.#begin();
  }

  /** Scrolls back to the clip that plays. */
  #return(): void {
    if (!this.#current || this.#goal) return;
    this.#enter(this.#current);
    this.requestUpdate();
  }

  #frameAttributes(): ReadonlyMap<string, string> {
    const attributes = new Map([
      ['exportparts', 'error,secondary'],
      ['loading', 'eager'],
      ['playsinline', ''],
      ['no-controls', ''],
    ]);
    for (const name of passedOn) {
      const value = this.getAttribute(name);
      if (value !== null) attributes.set(name, value);
    }
    return attributes;
  }

  protected override updated(): void {
    const dialog = this.shadowRoot!.querySelector('dialog');
    if (dialog !== this.#dialog && this.isConnected) {
      this.#dialog = dialog;
      // One that was moved is open, and not modal any more.
      dialog?.removeAttribute('open');
      dialog?.showModal();
    }
    const box = this.shadowRoot!.querySelector<HTMLElement>('.feed');
    if (this.#scroller.follow(box) && box && this.#current) this.#enter(this.#current);
    this.#reachGoal();
    this.#frames.sync();
  }

  #reachGoal(): void {
    const goal = this.#goal;
    if (!goal) return;
    const behavior = goal.isSmooth && !isMotionReduced() ? 'smooth' : 'instant';
    if (this.#scroller.scrollTo(this.#place(goal.id), behavior)) this.#goal = null;
  }

  #scrollTo(index: number): void {
    const clip = this.#clips.all[index];
    if (!clip) return;
    this.#aim = clip.id;
    this.#goal = { id: clip.id, isSmooth: true };
    this.requestUpdate();
  }

  /** Most of a clip has come into the box: it plays by the time that it fills it. */
  #onArrival(place: number): void {
    const clip = this.#clips.all[place];
    // Nothing is drawn: that would disturb the scrolling.
    if (clip && !isMotionReduced()) this.#frames.arrive(clip.id);
  }

  /** Scrolling has ended: the clip that is nearest now fills the box. */
  #onSettled(at: number): void {
    this.#frames.arrive(null);
    this.#aim = null;
    const clip = this.#clips.all[at];
    if (clip && clip.id !== this.#current) this.#show(clip);
  }

  /** Another clip fills the box. */
  #show(clip: FeedClip): void {
    this.#current = clip.id;
    const at = this.index;
    this.#announcement = this.#nameOf(clip, at);
    this.#begin();
    this.#address.replace(clip.id);
    this.#page.dispatch(new ClipChangeEvent(clip.id, this.folder, at));
  }

  #togglePlay(): void {
    this.#frames.isWanted = !this.#frames.isPlaying;
    this.requestUpdate();
  }

  #toggleSound(): void {
    storeSound(this.#frames.isMuted);
    this.#frames.isMuted = !this.#frames.isMuted;
    this.requestUpdate();
  }

  #onClick(event: Event): void {
    const path = event.composedPath();
    const at = this.#scroller.placeIn(path);
    // What the page has put over the picture is its own.
    if (at < 0 || path.some((node) => node instanceof HTMLSlotElement)) return;
    if (at === this.index) this.#togglePlay();
    else this.#scrollTo(at);
  }

  #onKey(event: KeyboardEvent): void {
    const { key, altKey, ctrlKey, metaKey, defaultPrevented } = event;
    const [target] = event.composedPath() as [Element];
    const isTyping = target.matches('input, textarea, select, [contenteditable]');
    if (altKey || ctrlKey || metaKey || defaultPrevented || isTyping) return;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.next(),
      PageDown: () => this.next(),
      ArrowUp: () => this.previous(),
      PageUp: () => this.previous(),
      Home: () => this.#scrollTo(0),
      End: () => this.#scrollTo(this.#clips.all.length - 1),
      m: () => this.#toggleSound(),
      // On a button or a link it is theirs.
      ...(target === this.#scroller.box && { ' ': () => this.#togglePlay() }),
    };
    // Caps Lock makes a capital letter of it.
    const action = actions[key === 'M' ? 'm' : key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #onClose(): void {
    this.#isOpen = false;
    this.#address.pop();
    this.requestUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.#page.connected) return nothing;
    return html`${this.layout === 'strip' ? this.#strip() : null}${
      this.#isOpen
        ? html`<dialog part="dialog" aria-label=${this.#label} @close=${this.#onClose}>
            ${this.#box()}
          </dialog>`
        : this.#isShown
          ? this.#box()
          : null
    }`;
  }

  get #label(): string {
    return this.label || this.#page.text('list-label', 'Clips');
  }

  get #drawn(): readonly FeedClip[] {
    return this.#clips.all.slice(0, this.#limit);
  }

  #box(): TemplateResult {
    const { status } = this;
    const drawn = this.#drawn;
    return html`<div class="box" @click=${this.#onClick} @keydown=${this.#onKey}>
      <div
        class="feed"
        role="region"
        tabindex="0"
        aria-label=${this.#label}
        aria-busy=${status === 'loading'}
        @scroll=${this.#scroller}
        @scrollend=${this.#scroller}
      >
        ${this.#frames.previews}${
          drawn.length
            ? html`<div role="list">
                ${repeat(
                  drawn,
                  ({ id }) => id,
                  (clip, at) => this.#item(clip, at),
                )}
              </div>`
            : null
        }
      </div>
      ${this.#notice()}
      <div part="controls">
        ${this.#isOpen ? this.#button('close', 'close', this.close, 'feed-close', 'Close') : null}
        ${drawn.length ? this.#playButtons() : null}
      </div>
      <div class="visually-hidden" role="status">${this.#announcement}</div>
    </div>`;
  }

  #playButtons(): TemplateResult {
    const { isPlaying, isMuted } = this.#frames;
    return html`${
      isPlaying
        ? this.#button('play', 'pause', this.#togglePlay, 'feed-pause', 'Pause')
        : this.#button('play', 'play', this.#togglePlay, 'feed-play', 'Play')
    }${
      isMuted
        ? this.#button('sound', 'off', this.#toggleSound, 'feed-unmute', 'Unmute')
        : this.#button('sound', 'on', this.#toggleSound, 'feed-mute', 'Mute')
    }`;
  }

  #button(
    name: string,
    picture: keyof typeof symbols,
    action: () => void,
    key: keyof Messages,
    english: string,
  ): TemplateResult {
    const label = this.#page.text(key, english);
    return html`<button
      part="control"
      class=${name}
      aria-label=${label}
      title=${label}
      @click=${action}
    >
      ${drawSymbol(picture)}
    </button>`;
  }

  /** Returns the name of a clip for screen readers: its place and title. */
  #nameOf({ title }: FeedClip, at: number): string {
    const format = getNumberFormat(this.#page.textLanguage('feed-item'), {});
    const values = [at + 1, this.#clips.all.length].map((value) => format.format(value));
    const text = this.#page.text('feed-item', 'Clip {0} of {1}: {2}', values[0]!);
    return text
      .replace('{1}', () => values[1]!)
      .replace('{2}', () => isolateText(title, text))
      .replace(/\s?[:：]\s*$/, '');
  }

  #item(clip: FeedClip, at: number): TemplateResult {
    const { id, title } = clip;
    const frames = this.#frames;
    const isCurrent = id === this.#current;
    const isStopped = isCurrent && !frames.isWanted && !frames.isPlaying;
    return html`<div
      part="item"
      role="listitem"
      class="item ${frames.isFailed(id) ? 'failed' : frames.isShown(id) ? 'open' : ''}"
      aria-label=${this.#nameOf(clip, at)}
      aria-current=${isCurrent || nothing}
    >
      ${this.#poster(clip, 'feed')}
      ${isStopped ? html`<span class="symbol">${drawSymbol('play')}</span>` : null}
      <div class="about">
        <div part="title" dir="auto">${title}</div>
        <slot name="actions-${id}"></slot>
      </div>
    </div>`;
  }

  /** The poster of a clip, in the feed or the strip. The first time, the page hears of the clip. */
  #poster({ id, poster, clip }: FeedClip, place: 'feed' | 'strip'): HTMLImageElement {
    const key = `${place} ${id}`;
    let one = this.#posters.get(key);
    if (!one) {
      this.#posters.set(key, (one = new Poster(this)));
      const { folder } = this;
      if (place === 'feed') {
        this.#page.dispatch(new ClipFeedItemEvent(id, folder, this.#place(id), clip));
      }
    }
    return one.draw(poster);
  }

  #strip(): TemplateResult {
    return html`<div part="strip" role="list" aria-label=${this.#label}>
      ${repeat(
        this.#drawn,
        ({ id }) => id,
        (clip, at) =>
          html`<div role="listitem">
            <button
              part="item"
              class="strip-item"
              aria-label=${this.#nameOf(clip, at)}
              @click=${() => this.open(clip.id)}
            >
              ${this.#poster(clip, 'strip')}
              <span class="about"><span part="title" dir="auto">${clip.title}</span></span>
            </button>
          </div>`,
      )}
    </div>`;
  }

  /** Draws the notice in the place of clips, or above them if they could not be read again. */
  #notice(): TemplateResult | null {
    const { status } = this;
    const { error, all } = this.#clips;
    if (all.length && !error) return null;
    if (error) {
      return drawReadError(this.#page, error, this.reload, all.length ? 'notice bar' : 'notice');
    }
    return status === 'ready'
      ? html`<div part="empty" class="notice">
          <slot name="empty">${this.#page.text('list-empty', 'There are no clips yet.')}</slot>
        </div>`
      : html`<div class="notice"><i class="spinner"></i></div>`;
  }
}
