import type { ClipError } from '../client/clip-error.ts';
import type { Messages } from '../locales/messages.ts';
import { onTexts, text } from '../locales/registry.ts';
import { ReactiveElement } from './reactive-element.ts';
import { closest, follow, refollow, settingProperties, plainText, unfollow } from './settings.ts';

onTexts(refollow);

/**
 * Base of the elements that show something: connection, status, settings and texts.
 *
 * @cssproperty [--clip-font=system-ui, sans-serif] - Its typeface.
 * @cssproperty [--clip-text=CanvasText] - Colour of text.
 * @cssproperty [--clip-muted] - Colour of notes.
 * @cssproperty [--clip-surface=Canvas] - What is behind text that lies over something.
 * @cssproperty [--clip-border] - Lines.
 * @cssproperty [--clip-danger] - Text of an error.
 * @cssproperty [--clip-focus=var(--clip-accent)] - Focus ring.
 */
export abstract class ClipElement<Status extends string> extends ReactiveElement {
  static override properties = {
    ...settingProperties,
    project: { from: plainText },
  };

  /** The clip's project id. */
  declare project: string | null;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  declare endpoint: string | null;
  /** Where the embed pages are. Default as for `endpoint`. */
  declare appUrl: string | null;
  /** Where the preview pages are. Default as for `endpoint`. */
  declare playerUrl: string | null;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  declare credentials: RequestCredentials | null;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  declare csrfHeader: string | null;
  /** The page's token against cross-site requests. */
  declare csrfToken: string | null;
  /** Where a fresh token against cross-site requests is fetched once when one is refused. */
  declare csrfUrl: string | null;

  readonly #internals: ElementInternals | undefined = this.attachInternals?.();
  #connection: AbortController | null = null;
  #states: readonly string[] = [];

  /** Where the element is in its work; also a custom state. */
  abstract get status(): Status;
  /** Why the status is an error; null otherwise. */
  abstract get error(): ClipError | null;

  override connectedCallback(): void {
    super.connectedCallback();
    // A move within the document ends in the same task: its connection goes on.
    if (this.#connection) {
      this.moved();
      return;
    }
    this.#connection = new AbortController();
    follow(this);
    this.requestUpdate();
  }

  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected || !this.#connection) return;
      this.#connection.abort();
      unfollow(this);
      this.#connection = null;
      this.left();
    });
  }

  /** Keeps a `moveBefore()` from counting as leaving. */
  connectedMoveCallback(): void {}

  protected override updated(): void {
    this.#showStates();
  }

  /** Ends when the element has left the document; null while it is out of it. */
  protected get connection(): AbortSignal | null {
    return this.#connection?.signal ?? null;
  }

  /** The element was moved within the document. */
  protected moved(): void {}

  /** The element has left the document. */
  protected left(): void {}

  /** Further custom states beside the status. */
  protected get flags(): readonly string[] {
    return [];
  }

  protected get language(): string {
    // On a server there is no tree to look in.
    return (this.connection && closest(this, '[lang]')?.getAttribute('lang')) || 'en';
  }

  protected text(key: keyof Messages, english: string, value = ''): string {
    return text(this.language, key, english).replace('{0}', value);
  }

  #showStates(): void {
    const states = this.#internals?.states;
    const next = [this.status, ...this.flags];
    if (!states || next.join() === this.#states.join()) return;
    for (const old of this.#states) {
      states.delete(old);
      states.delete(`--${old}`);
    }
    for (const state of next) {
      try {
        states.add(state);
      } catch {
        // Older browsers take dashed names alone.
        states.add(`--${state}`);
      }
    }
    this.#states = next;
  }
}
