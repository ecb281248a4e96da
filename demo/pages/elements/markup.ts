/** An element as data. The live element and the markup to copy are made from the same data. */
export interface Markup {
  readonly tag: string;
  readonly attributes?: Readonly<Record<string, string | true | null>>;
  readonly children?: readonly (Markup | string)[];
}

const listAttributes = ({ attributes = {} }: Markup): [string, string | true][] =>
  Object.entries(attributes).filter((pair): pair is [string, string | true] => pair[1] !== null);

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Tags without an end tag. */
const isVoid = (tag: string): boolean => tag === 'img';

/** The markup in a readable form: short tags on one line, others with one attribute per line. */
export function writeMarkup(markup: Markup, indent = ''): string {
  const { tag, children = [] } = markup;
  const attributes = listAttributes(markup).map(([name, value]) =>
    value === true ? name : `${name}="${escapeText(value)}"`,
  );
  const line = [tag, ...attributes].join(' ');
  const open =
    line.length + indent.length < 52 || attributes.length < 2
      ? `${indent}<${line}>`
      : `${indent}<${tag}\n${attributes.map((one) => `${indent}  ${one}`).join('\n')}\n${indent}>`;
  if (!children.length) return isVoid(tag) ? open : `${open}</${tag}>`;
  if (children.every((child) => typeof child === 'string')) {
    return `${open}${escapeText(children.join(''))}</${tag}>`;
  }
  const inner = children.map((child) =>
    typeof child === 'string'
      ? `${indent}  ${escapeText(child)}`
      : writeMarkup(child, `${indent}  `),
  );
  return `${open}\n${inner.join('\n')}\n${indent}</${tag}>`;
}

/** The element itself. */
export function buildMarkup(markup: Markup): HTMLElement {
  const element = document.createElement(markup.tag);
  for (const [name, value] of listAttributes(markup)) {
    element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of markup.children ?? []) {
    element.append(typeof child === 'string' ? child : buildMarkup(child));
  }
  return element;
}
