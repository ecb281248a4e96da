import { css, LitElement } from 'lit';

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

/** Sets the custom states of an element each time it is drawn. */
export function showStates(host: LitElement, names: () => readonly unknown[]): void {
  // Browser substitutes such as jsdom may lack custom states.
  const states = host.attachInternals?.().states as CustomStateSet | undefined;
  if (!states) return;
  host.addController({
    hostUpdated() {
      states.clear();
      for (const name of names()) {
        try {
          if (name) states.add(name as string);
        } catch {
          // Browsers before 2024 accept only names that start with `--`.
        }
      }
    },
  });
}

/** One for all elements of the page. */
let observer: MutationObserver | undefined;
const observed = new WeakSet<LitElement>();

const isDrawn = (node: Node | null): node is LitElement => observed.has(node as LitElement);

function redraw(records: readonly MutationRecord[]): void {
  for (const { target } of records) {
    for (const node of [target, target.parentNode]) if (isDrawn(node)) node.requestUpdate();
  }
}

/**
 * What the page has put into these slots of an element, which is drawn again when that changes.
 * Most elements have nothing in them, and drawing the slots would cost them a sixth of their time.
 */
export function slotted(element: LitElement, ...names: readonly string[]): Element[] {
  if (!isDrawn(element)) {
    observed.add(element);
    observer ??= new MutationObserver(redraw);
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['slot'] });
  }
  if (!element.firstElementChild) return [];
  return [...element.children].filter(({ slot }) => names.includes(slot));
}

/** Shared by all elements. System colours follow `color-scheme` and forced colours. */
export const baseStyles = css`
  :host {
    --_accent: var(--clip-accent, #4f46e5);
    --_text: var(--clip-text, CanvasText);
    --_surface: var(--clip-surface, Canvas);
    --_line: var(--clip-border, color-mix(in srgb, CanvasText 16%, Canvas));
    position: relative;
    box-sizing: border-box;
    font: 500 0.9375rem/1.4 var(--clip-font, system-ui, sans-serif);
    color: var(--_text);
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  button,
  a {
    font: inherit;
    color: inherit;
    cursor: pointer;
  }
  :focus-visible {
    outline: 3px solid var(--clip-focus, var(--_accent));
    outline-offset: 2px;
  }
  .plain {
    min-height: 2.25rem;
    padding: 0.375rem 0.875rem;
    border: 1px solid var(--_line);
    border-radius: 999px;
    background: none;
    text-decoration: none;
  }
  .plain:hover {
    border-color: currentcolor;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
      animation-duration: 5s !important;
    }
  }
`;

/** For content that only screen readers present. */
export const visuallyHiddenStyles = css`
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
