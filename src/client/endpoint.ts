/**
 * An endpoint in its one spelling: what differs only in a slash or a question mark at the end is one backend, and an
 * export that was asked for by one name must not be paid for again by another.
 */
export const normalEndpoint = (endpoint: string): string => {
  const url = new URL(endpoint);
  url.pathname = url.pathname.replace(/\/+$/, '');
  url.hash = '';
  // An empty search reads as none, and only writing it takes a lone "?" away.
  url.search = `${url.search}`;
  return url.href;
};
