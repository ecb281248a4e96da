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
