import { html, nothing, type TemplateResult } from 'lit';
import { type ClipError, loadPart } from '../../client/clip-error.ts';
import { defineAttributeProperties, textProperty } from '../attribute-properties.ts';
import { showStates, listSlotted } from '../clip-element.ts';
import { frameError, type FrameStatus } from '../frame/frame-element.ts';
import { MediaElement } from '../media/media-element.ts';
import type { ClipLink } from '../frame/clip-link.ts';
import { makeClipUrl, makePosterUrl } from '../settings/clip-url.ts';
import { getSetting } from '../settings/settings.ts';
import { Poster } from './poster.ts';
import { ClipEvent } from '../events.ts';
import clipPreviewStyles from './clip-preview.css';
import baseStyles from '../clip-element.css';
import visuallyHiddenStyles from '../visually-hidden.css';
import frameStyles from '../frame/frame-element.css';

const preconnected = new Set<string>();

/** Opens the connection to an origin before it is needed, once per page. */
function preconnect(address: string): void {
  const base = address.slice(0, address.lastIndexOf('/'));
  if (preconnected.has(base)) return;
  preconnected.add(base);
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'preconnect', href: base }),
  );
}

/**
 * A preview of a clip: the player page in a frame, or a poster that loads it.
 *
 * @element clip-preview
 * @fires {ClipPreviewActivateEvent} clip-preview-activate - The user activated the preview.
 * @fires {ClipPreviewReadyEvent} clip-preview-ready - The frame has loaded.
 * @fires {ClipPreviewErrorEvent} clip-preview-error - The preview failed; `error` says why.
 * @fires {ClipViewEvent} clip-view - The clip was watched for two seconds, or a quarter of it.
 * @fires {ClipProgressMarkEvent} clip-progress-mark - Playback has reached 25, 50, 75 or 95 %.
 * @fires {Event} play - Playback starts. Like all media events, it does not bubble.
 * @fires {Event} playing - Playback has started or resumed, and the picture moves.
 * @fires {Event} pause - Playback is paused, or has reached the end.
 * @fires {Event} ended - Playback has reached the end.
 * @fires {Event} timeupdate - `currentTime` has changed.
 * @fires {Event} durationchange - `duration` has changed.
 * @fires {Event} volumechange - `volume` or `muted` has changed.
 * @fires {Event} ratechange - `playbackRate` has changed.
 * @fires {Event} seeking - `currentTime` was set.
 * @fires {Event} seeked - The player is at the new time.
 * @fires {Event} waiting - The player waits for data.
 * @fires {Event} progress - More of the clip has been loaded.
 * @fires {Event} loadedmetadata - The player knows the clip.
 * @fires {Event} error - The player could not play the clip.
 * @slot poster - Replaces the poster image.
 * @slot play - Replaces the play symbol. Its text comes first in the button's accessible name.
 * @slot loading - Replaces the spinner while the frame loads.
 * @slot error - Replaces the error's text.
 * @csspart frame - The frame.
 * @csspart poster - The poster image; hidden while it cannot be loaded.
 * @csspart play - The button over the poster.
 * @csspart error - Replaces the frame after an error.
 * @csspart secondary - The retry button in it, and the link to the clip.
 * @cssproperty [--clip-aspect-ratio=9 / 16] - Aspect ratio of the element.
 * @cssproperty [--clip-max-block-size=min(80dvh, 46rem)] - Largest height. The width follows.
 * @cssproperty [--clip-radius=1rem] - Corner radius.
 * @cssproperty [--clip-backdrop] - Background of the frame.
 * @cssproperty [--clip-accent=#4f46e5] - Focus ring and accents.
 * @cssstate idle - Nothing has been loaded yet.
 * @cssstate authorizing - The link of a private clip is being requested.
 * @cssstate loading - The frame is loading.
 * @cssstate ready - The frame has loaded.
 * @cssstate error - The preview could not be shown.
 * @cssstate signed-out - No user is signed in, so a private clip cannot be shown.
 * @cssstate poster - The poster image has loaded and is shown.
 */
export class ClipPreview extends MediaElement {
  static override properties = defineAttributeProperties(this, {
    poster: textProperty,
    playerUrl: textProperty,
    posterUrl: textProperty,
    links: textProperty,
  });
  static override styles = [baseStyles, frameStyles, visuallyHiddenStyles, clipPreviewStyles];

  /**
   * `lazy`: near the viewport. `eager`: at once. `click`: a poster with a play button first.
   *
   * @default 'lazy'
   */
  declare loading: 'lazy' | 'eager' | 'click';
  /**
   * URL of the poster image: https, or http on localhost or this site; others are ignored. If it
   * does not load, the element retries with growing pauses. Default: from `poster-url`.
   */
  declare poster: string | null;
  /**
   * Base URL of the preview pages; the page of a clip is at `/player/{id}`. If it contains `{id}`,
   * it is the whole address; `{lang}` in it is the page's language. Default: from the nearest
   * `<clip-config>`, or `configure()`.
   */
  declare playerUrl: string | null;
  /**
   * Address of the posters, with `{project}` for the id; `{lang}` in it is the page's language.
   * Default: from the nearest `<clip-config>`, or `configure()`.
   */
  declare posterUrl: string | null;

