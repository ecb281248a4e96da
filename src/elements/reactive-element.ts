import { newSheet } from './css.ts';

/** A property of an element, and its attribute. */
export interface Property {
  /** Name of its attribute; false for none. By default the property's name in kebab case. */
  readonly attribute?: string | false;
  /** Converts the attribute's text (null without attribute) to a value. By default the text. */
  readonly from?: (text: string | null) => unknown;
  /** False: setting the property does not change the attribute, as for secrets and objects. */
  readonly reflect?: false;
}

/** Created once for each class: its style sheet, and its properties by attribute. */
interface Made {
  readonly attributes: Map<string, readonly [name: string, property: Property]>;
  sheets?: CSSStyleSheet[];
}

/** The default name of a property's attribute: `watermark-src` for `watermarkSrc`. */
export const attributeOf = (property: string): string =>
  property.replace(/[A-Z]/g, '-$&').toLowerCase();

export const numberFrom = (text: string | null): number | null =>
  text === null ? null : Number(text);

const made = new Map<unknown, Made>();

// Node has no such class, but must be able to import every entry.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * A custom element that draws once for all changes of a task: the features of `LitElement` that the
 * kit uses, with the same names. Decision 6 lists them. As in HTML, a property with an attribute is
 * read from it and written to it.
 */
export abstract class ReactiveElement extends Base {
  static properties: Readonly<Record<string, Property>> = {};
  /** CSS texts. */
  static styles: readonly string[] = [];
  static delegatesFocus = false;

  /** Elements to draw at the end of the present task. */
  static readonly #waiting = new Set<ReactiveElement>();

  /** Values that are not in an attribute. */
  #values: Record<string, unknown> | null = null;
  /** Properties that were set before the element was upgraded. */
  #early: Record<string, unknown> | null = null;
  #root: ShadowRoot | null = null;

  /** Read once, when the class is registered; defines the properties' accessors. */
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
    // The server may have sent a declarative shadow root.
    this.#root = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus });
    const own = made.get(this.constructor)!;
    own.sheets ??= [newSheet(styles.join(''))];
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

  /** Draws the element after the present task. */
  requestUpdate(): void {
    if (!this.#root) return;
    const waiting = ReactiveElement.#waiting;
    if (!waiting.size) queueMicrotask(ReactiveElement.#drawWaiting);
    waiting.add(this);
  }

  /** Resolves when the changes so far are drawn. */
  get updateComplete(): Promise<boolean> {
    return Promise.resolve().then(() => !this.isUpdatePending);
  }

  protected get isUpdatePending(): boolean {
    return ReactiveElement.#waiting.has(this);
  }

  /** Called before drawing. Changes that are made here are drawn too. */
  protected willUpdate(): void {}

  /** Called after drawing. */
  protected updated(): void {}

  /** Draws into the shadow root. */
  protected abstract draw(root: ShadowRoot): void;

  static readonly #drawWaiting = (): void => {
    // Includes elements that are added during the loop.
    for (const element of ReactiveElement.#waiting) {
      // An element that throws must not keep the others from being drawn.
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
