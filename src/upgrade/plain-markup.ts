import { settingNames } from './page-config.ts';
import { makeClipUrl } from '../elements/settings/clip-url.ts';

export const tags = [
  ...(['clip-preview', 'clip-embed', 'clip-export-button'] as const),
  ...(['clip-feed', 'clip-list', 'clip-export-many', 'clip-create', 'clip-videos'] as const),
];
type Tag = (typeof tags)[number];

/** The attribute that the markup's own value sets, if it is not the id of a clip. */
const valueNames: Partial<Record<Tag, string>> = {
  'clip-feed': 'folder',
  'clip-list': 'folder',
  'clip-create': 'for',
  'clip-export-many': 'for',
  'clip-videos': 'for',
};

const prefix = 'data-clip-';
const selector = tags.map((tag) => `[data-${tag}]`).join();

/**
 * Attributes that only the site itself may set, because the content of a page may come from people
 * who may not write a frame or a script: where requests and tokens go, and what a frame may do.
 */
const ofSite = new Set([
  ...settingNames.keys(),
  ...['token', 'allow', 'sandbox', 'referrerpolicy', 'presets-url'],
]);

/** The attributes of an element that its plain markup may set, each with its prefix. */
export const listOptions = (tag: Tag): string[] =>
  (customElements.get(tag) as unknown as { observedAttributes: string[] }).observedAttributes
    .filter((name) => !ofSite.has(name))
    .map((name) => prefix + name);

const isLink = (source: Element): source is HTMLAnchorElement => source.localName === 'a';

/** An ancestor may be editable although this one is not, as around a widget of an editor. */
const isEditable = (source: HTMLElement): boolean =>
  source.isContentEditable || !!source.closest('[contenteditable]:not([contenteditable="false"])');

/** The element that it has become. Looked up, because pages are copied and restored (Turbo). */
const findUpgraded = (source: Element, tag: Tag): Element | undefined =>
  isLink(source)
    ? [source.parentElement!].find((parent) => parent?.localName === tag)
    : [...source.children].find(({ localName }) => localName === tag);

/** The element's attributes. Throws for an unknown option: it may be a misspelt watermark. */
function readAttributes(source: Element, tag: Tag): Map<string, string> {
  const options = listOptions(tag);
  const attributes = new Map<string, string>();
  const idName = valueNames[tag] ?? 'project';
  for (const { name, value } of source.attributes) {
    if (name === `data-${tag}`) {
      if (value) attributes.set(idName, value);
    } else if (options.includes(name)) attributes.set(name.slice(prefix.length), value);
    else if (name.startsWith(prefix)) throw new Error(`${name} cannot be set here.`);
  }
  if (isLink(source)) {
    if (!attributes.has(idName)) attributes.set(idName, readLinkedId(source));
    const text = source.textContent.trim();
    if (text && options.includes(`${prefix}label`) && !attributes.has('label')) {
      attributes.set('label', text);
    }
  }
  return attributes;
}

/** The error of an element that is in the console. */
const reported = new WeakMap<Element, string>();

function report(source: Element, error: unknown): void {
  const { message } = error as Error;
  // Settings may still come while the page loads.
  if (document.readyState !== 'complete' || reported.get(source) === message) return;
  reported.set(source, message);
  console.error('clip-kit: this cannot become an element:', message, source);
}

/**
 * Makes the element of plain markup, or updates it. The markup stays: an element is put around a
 * link, and into any other element, with its content. Invalid markup stays as it is.
 */
function upgrade(source: HTMLElement, tag: Tag): void {
  if (!customElements.get(tag) || isEditable(source)) return;
  try {
    const attributes = readAttributes(source, tag);
    const present = findUpgraded(source, tag);
    const element = present ?? document.createElement(tag);
    for (const [name, value] of attributes) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
    if (present) return;
    if (!isLink(source)) {
      element.append(...source.childNodes);
      source.append(element);
      return;
    }
    source.replaceWith(element);
    element.append(source);
    if (tag === 'clip-export-button') {
      // A link cannot be a button's label, but its text can.
      source.slot = 'fallback';
      element.append(source.textContent.trim());
    }
  } catch (error) {
    // An existing element shows what is wrong.
    if (!findUpgraded(source, tag)) report(source, error);
  }
}

/** Whether the site wants previews of links to clips. In the head, which the site writes. */
const isUpgradingLinks = (): boolean =>
  !!document.head?.querySelector('meta[name="clip-links"][content="clip-preview"]');

/** Whether this is a link to a clip, without a mark, and all that its paragraph has. */
function isPlainLink(source: Element): boolean {
  if (!isLink(source) || !isUpgradingLinks() || source.closest(tags.join())) return false;
  if (source.parentElement?.textContent.trim() !== source.textContent.trim()) return false;
  try {
    return !!readLinkedId(source);
  } catch {
    return false;
  }
}

/** The kinds of elements that an element wants to become. */
function listTags(source: Element): readonly Tag[] {
  const marked = tags.filter((tag) => source.hasAttribute(`data-${tag}`));
  return marked.length === 0 && isPlainLink(source) ? ['clip-preview'] : marked;
}

/** Removes an attribute from the element that was removed from its markup. */
export function removeOption(source: Element, name: string): void {
  for (const tag of listTags(source)) {
    findUpgraded(source, tag)?.removeAttribute(name.slice(prefix.length));
  }
}

/** Upgrades an element if it is marked. */
export function upgradeMarked(source: Node): void {
  if (source instanceof HTMLElement) for (const tag of listTags(source)) upgrade(source, tag);
}

/** Upgrades all markup in a tree. */
export function upgradeTree(root: Node): void {
  upgradeMarked(root);
  if ('querySelectorAll' in root) {
    const links = isUpgradingLinks() ? `${selector},a[href]` : selector;
    (root as ParentNode).querySelectorAll(links).forEach(upgradeMarked);
  }
}

/**
 * The id of the clip that a link leads to: its address must be that of a page of clips by the
 * settings around it. Throws if it is not.
 */
function readLinkedId(link: HTMLAnchorElement): string {
  const { origin, pathname, search } = link;
  const ids = [
    ...pathname.split('/').filter(Boolean).map(decodeURIComponent),
    ...new URLSearchParams(search).values(),
  ];
  let cause: unknown;
  for (const setting of ['playerUrl', 'appUrl'] as const) {
    for (const id of ids) {
      try {
        const address = makeClipUrl(link, setting, id);
        if (origin + pathname === address || origin + pathname + search === address) return id;
      } catch (error) {
        cause ??= error;
      }
    }
  }
  throw cause ?? new Error('its address is not that of a clip by player-url or app-url.');
}
