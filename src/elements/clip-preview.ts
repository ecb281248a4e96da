import type { ClipError } from '../client/clip-error.ts';
import { backoff } from '../flow/backoff.ts';
import { baseStyles } from './base-styles.ts';
import {
  ClipPreviewActivateEvent,
  ClipPreviewErrorEvent,
  ClipPreviewReadyEvent,
} from './clip-preview-events.ts';
import { css } from './css.ts';
import { el } from './dom.ts';
import { frameStyles } from './frame-styles.ts';
import { clipUrl } from './clip-url.ts';
import { MediaFrame } from './media-frame.ts';
import { safeUrl, textProperty } from './settings.ts';
import { unseenStyles } from './unseen-styles.ts';

const warmed = new Set<string>();

/** Opens the connection to an origin before it is needed, once per page. */
function warm(address: string): void {
  const base = address.slice(0, address.lastIndexOf('/'));
  if (warmed.has(base)) return;
  warmed.add(base);
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'preconnect', href: base }),
  );
}

/** The poster, if it may be loaded: a clip plays without one. */
function loadable(poster: string | null): string | null {
  // Most need no parsing, and a page may have a thousand of them.
  if (!poster || /^(https:\/)?\/\w/.test(poster)) return poster || null;
  try {
    safeUrl(poster, 'poster');
    return poster;
  } catch {
    return null;
  }
}

const facades: HTMLElement[] = [];

/** A play button over a poster. Copying is fastest; slots cost a sixth, so only some have them. */
function newFacade(slots: boolean): HTMLElement {
  const within = (name: string, child: HTMLElement) =>
    slots ? el('slot', { name }, child) : child;
  const facade = (facades[+slots] ??= el(
    'button',
    { part: 'play', className: 'cover' },
    within('poster', el('img', { part: 'poster', alt: '', loading: 'lazy' })),
    el('span', { part: 'symbol' }, within('play', el('i', {}))),
  ));
  return facade.cloneNode(true) as HTMLElement;
}

/**
 * A preview of a clip: the player page in a frame, or a poster that turns into it.
 *
 * @element clip-preview
 * @fires {ClipPreviewActivateEvent} clip-preview-activate - Somebody activated the preview.
 * @fires {ClipPreviewReadyEvent} clip-preview-ready - The frame has loaded.
 * @fires {ClipPreviewErrorEvent} clip-preview-error - The preview failed; `error` says why.
 * @fires {Event} play - Playback begins. Like all media events, it does not bubble.
 * @fires {Event} playing - The picture moves.
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
 * @csspart symbol - The round play symbol in it.
 * @csspart spinner - The spinner while the frame loads.
 * @csspart error - Replaces the frame after an error.
 * @csspart retry - The button in it that tries again.
 * @csspart open - The link in it that opens the preview in a new tab.
 * @cssproperty [--clip-aspect-ratio=9 / 16] - Aspect ratio of the element.
 * @cssproperty [--clip-max-block-size=min(80dvh, 46rem)] - Largest height. The width follows.
 * @cssproperty [--clip-radius=1rem] - Corner radius.
 * @cssproperty [--clip-backdrop] - Background of the frame.
 * @cssproperty [--clip-accent=#4f46e5] - Focus ring and accents.
 * @cssstate idle - Nothing is loaded yet.
 * @cssstate loading - The frame is loading.
 * @cssstate ready - The frame has loaded.
 * @cssstate error - The preview could not be shown.
 * @cssstate poster - The poster image has loaded and is shown.
 */
export class ClipPreview extends MediaFrame {
  static override properties = {
    ...MediaFrame.properties,
    poster: textProperty,
    playerUrl: textProperty,
  };
  static override styles = [
    baseStyles,
    frameStyles,
    unseenStyles,
    css`
      img,
      ::slotted([slot='poster']) {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        object-fit: cover;
      }
      button.cover {
        background: none;
      }
      button.cover:focus-visible {
        outline-offset: -6px;
      }
      [part='symbol'] {
        position: relative;
        display: grid;
        place-items: center;
        width: 4rem;
        height: 4rem;
        border-radius: 50%;
        background: #0000009e;
        color: #fff;
        transition: scale 0.15s;
        forced-color-adjust: none;
      }
      i:not([part]) {
        width: 1.75rem;
        height: 1.75rem;
        background: currentcolor;
        clip-path: polygon(29% 19%, 29% 81%, 83% 50%);
      }
      :hover > [part='symbol'] {
        scale: 1.08;
      }
    `,
  ];

  /**
   * `lazy`: near the viewport. `eager`: at once. `click`: a poster with a play button first.
   *
   * @default 'lazy'
   */
  declare loading: 'lazy' | 'eager' | 'click';
  /**
   * URL of the poster image: https, or http of localhost or this site; another one is left out. If
   * it fails to load, it is tried again with growing pauses.
   */
  declare poster: string | null;
  /**
   * Base URL of the preview pages; the page of a clip is at `/player/{id}`. If it contains `{id}`,
   * it is the whole address. Default: from the nearest `<clip-config>`, or `configure()`.
   */
  declare playerUrl: string | null;

  /** Created at the first drawing. The poster is also drawn without the play button around it. */
  #facade: HTMLElement | null = null;
  #poster: Node | null = null;
  #image: HTMLImageElement | null = null;
  /** Whether the page fills the facade's slots; null before the first check. */
  #slots: boolean | null = null;
  #posterFailures = 0;
  #posterRetry: ReturnType<typeof setTimeout> | undefined;

