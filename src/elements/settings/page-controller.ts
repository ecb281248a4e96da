import type { LitElement, ReactiveController } from 'lit';
import { asClipError, type ClipError } from '../../client/clip-error.ts';
import type { Messages } from '../../locales/messages.ts';
import { onTexts, getText, getTextLanguage } from '../../locales/registry.ts';
import { follow, getLanguage, requestUpdates, unfollow } from './settings.ts';

onTexts(requestUpdates);

/**
 * The value with isolates (U+2068, U+2069) around it where it or the text is written from right to
 * left: otherwise a name such as `שלום.mp4` would change the order of the words around it.
 */
export const isolateText = (value: string, text: string): string =>
  /[\u0590-\u08ff]/.test(value + text) && /\p{L}/u.test(value) ? `\u2068${value}\u2069` : value;

interface Callbacks {
  /** Called after a move within the document. */
  readonly moved?: () => void;
  /** Called when the element has left the document: must end all its work. */
  readonly left: () => void;
}

/** An element's place in the page: whether it is there, and in which language. */
export class PageController implements ReactiveController {
  readonly #host: LitElement;
  readonly #callbacks: Callbacks;
  /** Whether the element is in the document; a move within it changes nothing. */
  connected = false;
  /** The language of the texts (BCP 47) when the element was last drawn. */
  language = 'en';
  /** The `missing-…` code that was found a task ago. */
  #missing: string | null = null;

  constructor(host: LitElement, callbacks: Callbacks) {
    this.#host = host;
    this.#callbacks = callbacks;
    host.addController(this);
  }

  hostConnected(): void {
    // Settings and language may differ at the new place.
    this.#host.requestUpdate();
    // A move within the document ends in the same task and interrupts nothing.
    if (this.connected) {
      this.#callbacks.moved?.();
      return;
    }
    this.connected = true;
    follow(this.#host);
  }

  hostDisconnected(): void {
    // Turbo puts a permanent element back after some microtasks.
    setTimeout(() => {
      if (this.#host.isConnected || !this.connected) return;
      this.connected = false;
      this.#missing = null;
      unfollow(this.#host);
      this.#callbacks.left();
      this.#host.requestUpdate();
    });
  }

  hostUpdate(): void {
    this.language = getLanguage(this.#host) || 'en';
  }

  /**
   * Reads settings as a text, which differs if they do, also if one of them is missing or wrong.
   * Null while to wait before that is shown: some frameworks set attributes and properties only
   * after the element is connected, so a setting is missing only if it still is a task later.
   */
  settings(read: () => string): { key: string; error: ClipError | null } | null {
    let error: ClipError | null = null;
    let key: string;
    try {
      key = read();
    } catch (cause) {
      error = asClipError(cause);
      key = error.code + error.message;
    }
    const missing = error?.code.startsWith('missing') ? error.code : null;
    if (!missing) this.#missing = null;
    if (missing === this.#missing) return { key, error };
    setTimeout(() => {
      this.#missing = this.connected ? missing : null;
      this.#host.requestUpdate();
    });
    return null;
  }

  /** A text in the element's language. */
  text(key: keyof Messages, english: string, value = ''): string {
    const found = getText(this.language, key, english);
    return found.replace('{0}', () => isolateText(value, found));
  }

  /** The language that the text of this key is in. */
  textLanguage(key: keyof Messages): string {
    return getTextLanguage(this.language, key);
  }

  /** Dispatches an event after the change that it is about is drawn. */
  dispatch(event: Event): void {
    void this.#host.updateComplete.then(() => {
      if (this.#host.isConnected) this.#host.dispatchEvent(event);
    });
  }
}
