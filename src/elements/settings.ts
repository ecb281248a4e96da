import { ClipError, type ClipErrorCode } from '../client/clip-error.ts';
import { attributeOf } from './reactive-element.ts';

/** What can be set on an element, on a `<clip-config>` around it, or for the page with {@link configure}. */
export interface ClipSettings {
  /** The page's own backend, as in the host contract. */
  endpoint?: string | null;
  /** Where the embed pages are. */
  appUrl?: string | null;
  /** Where the preview pages are. */
  playerUrl?: string | null;
  credentials?: RequestCredentials | null;
  csrfHeader?: string | null;
  csrfToken?: string | null;
  csrfUrl?: string | null;
  /** Message by which a framed page says that it is there. */
  handshake?: string | null;
}

/** Frameworks' server rendering writes an object that it cannot write as this; it stands for nothing. */
export const plainText = (value: string | null): string | null =>
  value === '[object Object]' ? null : value;

/** A property whose attribute is a text. */
export const textProperty = { from: plainText };

/** Property declarations of the settings for calls to the endpoint. */
export const hostProperties = {
  endpoint: textProperty,
  credentials: textProperty,
  csrfHeader: textProperty,
  csrfToken: { from: plainText, reflect: false },
  csrfUrl: textProperty,
} as const;

/** Those of all settings. */
export const settingProperties = {
  ...hostProperties,
  appUrl: textProperty,
  playerUrl: textProperty,
  handshake: textProperty,
};

const page: ClipSettings = {};
const live = new Set<{ requestUpdate(): void }>();

/** Every connected element that is told when settings, or texts, change around it. */
export const follow = (element: { requestUpdate(): void }): void => {
  live.add(element);
};

export const unfollow = (element: { requestUpdate(): void }): void => {
  live.delete(element);
};

/** Has the connected elements look at their settings and texts again. */
export const refollow = (): void => {
  for (const element of live) element.requestUpdate();
};

/** Settings for the whole page. An element's own attribute and a `<clip-config>` around it win. Null takes one back. */
export const configure = (settings: ClipSettings): void => {
  Object.assign(page, settings);
  refollow();
};

/** The element's nearest ancestor that fits, also across shadow roots. */
export const closest = (element: Element | undefined, selector: string): Element | null => {
  for (let at = element; at; at = (at.getRootNode() as ShadowRoot).host) {
    const found = at.closest(selector);
    if (found) return found;
  }
  return null;
};

const own = (element: Element, name: keyof ClipSettings): string | null =>
  // The attribute alone is there before the element is defined.
  ((element as Element & ClipSettings)[name] ??
    plainText(element.getAttribute(attributeOf(name)))) ||
  null;

/** A setting as it holds for the element. */
export const settingOf = (element: Element, name: keyof ClipSettings): string | null => {
  let at: Element | null = element;
  while (at) {
    const value = own(at, name);
    if (value) return value;
    at = closest(at.parentElement ?? (at.getRootNode() as ShadowRoot).host, 'clip-config');
  }
  return page[name] || null;
};

const local = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The text as an absolute URL that may be loaded: https, or http on this machine or the page's own origin. */
export const safeUrl = (text: string, what: string): URL => {
  const url = URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI) : null;
  if (
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && (local.test(url.hostname) || url.origin === location.origin))
  ) {
    return url;
  }
  throw new ClipError(
    'invalid-url',
    `${what} must be an https address, or an http one of localhost or this site.`,
  );
};

/** A setting that must be there, as a URL. */
export const settingUrl = (element: Element, name: 'endpoint' | 'appUrl' | 'playerUrl'): URL => {
  const value = settingOf(element, name);
  const attribute = attributeOf(name);
  if (value) return safeUrl(value, attribute);
  throw new ClipError(
    `missing-${attribute}` as ClipErrorCode,
    `No ${attribute} is set: set it on the element, a <clip-config> around it, or with configure().`,
  );
};

/** The id, ready for a path. */
export const pathId = (project: string | null): string => {
  if (!project) throw new ClipError('missing-project', 'No project is set: set the id of a clip.');
  // Percent-encoded or not, dots alone would step through the path.
  if (/^\.\.?$/.test(project)) throw new ClipError('invalid-project', 'This is no id of a clip.');
  return encodeURIComponent(project);
};
