import type { ClipError } from '../client/clip-error.ts';
import type { Messages } from '../locales/messages.ts';
import { onTexts, text } from '../locales/registry.ts';
import { ReactiveElement } from './reactive-element.ts';
import { closest, follow, refollow, textProperty, unfollow } from './settings.ts';

onTexts(refollow);

/**
 * Base class of the visible elements: connection, status and texts.
 *
 * @cssproperty [--clip-font=system-ui, sans-serif] - Font family.
 * @cssproperty [--clip-text=CanvasText] - Colour of text.
 * @cssproperty [--clip-muted] - Colour of notes.
 * @cssproperty [--clip-surface=Canvas] - Background of text that covers something.
 * @cssproperty [--clip-border] - Lines.
 * @cssproperty [--clip-danger] - Text of an error.
 * @cssproperty [--clip-focus=var(--clip-accent)] - Focus ring.
 */
export abstract class ClipElement<Status extends string> extends ReactiveElement {
  static override properties: typeof ReactiveElement.properties = { project: textProperty };

  /** The clip's project id. */
  declare project: string | null;
  // Browser substitutes such as jsdom may lack custom states.
  readonly #states: CustomStateSet | undefined = this.attachInternals?.().states;

  /** Whether the element is in the document; a move within it changes nothing. */
  protected connected = false;
  /** The `missing-…` code that was found a task ago. */
  #missing: string | null = null;
  /** @internal The language of the texts (BCP 47) when the element was last drawn. */
  language = 'en';

  /** The state of the element; also a custom state. */
  abstract get status(): Status;
  /** Why the status is an error; otherwise null. */
  abstract get error(): ClipError | null;

  override connectedCallback(): void {
    super.connectedCallback();
    // A move within the document ends in the same task and interrupts nothing. But settings and
    // language may differ at the new place.
    this.requestUpdate();
    if (this.connected) {
      this.moved();
      return;
    }
    this.connected = true;
    follow(this);
  }

  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected || !this.connected) return;
      this.connected = false;
      this.#missing = null;
      unfollow(this);
      this.left();
    });
  }

  /** Without this, `moveBefore()` would disconnect the element. */
  connectedMoveCallback(): void {}

  protected override willUpdate(): void {
    this.language = closest(this, '[lang]')?.getAttribute('lang') || 'en';
  }

  /**
   * Whether to wait before the error is shown. Some frameworks set attributes and properties only
   * after the element is connected, so a setting is missing only if it still is a task later.
   */
  protected mayPass(error: ClipError | null): boolean {
    const missing = error?.code.startsWith('missing') ? error.code : null;
    if (!missing) this.#missing = null;
    if (missing === this.#missing) return false;
    setTimeout(() => {
      this.#missing = this.connected ? missing : null;
      this.requestUpdate();
    });
    return true;
  }

  protected override updated(): void {
    const states = this.#states;
    if (!states) return;
    states.clear();
    for (const state of this.states) {
      try {
        states.add(state);
      } catch {
        // Browsers before 2024 accept only names that start with `--`.
      }
    }
  }

  /** The custom states: the status, and others that go with it. */
  protected get states(): readonly string[] {
    return [this.status];
  }

  /** Called after a move within the document. */
  protected moved(): void {}

  /** Called when the element has left the document: must end all its work. */
  protected abstract left(): void;

  /** @internal A text in the element's language. */
  text(key: keyof Messages, english: string, value = ''): string {
    return text(this.language, key, english).replace('{0}', () => value);
  }
}
