/** The service's root, whatever path it is published under. */
export const root = new URL('../', location.href);

/** The clip's id: the last segment of the page's address, as it stands there. */
export const clipSegment = location.pathname.split('/').filter(Boolean).at(-1)!;

/** Whether a share link has opened the page: what it opens is in its query. */
export const isShared = new URL('.', location.href).pathname.endsWith('/share/');

/** The address of the clip's page for everybody: it has no token. */
export const getPublicAddress = (): string =>
  new URL(isShared ? `share/${clipSegment}${location.search}` : `player/${clipSegment}`, root).href;

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

/** The parameters that open a private clip, as they are in an address; empty for a public one. */
function linkIn(parameters: string): string {
  const given = new URLSearchParams(parameters);
  const [expires, signature] = [given.get('expires'), given.get('signature')];
  return expires && signature ? String(new URLSearchParams({ expires, signature })) : '';
}

/** The link that the page was opened with. */
export const readFirstLink = (): string => linkIn(location.search);

/** Takes a renewed link out of the fragment; empty if there is none. */
export function takeLink(): string {
  const link = linkIn(location.hash.slice(1));
  if (link) {
    const url = new URL(location.href);
    url.hash = '';
    history.replaceState(history.state, '', url);
  }
  return link;
}

/** An address without its signature, which is another one each time. */
export const stripSignature = (address = ''): string => address.split('?', 1)[0]!;
