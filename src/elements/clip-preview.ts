import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { ClipError } from '../client/clip-error.ts';
import { baseStyles } from './base-styles.ts';
import {
  ClipPreviewActivateEvent,
  ClipPreviewErrorEvent,
  ClipPreviewReadyEvent,
} from './clip-preview-events.ts';
import { css } from './css.ts';
import { FrameElement } from './frame-element.ts';
import { frameStyles } from './frame-styles.ts';
import { clipUrl } from './clip-url.ts';
import { safeUrl, textProperty } from './settings.ts';

const warmed = new Set<string>();

/** Opens the connection to an origin before it is needed, once a page. */
const warm = (address: string): void => {
  const base = address.slice(0, address.lastIndexOf('/'));
  if (warmed.has(base)) return;
  warmed.add(base);
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'preconnect', href: base }),
  );
};

/**
 * A preview of a clip: the player's page in a frame, or a poster that becomes it.
 *
 * @element clip-preview
 * @fires {ClipPreviewActivateEvent} clip-preview-activate - Somebody asked for the preview (`loading="click"`).
 * @fires {ClipPreviewReadyEvent} clip-preview-ready - The frame has loaded.
 * @fires {ClipPreviewErrorEvent} clip-preview-error - The preview could not be shown; `error` says why.
 * @slot poster - Shown until the frame is there, instead of the poster image.
 * @slot play - Instead of the play symbol.
 * @slot loading - Instead of the spinner while the frame loads.
 * @slot error - Instead of the error's text.
 * @csspart frame - The frame.
 * @csspart poster - The poster image.
 * @csspart play - The button over the poster.
 * @csspart symbol - The round play symbol in it.
 * @csspart spinner - What turns while the frame loads.
 * @csspart error - What is shown instead of the frame after an error.
 * @csspart retry - The button in it that tries again.
 * @csspart open - The link in it that opens the preview in a new tab.
 * @cssproperty [--clip-aspect-ratio=9 / 16] - Shape of the element.
 * @cssproperty [--clip-radius=1rem] - Its corners.
 * @cssproperty [--clip-backdrop] - What is behind the frame.
 * @cssproperty [--clip-accent=#4f46e5] - Focus ring and accents.
 * @cssstate idle - Nothing is loaded yet.
 * @cssstate loading - The frame is loading.
 * @cssstate ready - The frame has loaded.
 * @cssstate error - The preview could not be shown.
 */
export class ClipPreview extends FrameElement {
  static override properties = {
    ...FrameElement.properties,
    poster: textProperty,
  };
  static override styles = [
    baseStyles,
    frameStyles,
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
      }
      svg {
        width: 1.75rem;
        fill: currentcolor;
      }
      :hover > [part='symbol'] {
        scale: 1.08;
      }
    `,
  ];

  /** `lazy`: near the viewport. `eager`: at once. `click`: a poster with a play button first. */
  declare loading: 'lazy' | 'eager' | 'click';
  /** Address of the poster image. */
  declare poster: string | null;

  /** Loads the frame now, whatever `loading` says. */
  activate(): void {
    if (this.status !== 'idle') return;
    this.dispatchEvent(new ClipPreviewActivateEvent());
    void this.begin();
  }

  protected override get name(): string {
    return this.label || this.text('preview-label', 'Clip preview');
  }

  protected override address(): string {
    // Plain ones need no second look, and a page may have a thousand of them.
    if (this.poster && !/^(https:\/)?\/\w/.test(this.poster)) safeUrl(this.poster, 'poster');
    return clipUrl(this, 'playerUrl');
  }

  protected override navigate(frame: HTMLIFrameElement): void {
    frame.src = this.address();
  }

  protected override loaded(): void {
    this.tell(new ClipPreviewReadyEvent());
  }

  protected override failed(error: ClipError): void {
    this.tell(new ClipPreviewErrorEvent(error));
  }

  #warm(): void {
    warm(this.address());
  }

  protected override render(): TemplateResult {
    const { status, error } = this;
    const poster = this.poster || nothing;
    if (error) {
      return this.problem(
        error,
        () => void this.begin(),
        !/^(missing|invalid)/.test(error.code) &&
          html`<a part="open" class="plain" href=${this.address()} target="_blank" rel="noopener"
            >${this.text('open', 'Open in a new tab')}</a
          >`,
      );
    }
    if (status === 'idle' && this.loading === 'click') {
      return html`<button
        part="play"
        class="cover"
        aria-label=${this.text('play', 'Play: {0}', this.name)}
        @click=${this.activate}
        @pointerenter=${this.#warm}
        @focus=${this.#warm}
      >
        <slot name="poster"><img part="poster" src=${poster} alt="" loading="lazy" /></slot
        ><span part="symbol"
          ><slot name="play"
            ><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 4.5v15l13-7.5z" /></svg></slot
        ></span>
      </button>`;
    }
    return html`${
      status === 'ready'
        ? nothing
        : html`<slot name="poster"><img part="poster" src=${poster} alt="" loading="lazy" /></slot
            >${status === 'loading' ? html`<slot name="loading"><i part="spinner"></i></slot>` : nothing}`
    }${this.frame}`;
  }
}
