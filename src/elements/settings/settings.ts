import { ClipError, type ClipErrorCode } from '../../client/clip-error.ts';
import type { GetSession } from '../../client/page-state.ts';
import { nameAttribute, readPlainText, textProperty } from '../attribute-properties.ts';

/** Settings of an element, of a `<clip-config>` around it, or of the page ({@link configure}). */
export interface ClipSettings {
  /** The backend of your page: the host. */
  endpoint?: string | null;
  /** Base URL of the embed pages. */
  appUrl?: string | null;
  /** Base URL of the preview pages. */
  playerUrl?: string | null;
  /** Address of the posters, with `{project}` in it. */
  posterUrl?: string | null;
  credentials?: RequestCredentials | null;
  csrfHeader?: string | null;
  csrfToken?: string | null;
  csrfUrl?: string | null;
  /** Where the site answers with the session of its user: `{"session": "…"}`, 401 for no user. */
  session?: string | null;
  /** Returns that session, or null for no user; wins over the address. */
  getSession?: GetSession | null;
  /** The message that a framed page posts when it has loaded. */
  handshake?: string | null;
  /** `signed`: clips are private, and the page's host gives links to them. */
  links?: string | null;
  /** The address to which the page sends views. */
  views?: string | null;
  /** A word of the site's for where that was: 1 to 32 letters, digits, `_` or `-`. */
  viewsPlace?: string | null;
}

/** Properties of the settings for calls to the endpoint, but for `csrfToken`. */
export const hostAttributes = {
  endpoint: textProperty,
  credentials: textProperty,
  csrfHeader: textProperty,
  csrfUrl: textProperty,
  session: textProperty,
};

/** Settings beyond plain attributes: a secret is never written to one, a function has none. */
export const hostProperties = {
  csrfToken: { attribute: 'csrf-token', converter: readPlainText },
  getSession: { attribute: false },
};

export const settingAttributes = {
  ...hostAttributes,
  appUrl: textProperty,
  playerUrl: textProperty,
  posterUrl: textProperty,
  handshake: textProperty,
  links: textProperty,
  views: textProperty,
  viewsPlace: textProperty,
};

type Setting<Name extends keyof ClipSettings> = NonNullable<ClipSettings[Name]> | null;

const page: ClipSettings = {};
/** The settings in the page's own markup, which only `clip-kit/upgrade` reads. */
let readPageMarkup = (): ClipSettings => ({});
const live = new Set<{ requestUpdate(): void }>();

/** Calls `requestUpdate()` of the element when settings or texts change around it. */
export function follow(element: { requestUpdate(): void }): void {
  live.add(element);
}

export function unfollow(element: { requestUpdate(): void }): void {
  live.delete(element);
}

/** Makes all connected elements read their settings and texts again. */
export function requestUpdates(): void {
  for (const element of live) element.requestUpdate();
}

/** Settings for the whole page. Attributes and `<clip-config>` win over them; null removes one. */
export function configure(settings: ClipSettings): void {
  Object.assign(page, settings);
  requestUpdates();
}

/**
 * Sets what reads the settings in the page's markup; again when they have changed. It may throw a
 * {@link ClipError}, which every element shows that needs one of them.
 */
export function readMarkup(read: () => ClipSettings): void {
  readPageMarkup = read;
  requestUpdates();
}

/** The nearest matching ancestor, also across shadow roots. */
function findClosest(element: Element | undefined, selector: string): Element | null {
  for (let at = element; at; at = (at.getRootNode() as ShadowRoot).host) {
    const found = at.closest(selector);
    if (found) return found;
  }
  return null;
}

/** The language of the page around an element (BCP 47); empty if it is not set. */
export const getLanguage = (element: Element): string =>
  findClosest(element, '[lang]')?.getAttribute('lang') ?? '';

const readOwn = <Name extends keyof ClipSettings>(element: Element, name: Name): Setting<Name> =>
  // Before the element is defined it has only the attribute.
  ((element as Element & ClipSettings)[name] ??
    (readPlainText(element.getAttribute(nameAttribute(name))) as ClipSettings[Name])) ||
  null;

/** The value of a setting for the element. */
export function getSetting<Name extends keyof ClipSettings>(
  element: Element,
  name: Name,
): Setting<Name> {
  let at: Element | null = element;
  while (at) {
    const value = readOwn(at, name);
    if (value) return value;
    at = findClosest(at.parentElement ?? (at.getRootNode() as ShadowRoot).host, 'clip-config');
  }
  return page[name] || readPageMarkup()[name] || null;
}

const local = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** An absolute URL that may be loaded: https, or http of localhost or the page's own origin. */
export function checkUrl(text: string, what: string): URL {
  try {
    const url = new URL(text, document.baseURI);
    const isOwn = local.test(url.hostname) || url.origin === location.origin;
    if (url.protocol === 'https:' || (url.protocol === 'http:' && isOwn)) return url;
  } catch {
    // Not an address.
  }
  throw new ClipError(
    'invalid-url',
    `${what} must be an https address, or an http one of localhost or this site.`,
  );
}

/** A setting with the page's language for `{lang}`. */
export const withLanguage = (element: Element, setting: string | null): string | null =>
  setting && setting.replaceAll('{lang}', () => encodeURIComponent(getLanguage(element)));

/** A required setting, as a URL; `{lang}` in it becomes the page's language. */
export function readSettingUrl(element: Element, name: 'endpoint' | 'appUrl' | 'playerUrl'): URL {
  const value = withLanguage(element, getSetting(element, name));
  const attribute = nameAttribute(name);
  if (value) return checkUrl(value, attribute);
  throw new ClipError(
    `missing-${attribute}` as ClipErrorCode,
    `No ${attribute} is set: set it on the element, a <clip-config> around it, or with configure().`,
  );
}

/** `.` and `..` would change the path, even percent-encoded; a lone surrogate is not valid text. */
export const notInPath = /^\.\.?$|\p{Cs}/u;

/** The id, encoded for a path. */
export function encodeId(project: string | null): string {
  if (!project) throw new ClipError('missing-project', 'No project is set: set the id of a clip.');
  if (notInPath.test(project))
    throw new ClipError('invalid-project', 'This is not the id of a clip.');
  return encodeURIComponent(project);
}