  /** Loads the frame now, whatever `loading` says, and plays. */
  activate(): void {
    if (this.status !== 'idle') return;
    this.clicked = true;
    this.dispatchEvent(new ClipPreviewActivateEvent());
    void this.begin();
  }

  protected override get name(): string {
    return this.label || this.text('preview-label', 'Clip preview');
  }

  protected override address(): string {
    return clipUrl(this, 'playerUrl');
  }

  protected override prepare(frame: HTMLIFrameElement): void {
    frame.src = this.withParameters(this.address());
  }

  protected override loaded(...loaded: Parameters<MediaFrame['loaded']>): void {
    super.loaded(...loaded);
    this.#dropPoster();
    this.tell(new ClipPreviewReadyEvent());
  }

  protected override failed(error: ClipError): void {
    super.failed(error);
    this.tell(new ClipPreviewErrorEvent(error));
  }

  protected override get states(): readonly string[] {
    const image = this.#image;
    const shown = image?.isConnected && image.src && image.complete && !image.hidden;
    return shown ? [this.status, 'poster'] : [this.status];
  }

  protected override left(): void {
    super.left();
    this.#dropPoster();
  }

  #dropPoster(): void {
    clearTimeout(this.#posterRetry);
    this.#facade = this.#image = null;
  }

  /** One listener for all previews of the page. */
  static readonly #heard = ({ type, currentTarget }: Event): void => {
    const { host } = (currentTarget as Node).getRootNode() as ShadowRoot;
    const preview = host as ClipPreview | undefined;
    // The image may load after it was removed.
    if (!preview) return;
    if (type === 'click') preview.activate();
    else if (type === 'load' || type === 'error') preview.#posterEnded(type === 'error');
    else warm(preview.address());
  };

  /** Draws previews again when the content of their slots changes. */
  static #observer: MutationObserver | undefined;

  /** What the page has put into the facade's slots. */
  get #slotted(): Element[] {
    return this.firstElementChild
      ? Array.from(this.children).filter(({ slot }) => /^p(lay|oster)$/.test(slot))
      : [];
  }

  #observeSlots(): void {
    ClipPreview.#observer ??= new MutationObserver((records) => {
      for (const { target } of records) {
        for (const one of [target, target.parentNode]) {
          if (one instanceof ClipPreview) one.requestUpdate();
        }
      }
    });
    const changes = { childList: true, subtree: true, attributeFilter: ['slot'] };
    ClipPreview.#observer.observe(this, changes);
  }

  /** Updates the poster and the play button around it. */
  #drawPoster(slots: boolean): void {
    if (this.#slots === null) this.#observeSlots();
    if (!this.#facade || slots !== this.#slots) {
      this.#dropPoster();
      this.#slots = slots;
      const facade = (this.#facade = newFacade(slots));
      const image = (this.#image = facade.querySelector('img')!);
      this.#poster = facade.firstChild;
      for (const type of ['click', 'pointerenter', 'focus']) {
        facade.addEventListener(type, ClipPreview.#heard);
      }
      for (const type of ['load', 'error']) image.addEventListener(type, ClipPreview.#heard);
    }
    const image = this.#image!;
    const poster = loadable(this.poster);
    if (poster === image.getAttribute('src')) return;
    clearTimeout(this.#posterRetry);
    this.#posterFailures = 0;
    if (poster) image.src = poster;
    else image.removeAttribute('src');
  }

  /** Hides a broken image and tries again: a new clip may not have its poster yet. */
  #posterEnded(failed: boolean): void {
    const image = this.#image!;
    image.hidden = failed;
    this.requestUpdate();
    if (!failed) return;
    this.#posterRetry = setTimeout(
      () => {
        // A hidden image is never near the viewport, so it would not load lazily.
        image.loading = 'eager';
        // WebKit does not load the same address again.
        const src = image.getAttribute('src')!;
        image.removeAttribute('src');
        image.src = src;
      },
      backoff(++this.#posterFailures, Math.random(), 2000, 300_000),
    );
  }

  protected override nodes(): (Node | null)[] {
    const { status, error, frame, name } = this;
    if (status === 'error' && error) {
      const open = /^(missing|invalid)/.test(error.code)
        ? null
        : el(
            'a',
            {
              part: 'open',
              className: 'plain',
              href: this.address(),
              target: '_blank',
              rel: 'noopener',
            },
            this.text('open', 'Open in a new tab'),
          );
      return [this.problem(error, () => void this.begin(), open)];
    }
    if (status === 'ready') return [frame];
    const slotted = this.#slotted;
    this.#drawPoster(!!slotted.length);
    const poster = this.#poster!;
    if (status === 'loading') {
      const spinner = () => el('slot', { name: 'loading' }, el('i', { part: 'spinner' }));
      return [poster, this.same('loading', '', spinner), frame];
    }
    if (this.loading !== 'click') return [poster];
    const facade = this.#facade!;
    if (facade.firstChild !== poster) facade.prepend(poster);
    facade.querySelector('.unseen')?.remove();
    if (slotted.some(({ textContent }) => textContent.trim())) {
      // A button's accessible name must contain its visible text.
      facade.removeAttribute('aria-label');
      facade.append(el('span', { className: 'unseen' }, name));
    } else facade.setAttribute('aria-label', this.text('play', 'Play: {0}', name));
    return [facade];
  }
}
