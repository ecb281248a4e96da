/** How to find a request's own address; by default from its `Host` header and its connection. */
export interface AddressOptions {
  /**
   * The site's public origin, such as `https://www.example.com`. If set, the request's headers are
   * not used.
   */
  readonly origin?: string;
  /**
   * Whether a proxy in front sets `X-Forwarded-Proto` and `X-Forwarded-Host`. If a header has
   * several values, the last one is used, because the nearest proxy wrote it. False by default,
   * because any client can send these headers.
   */
  readonly trustProxy?: boolean;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A host name or IP address and an optional port. Rejects characters that would end the authority
 * of a URL or add a user name to it.
 */
const authority = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Used for a request without a host. No page can have this origin (RFC 2606). */
const unknownHost = 'host.invalid';

const lastOf = (value: string | readonly string[] | undefined): string | undefined =>
  (typeof value === 'string' ? value : value?.join(','))?.split(',').at(-1)?.trim() || undefined;

/**
 * The absolute URL of a request. Null if the `Host` is not a valid host or the target is not a
 * path. The authority in the target (`GET http://a/b`) is never trusted.
 */
export function addressOf(
  target: string,
  headers: Headers,
  encrypted: boolean,
  { origin, trustProxy = false }: AddressOptions,
): string | null {
  let path = target;
  if (!target.startsWith('/')) {
    if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
    const { pathname, search } = new URL(target);
    path = pathname + search;
  }
  let base = origin;
  if (base === undefined) {
    const forwarded = trustProxy ? lastOf(headers['x-forwarded-host']) : undefined;
    const host = forwarded ?? lastOf(headers[':authority'] ?? headers['host']) ?? unknownHost;
    if (!authority.test(host)) return null;
    const scheme = trustProxy ? lastOf(headers['x-forwarded-proto']) : undefined;
    base = `${(scheme ?? (encrypted ? 'https' : 'http')) === 'https' ? 'https' : 'http'}://${host}`;
  }
  const address = base + path;
  return URL.canParse(address) ? address : null;
}
