/** The maximum number of redirects from the address of a file. */
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

/**
 * Deno's `fetch` sends a request again if a kept connection breaks, even a POST that may have been
 * carried out. It does not if the body can be read only once.
 */
const resendsRequests = 'Deno' in globalThis;

/** The body of a request that must not be sent twice. As a stream it has no `Content-Length`. */
export function makeSingleUseBody(text: string): RequestInit {
  if (!resendsRequests) return { body: text };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  // `duplex` is not yet in every declaration of `RequestInit`.
  return { body, duplex: 'half' } as RequestInit;
}
