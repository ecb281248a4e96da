import { ClipError } from '../../client/clip-error.ts';
import { sessionGetters } from '../../client/page-state.ts';
import type { PageHostOptions } from '../../client/page-host.ts';
import { notInPath, checkUrl, getSetting, readSettingUrl } from './settings.ts';

/** The address of the session. A session by mistake must not become part of one. */
function checkSessionUrl(text: string): string {
  const url = checkUrl(text, 'session');
  if (url.origin === location.origin && !/\bey[\w-]+\.[\w-]+\./.test(text)) return url.href;
  throw new ClipError(
    'invalid-config',
    'session must be an address of this site. The session itself belongs in data-clip-session.',
  );
}

/** The settings for calls to the host. Throws a `ClipError` if the endpoint is invalid. */
export function readHostOptions(element: Element): PageHostOptions {
  const csrfUrl = getSetting(element, 'csrfUrl');
  const endpoint = readSettingUrl(element, 'endpoint').href;
  const session = getSetting(element, 'session');
  const getSession = getSetting(element, 'getSession');
  if (getSession) sessionGetters.set(endpoint, getSession);
  return {
    endpoint,
    credentials: getSetting(element, 'credentials') === 'include' ? 'include' : 'same-origin',
    csrfHeader: getSetting(element, 'csrfHeader'),
    csrfToken: getSetting(element, 'csrfToken'),
    csrfUrl: csrfUrl && checkUrl(csrfUrl, 'csrf-url').href,
    session: getSession ? 'getSession' : session && checkSessionUrl(session),
  };
}

/**
 * Returns an optional id. Throws for an invalid one, such as the `[object Object]` of frameworks: a
 * request without it would be wrong.
 */
export function checkId(value: unknown, attribute: string): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' && value !== '[object Object]' && !notInPath.test(value)) {
    return value;
  }
  throw new ClipError(
    'invalid-option',
    `${attribute} cannot be read: it must be the text of an id.`,
  );
}
