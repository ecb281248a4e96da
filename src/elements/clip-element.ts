import { type CSSResult, LitElement } from 'lit';

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

  /** Another document has the element, without its style sheets. */
  adoptedCallback(): void {
    adoptStyles(this);
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    // The server may have sent a declarative shadow root, which is drawn again.
    this.shadowRoot?.replaceChildren();
    return super.createRenderRoot();
  }
}

/** The styles of elements beside those of their classes. */
const addedStyles = new WeakMap<LitElement, Set<CSSResult>>();

/** Sets the style sheets of an element: a document takes only those that its window has made. */
function adoptStyles(element: LitElement): void {
  const root = element.shadowRoot;
  const view = element.ownerDocument.defaultView as (Window & typeof globalThis) | null;
  if (!root || !view) return;
  const { elementStyles } = element.constructor as typeof LitElement;
  const styles = [...(elementStyles as CSSResult[]), ...(addedStyles.get(element) ?? [])];
  root.adoptedStyleSheets = styles.flatMap(({ styleSheet, cssText }) => {
    if (!styleSheet || view === window) return styleSheet ?? [];
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(cssText);
    return sheet;
  });
}

/** Adds styles to an element, once. */
export function addStyles(element: LitElement, styles: CSSResult): void {
  const added = addedStyles.get(element) ?? new Set();
  if (added.has(styles)) return;
  addedStyles.set(element, added.add(styles));
  adoptStyles(element);
}

export function removeStyles(element: LitElement, styles: CSSResult): void {
  if (addedStyles.get(element)?.delete(styles)) adoptStyles(element);
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
 * Returns the page's nodes in these slots of an element, and draws it again when they change.
 * Most elements have nothing in them, and drawing the slots would cost them a sixth of their time.
 */
export function listSlotted(element: LitElement, ...names: readonly string[]): Element[] {
  if (!isDrawn(element)) {
    observed.add(element);
    observer ??= new MutationObserver(redraw);
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['slot'] });
  }
  if (!element.firstElementChild) return [];
  return [...element.children].filter(({ slot }) => names.includes(slot));
}
