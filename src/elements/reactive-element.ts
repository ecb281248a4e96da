import { render, type TemplateResult } from 'lit/html.js';

/** How a property is set by an attribute. */
export interface Property {
  /** False: no attribute sets it. */
  readonly attribute?: false;
  /** Turns the attribute's text into the property's value; null when it is removed. By default the text itself. */
  readonly from?: (text: string | null) => unknown;
}

/** What is made once for a class: its style sheet, and its properties by attribute. */
interface Made {
  readonly attributes: Map<string, readonly [name: string, from: Property['from']]>;
  sheet?: CSSStyleSheet;
}

/** The name of a property's attribute: `watermarkSrc` is `watermark-src`. */
export const attributeOf = (property: string): string =>
  property.replace(/[A-Z]/g, '-$&').toLowerCase();

export const numberFrom = (text: string | null): number | null =>
  text === null ? null : Number(text);

const made = new Map<unknown, Made>();

// Plain Node has no such class, and may import every entry.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * A custom element that draws its shadow root with lit-html, once for all changes of a task. The few features of
 * `LitElement` that the kit uses, under the same names: what the rest of it costs stands in decision 6.
 */
export abstract class ReactiveElement extends Base {
  static properties: Readonly<Record<string, Property>> = {};
  /** Style sheets, as texts. */
  static styles: readonly string[] = [];
  static delegatesFocus = false;

  readonly #values: Record<string, unknown> = {};
  /** What was set on the element before it was one of this class. */
  #early: Record<string, unknown> | null = null;
  #root: ShadowRoot | null = null;
  #pending = false;
  #done: Promise<void> = Promise.resolve();

  /** Asked for once, when the class is registered; makes the properties' accessors. */
  static get observedAttributes(): string[] {
    let own = made.get(this);
    if (!own) {
      made.set(this, (own = { attributes: new Map() }));
      for (const [name, { attribute = true, from }] of Object.entries(this.properties)) {
        if (attribute) own.attributes.set(attributeOf(name), [name, from]);
        if (!(name in this.prototype)) {
          Object.defineProperty(this.prototype, name, {
            enumerable: true,
            get(this: ReactiveElement) {
              return this.#values[name];
            },
            set(this: ReactiveElement, value: unknown) {
              if (Object.is(value, this.#values[name])) return;
              this.#values[name] = value;
              this.requestUpdate();
            },
          });
        }
      }
    }
    return [...own.attributes.keys()];
  }

  constructor() {
    super();
    const self = this as unknown as Record<string, unknown>;
    const { properties } = this.constructor as typeof ReactiveElement;
    for (const name of Object.keys(this)) {
      if (!(name in properties)) continue;
      (this.#early ??= {})[name] = self[name];
      delete self[name];
    }
  }

  connectedCallback(): void {
    if (this.#root) return;
    const { styles, delegatesFocus } = this.constructor as typeof ReactiveElement;
    // A root is there already where the server sent one.
    this.#root = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus });
    const own = made.get(this.constructor)!;
    if (!own.sheet) {
      own.sheet = new CSSStyleSheet();
      own.sheet.replaceSync(styles.join(''));
    }
    this.#root.adoptedStyleSheets.push(own.sheet);
    Object.assign(this, this.#early);
    this.requestUpdate();
  }

  attributeChangedCallback(attribute: string, _old: string | null, text: string | null): void {
    const [name, from] = made.get(this.constructor)!.attributes.get(attribute)!;
    (this as unknown as Record<string, unknown>)[name] = from ? from(text) : text;
  }

  /** Draws anew, after the present task. */
  requestUpdate(): void {
    if (!this.#root || this.#pending) return;
    this.#pending = true;
    this.#done = this.#update(this.#root);
  }

  /** Resolves when what was changed so far is drawn. */
  get updateComplete(): Promise<boolean> {
    return this.#done.then(() => !this.#pending);
  }

  protected get isUpdatePending(): boolean {
    return this.#pending;
  }

  /** Before drawing: what is changed here is drawn with it. */
  protected willUpdate(): void {}

  /** After drawing. */
  protected updated(): void {}

  protected abstract render(): TemplateResult;

  async #update(root: ShadowRoot): Promise<void> {
    await null;
    try {
      this.willUpdate();
      render(this.render(), root, { host: this });
    } finally {
      this.#pending = false;
    }
    this.updated();
  }
}