  /**
   * `signed`: for a private clip, whose link the element requests from the host (`endpoint`).
   * Default: from the nearest `<clip-config>`, or `configure()`.
   */
  declare links: 'signed' | null;

  readonly #poster = new Poster(this);
  /** The link of a private clip; null while none was needed. */
  #link: ClipLink | null = null;

  constructor() {
    super();
    showStates(this, () => [this.status, this.#poster.isShown && 'poster']);
  }

  protected override frameName(): string {
    return this.label || this.page.text('preview-label', 'Clip preview');
  }

  protected override frameKey(): string {
    return makeClipUrl(this, 'playerUrl');
  }

  protected override authorize(signal: AbortSignal): Promise<void> | undefined {
    if (getSetting(this, 'links') === 'signed') return this.#obtainLink(signal);
    this.#link = null;
    return undefined;
  }

  async #obtainLink(signal: AbortSignal): Promise<void> {
    const { ClipLink } = await loadPart(import('../frame/token-part.ts'));
    signal.throwIfAborted();
    this.#link ??= new ClipLink(this, {
      load: () => void this.loadFrame(),
      fail: (error) => this.fail(error),
      frame: () => this.frame,
    });
    await this.#link.obtainLink(this.project!, signal);
  }

  /** The page's address, with the link of a private clip. */
  get #address(): string {
    return this.#link?.sign(this.frameKey()) ?? this.frameKey();
  }

  protected override prepare(frame: HTMLIFrameElement): void {
    frame.src = this.withParameters(this.#address);
  }

  protected override received(data: unknown): void {
    this.#link?.received(data);
  }

  protected override dropped(): void {
    super.dropped();
    this.#link?.end();
  }

  protected override loaded(...frame: Parameters<MediaElement['loaded']>): void {
    super.loaded(...frame);
    this.#poster.end();
    this.page.dispatch(new ClipPreviewReadyEvent(this));
  }

  protected override failed(error: ClipError): void {
    super.failed(error);
    this.page.dispatch(this.#link?.failed(error) ?? new ClipPreviewErrorEvent(this, error));
  }

  protected override leave(): void {
    super.leave();
    this.#poster.end();
  }

  /** Loads the frame now, regardless of `loading`, and plays. */
  activate(): void {
    if (this.status !== 'idle') return;
    this.clicked = true;
    this.dispatchEvent(new ClipPreviewActivateEvent(this));
    void this.loadFrame();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.page.connected) return nothing;
    const { frame, frameError: error, status } = this;
    if (error) {
      return frameError(this.page, error, () => void this.loadFrame(), this.#openLink(error));
    }
    const isCovered = status !== 'ready';
    const content = isCovered ? listSlotted(this, 'poster', 'play') : [];
    const image = isCovered ? this.#poster.draw(this.poster ?? makePosterUrl(this)) : null;
    // One template for all of these, so that the frame stays where it is.
    return html`${content.length ? html`<slot name="poster">${image}</slot>` : image}${
      isCovered ? this.#control(status, content) : null
    }${frame}`;
  }

  /** Draws the play button or the spinner above the poster. */
  #control(status: FrameStatus, content: readonly Element[]): TemplateResult | null {
    if (/ing$/.test(status)) return html`<slot name="loading"><i class="spinner"></i></slot>`;
    if (this.loading !== 'click') return null;
    const name = this.page.text('play', 'Play: {0}', this.frameName());
    // A button's accessible name must contain its visible text.
    const hasText = content.some(({ slot, textContent }) => slot === 'play' && textContent.trim());
    return html`<button
      part="play"
      class="cover"
      aria-label=${hasText ? nothing : name}
      @click=${this.activate}
      @pointerenter=${this.#preconnect}
      @focus=${this.#preconnect}
    >
      ${
        content.length
          ? html`<span class="symbol"
                ><slot name="play"><i></i></slot></span
              >${hasText ? html`<span class="visually-hidden">${this.frameName()}</span>` : null}`
          : html`<span class="symbol"><i></i></span>`
      }
    </button>`;
  }

  /** Opens the connection to the page's origin before it is needed. */
  #preconnect(): void {
    preconnect(this.frameKey());
  }

  /** Opens the page of the clip, where its address is known. */
  #openLink({ code }: ClipError): TemplateResult | typeof nothing {
    if (/^(missing|invalid)/.test(code)) return nothing;
    const text = this.page.text('open', 'Open in a new tab');
    return html`<a
      part="secondary"
      class="plain open"
      href=${this.#address}
      target="_blank"
      rel="noopener"
      >${text}</a
    >`;
  }
}

/** The preview is about to load because the user activated it. */
export class ClipPreviewActivateEvent extends ClipEvent {
  constructor(element: MediaElement) {
    super('clip-preview-activate', element);
  }
}

/** The preview's frame has loaded. */
export class ClipPreviewReadyEvent extends ClipEvent {
  constructor(element: MediaElement) {
    super('clip-preview-ready', element);
  }
}

/** The preview could not be shown. */
export class ClipPreviewErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(element: MediaElement, error: ClipError) {
    super('clip-preview-error', element);
    this.error = error;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-preview-activate': ClipPreviewActivateEvent;
    'clip-preview-ready': ClipPreviewReadyEvent;
    'clip-preview-error': ClipPreviewErrorEvent;
  }
}
