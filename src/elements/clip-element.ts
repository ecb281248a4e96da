import { LitElement } from 'lit';

/**
 * Base class of the visible elements: what they do otherwise than Lit.
 *
 * @cssproperty [--clip-font=system-ui, sans-serif] - Font family.
 * @cssproperty [--clip-text=CanvasText] - Colour of text.
 * @cssproperty [--clip-muted] - Colour of notes.
 * @cssproperty [--clip-surface=Canvas] - Background of text that covers something.
 * @cssproperty [--clip-border] - Lines.
 * @cssproperty [--clip-danger] - Text of an error.
 * @cssproperty [--clip-focus=var(--clip-accent)] - Focus ring.
 */
export abstract class ClipElement extends LitElement {
  /** Without this, `moveBefore()` would disconnect the element. */
  connectedMoveCallback(): void {}

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    // The server may have sent a declarative shadow root, which is drawn again.
    this.shadowRoot?.replaceChildren();
    return super.createRenderRoot();
  }
}
