/** How often the address of a file may redirect. */
export const maxRedirects = 5;

/** A name of the public internet, and not an IP address or a name inside of a network. */
const isPublicName = ({ hostname }: URL): boolean =>
  /\.[a-z][a-z0-9-]*\.?$/.test(hostname) &&
  !/\.(?:localhost|local|internal|lan|home\.arpa)\.?$/.test(hostname);

/**
 * Where a redirect leads; null if it must not be followed: to another scheme than http(s), or from
 * a public name into a network.
 */
export function redirectTarget(from: URL, location: string | null): URL | null {
  if (location === null || !URL.canParse(location, from.href)) return null;
  const to = new URL(location, from);
  return /^https?:$/.test(to.protocol) && (isPublicName(to) || !isPublicName(from)) ? to : null;
}
