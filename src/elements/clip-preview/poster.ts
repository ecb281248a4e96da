import type { LitElement } from 'lit';
import { checkUrl } from '../settings/settings.ts';

/** The poster, if it may be loaded: a clip plays without one. */
function checkPoster(poster: string | null): string | null {
  try {
    // Most need no parsing, and a page may have a thousand of them.
    if (poster && !/^(https:\/)?\/\w/.test(poster)) checkUrl(poster, 'poster');
    return poster || null;
  } catch {
    return null;
  }
}

const template = globalThis.document?.createElement('img');
if (template) {
  template.part = 'poster';
  template.alt = '';
  template.loading = 'lazy';
  // Chromium draws a frame around an image without an address.
  template.hidden = true;
}

/** The poster image of a preview: hidden while it cannot be loaded, and tried again. */
export class Poster {
  readonly #host: LitElement;
  /** Created when it is drawn first, and kept until the clip plays. */
  #image: HTMLImageElement | null = null;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(host: LitElement) {
    this.#host = host;
  }

  get isShown(): boolean {
    const image = this.#image;
    return !!image?.isConnected && !!image.src && image.complete && !image.hidden;
  }

  /** The image, with this address. */
  draw(poster: string | null): HTMLImageElement {
    let image = this.#image;
    if (!image) {
      // Copying is faster than making.
      image = this.#image = template.cloneNode() as HTMLImageElement;
      image.addEventListener('load', this);
      image.addEventListener('error', this);
    }
    const src = checkPoster(poster);
    if (src !== image.getAttribute('src')) {
      clearTimeout(this.#retry);
      this.#failures = 0;
      image.hidden = !src;
      if (src) image.src = src;
      else image.removeAttribute('src');
    }
    return image;
  }

  end(): void {
    clearTimeout(this.#retry);
    this.#image = null;
  }

  /** Hides a broken image and tries again: a new clip may not have its poster yet. */
  handleEvent({ type, currentTarget }: Event): void {
    const image = this.#image;
    // It may load after it was removed. In Firefox the error of an address may come after the image
    // got another one, which is still loading, or none.
    if (!image?.src || image !== currentTarget || !image.complete) return;
    image.hidden = type === 'error';
    this.#host.requestUpdate();
    if (!image.hidden) return;
    this.#retry = setTimeout(
      () => {
        // A hidden image is never near the viewport, so it would not load lazily.
        image.loading = 'eager';
        // WebKit does not load the same address again.
        const src = image.getAttribute('src')!;
        image.removeAttribute('src');
        image.src = src;
      },
      // From seconds to minutes, and not for all posters of a page at once.
      Math.min(2000 * 2 ** this.#failures++, 300_000) * (0.5 + Math.random() / 2),
    );
  }
}
