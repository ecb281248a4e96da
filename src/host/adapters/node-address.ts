/** How a request's own address is found; by default from its `Host` header and its connection. */
export interface AddressOptions {
  /** The site's public origin, such as `https://www.example.com`. Given, no header of the request is asked. */
  readonly origin?: string;
  /**
   * Whether a proxy in front sets `X-Forwarded-Proto` and `X-Forwarded-Host`. Of several values the last one counts,
   * which the nearest proxy wrote. False by default: anybody can send these headers.
   */
  readonly trustProxy?: boolean;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A name or address, and a port. Nothing that would end the authority of a URL or put a user name into it. */
const authority = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Stands for the host of a request that names none: no page has this origin (RFC 2606). */
const nobody = 'host.invalid';

const lastOf = (value: string | readonly string[] | undefined): string | undefined =>
  (typeof value === 'string' ? value : value?.join(','))?.split(',').at(-1)?.trim() || undefined;

/**
 * The absolute URL of a request, or null for one that has none: a `Host` that is no host, or a target that is no path.
 * The target's own authority (`GET http://a/b`) is never believed.
 */
export const addressOf = (
  target: string,
  headers: Headers,
  encrypted: boolean,
  { origin, trustProxy = false }: AddressOptions,
): string | null => {
  let path = target;
  if (!target.startsWith('/')) {
    if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
    const { pathname, search } = new URL(target);
    path = pathname + search;
  }
  let base = origin;
  if (base === undefined) {
    const forwarded = trustProxy ? lastOf(headers['x-forwarded-host']) : undefined;
    const host = forwarded ?? lastOf(headers[':authority'] ?? headers['host']) ?? nobody;
    if (!authority.test(host)) return null;
    const scheme = trustProxy ? lastOf(headers['x-forwarded-proto']) : undefined;
    base = `${(scheme ?? (encrypted ? 'https' : 'http')) === 'https' ? 'https' : 'http'}://${host}`;
  }
  const address = base + path;
  return URL.canParse(address) ? address : null;
};
