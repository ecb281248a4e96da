/** A property of an element, and the attribute that goes with it. */
export interface Property {
  /** Name of its attribute; false: none. By default the property's name in kebab case. */
  readonly attribute?: string | false;
  /** Turns the attribute's text into the property's value; null if there is no attribute. By default the text itself. */
  readonly from?: (text: string | null) => unknown;
  /** False: what is set as a property does not become the attribute, as for secrets and objects. */
  readonly reflect?: false;
}

/** What is made once for a class: its style sheet, and its properties by attribute. */
interface Made {
  readonly attributes: Map<string, readonly [name: string, property: Property]>;
  sheets?: CSSStyleSheet[];
}

/** The usual name of a property's attribute: `watermarkSrc` is `watermark-src`. */
export const attributeOf = (property: string): string =>
  property.replace(/[A-Z]/g, '-$&').toLowerCase();

export const numberFrom = (text: string | null): number | null =>
  text === null ? null : Number(text);

const made = new Map<unknown, Made>();

// Plain Node has no such class, and may import every entry.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * A custom element that draws its shadow root once for all changes of a task. The few features of `LitElement` that the
 * kit uses, under the same names: what the rest of it costs stands in decision 6. As in HTML, a property that has an
 * attribute is read from it and written to it.
 */
export abstract class ReactiveElement extends Base {
  static properties: Readonly<Record<string, Property>> = {};
  /** Style sheets, as texts. */
  static styles: readonly string[] = [];
  static delegatesFocus = false;

  /** What is to be drawn at the end of the present task. */
  static readonly #waiting = new Set<ReactiveElement>();

  /** Values that no attribute holds. */
  #values: Record<string, unknown> | null = null;
  /** What was set on the element before it was one of this class. */
  #early: Record<string, unknown> | null = null;
  #root: ShadowRoot | null = null;

  /** Asked for once, when the class is registered; makes the properties' accessors. */
  static get observedAttributes(): string[] {
    let own = made.get(this);
    if (!own) {
      made.set(this, (own = { attributes: new Map() }));
      for (const [name, property] of Object.entries(this.properties)) {
        const { attribute = attributeOf(name), reflect, from = (text) => text } = property;
        if (attribute) own.attributes.set(attribute, [name, property]);
        if (name in this.prototype) continue;
        const attributed = attribute && reflect !== false;
        Object.defineProperty(this.prototype, name, {
          enumerable: true,
          get(this: ReactiveElement) {
            return attributed ? from(this.getAttribute(attribute)) : this.#values?.[name];
          },
          set(this: ReactiveElement, value: unknown) {
            if (!attributed) {
              if (Object.is(value, this.#values?.[name])) return;
              (this.#values ??= {})[name] = value;
              this.requestUpdate();
            } else if (value == null || value === false) this.removeAttribute(attribute);
            else this.setAttribute(attribute, value === true ? '' : `${value}`);
          },
        });
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
    if (!own.sheets) {
      own.sheets = [new CSSStyleSheet()];
      own.sheets[0]!.replaceSync(styles.join(''));
    }
    this.#root.adoptedStyleSheets = own.sheets;
    Object.assign(this, this.#early);
    this.requestUpdate();
  }

  attributeChangedCallback(attribute: string, old: string | null, text: string | null): void {
    if (text === old) return;
    const [name, { from, reflect }] = made.get(this.constructor)!.attributes.get(attribute)!;
    if (reflect !== false) this.requestUpdate();
    else (this as unknown as Record<string, unknown>)[name] = from ? from(text) : text;
  }

  /** Draws again, after the present task. */
  requestUpdate(): void {
    if (!this.#root) return;
    const waiting = ReactiveElement.#waiting;
    if (!waiting.size) queueMicrotask(ReactiveElement.#drawWaiting);
    waiting.add(this);
  }

  /** Resolves when what was changed so far is drawn. */
  get updateComplete(): Promise<boolean> {
    return Promise.resolve().then(() => !this.isUpdatePending);
  }

  protected get isUpdatePending(): boolean {
    return ReactiveElement.#waiting.has(this);
  }

  /** Before drawing: what is changed here is drawn with it. */
  protected willUpdate(): void {}

  /** After drawing. */
  protected updated(): void {}

  /** Draws into the shadow root. */
  protected abstract draw(root: ShadowRoot): void;

  static readonly #drawWaiting = (): void => {
    // Also those that are added in the meantime.
    for (const element of ReactiveElement.#waiting) {
      // One that throws keeps none of the others from being drawn.
      try {
        element.#draw();
      } catch (error) {
        void Promise.reject(error);
      }
    }
  };

  #draw(): void {
    try {
      this.willUpdate();
      this.draw(this.#root!);
    } finally {
      ReactiveElement.#waiting.delete(this);
    }
    this.updated();
  }
}
