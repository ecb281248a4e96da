/**
 * An endpoint in one spelling. Addresses that differ only in a final slash or question mark are one
 * backend, where an export must not be paid for again under the other spelling.
 */
export function normalEndpoint(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = url.pathname.replace(/\/+$/, '');
  url.hash = '';
  // Assigning the empty search removes a final "?".
  url.search = `${url.search}`;
  return url.href;
}
