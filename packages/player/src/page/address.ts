/** The service's root, whatever path it is published under. */
export const root = new URL('../', location.href);

/** The project's id: the last segment of the page's address, as it stands there. */
export const projectSegment = location.pathname.split('/').filter(Boolean).at(-1)!;

/**
 * Takes the token out of the page's address, so that it is in no address bar, bookmark or list of
 * visited pages. A reload finds it in the state of its entry in the history, which belongs to this
 * page only, or null.
 */
export function takeToken(): string | null {
  const url = new URL(location.href);
  const token = new URLSearchParams(url.hash.slice(1)).get('external_access_token');
  if (!token) return (history.state as { token?: string } | null)?.token ?? null;
  url.hash = '';
  history.replaceState({ token }, '', url);
  return token;
}
