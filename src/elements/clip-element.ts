import type { ClipError } from '../client/clip-error.ts';
import type { Messages } from '../locales/messages.ts';
import { onTexts, text } from '../locales/registry.ts';
import { ReactiveElement } from './reactive-element.ts';
import { closest, follow, refollow, textProperty, unfollow } from './settings.ts';

onTexts(refollow);

/**
 * Base of the elements that show something: connection, status and texts.
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
  static override properties: typeof ReactiveElement.properties = { project: textProperty };

  /** The clip's project id. */
  declare project: string | null;
  // Some stand-ins for a browser have none.
  readonly #states: CustomStateSet | undefined = this.attachInternals?.().states;

  /** Whether the element is in the document; a move within it changes nothing. */
  protected connected = false;
  /** Code of what has been missing for a task. */
  #missing: string | null = null;
  /** @internal The language of the texts (BCP 47), as of the last drawing. */
  language = 'en';

  /** Where the element is in its work; also a custom state. */
  abstract get status(): Status;
  /** Why the status is an error; null otherwise. */
  abstract get error(): ClipError | null;

  override connectedCallback(): void {
    super.connectedCallback();
    // A move within the document ends in the same task: what goes on, goes on.
    // But its settings and its language may be others there.
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

  /** Keeps a `moveBefore()` from counting as leaving. */
  connectedMoveCallback(): void {}

  protected override willUpdate(): void {
    this.language = closest(this, '[lang]')?.getAttribute('lang') || 'en';
  }

  /**
   * Whether to say nothing of the error yet: some frameworks set attributes and properties only after the element is
   * connected, so what is missing counts when it is still missing a task later.
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
        // Browsers from before 2024 take names with dashes alone; they show no states.
      }
    }
  }

  /** The custom states: the status, and what goes with it. */
  protected get states(): readonly string[] {
    return [this.status];
  }

  /** The element was moved within the document. */
  protected moved(): void {}

  /** The element has left the document: whatever was under way ends. */
  protected abstract left(): void;

  /** @internal A text in the element's language. */
  text(key: keyof Messages, english: string, value = ''): string {
    return text(this.language, key, english).replace('{0}', value);
  }
}
