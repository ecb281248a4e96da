import { defaultConverter, type LitElement, type PropertyDeclarations } from 'lit';

/** A property whose value is its attribute's. */
export interface AttributeProperty {
  /** Name of the attribute. By default the property's name in kebab case. */
  readonly attribute?: string;
  /** Converts the attribute's text (null without attribute) to the value. By default the text. */
  readonly from?: (text: string | null) => unknown;
  /** Converts a value to the attribute's text. */
  readonly to?: (value: unknown) => string;
}

/** Server rendering of some frameworks writes objects as `[object Object]`: no value. */
export const readPlainText = (value: string | null): string | null =>
  value === '[object Object]' ? null : value;

export const textProperty: AttributeProperty = { from: readPlainText };

/** Whether the attribute is present, as in HTML; but not for `false`, which Vue writes. */
export const isOn = (text: string | null): boolean => text !== null && text !== 'false';

export const flagProperty: AttributeProperty = { from: isOn };

export const numberProperty: AttributeProperty = {
  from: (text) => defaultConverter.fromAttribute!(text, Number),
};

/** The default name of a property's attribute: `watermark-src` for `watermarkSrc`. */
export const nameAttribute = (property: string): string =>
  property.replace(/[A-Z]/g, '-$&').toLowerCase();

/**
 * Defines properties that are stored in their attributes, as most properties of HTML's own
 * elements are: each can be read as soon as it is set, has its default without work in a
 * constructor, and matches a selector at once. Lit's `reflect` writes them only at the next update.
 *
 * @example
 *   static override properties = attributeProperties(this, { project: textProperty });
 */
export function defineAttributeProperties(
  element: { readonly prototype: LitElement },
  declarations: Readonly<Record<string, AttributeProperty>>,
): PropertyDeclarations {
  return Object.fromEntries(
    Object.entries(declarations).map(
      ([
        name,
        { attribute = nameAttribute(name), from = (text: string | null) => text, to = String },
      ]) => {
        Object.defineProperty(element.prototype, name, {
          configurable: true,
          enumerable: true,
          get(this: LitElement) {
            return from(this.getAttribute(attribute));
          },
          // Lit also calls this when the attribute has changed.
          set(this: LitElement, value: unknown) {
            const text = value === true ? '' : to(value);
            if (value == null || value === false) this.removeAttribute(attribute);
            else if (this.getAttribute(attribute) !== text) this.setAttribute(attribute, text);
            this.requestUpdate();
          },
        });
        return [name, { attribute, noAccessor: true }];
      },
    ),
  );
}
