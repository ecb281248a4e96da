/**
 * Throws a `TypeError` unless it is an origin as browsers send it. They never send a wildcard,
 * which is a name to `URL`.
 */
export function checkOrigin(option: string, origin: string): void {
  const isName = /^https?:\/\/[^*]+$/.test(origin) && URL.canParse(origin);
  if (isName && new URL(origin).origin === origin) return;
  throw new TypeError(
    `${option}: ${JSON.stringify(origin)} is not an origin. Give each one whole, such as https://www.example.com, without a path or a wildcard`,
  );
}

export interface CrossOrigin {
  /** Origins of the pages that may read the answers. */
  readonly origins: readonly string[];
  /** Whether requests carry the cookies of the host's own site. */
  readonly withCookies: boolean;
}

/** CORS headers that let a page of a listed origin read the answer. Empty for all other origins. */
export function makeCrossOriginHeaders(
  request: Request,
  { origins, withCookies }: CrossOrigin,
): Record<string, string> {
  const origin = request.headers.get('Origin');
  return origin !== null && origins.includes(origin)
    ? {
        'Access-Control-Allow-Origin': origin,
        ...(withCookies && { 'Access-Control-Allow-Credentials': 'true' }),
        'Access-Control-Expose-Headers':
          'Clip-Account, Date, ETag, Link, Location, Preference-Applied, Retry-After',
      }
    : {};
}

/** The answer to a preflight (`OPTIONS`): 204, with permissions only for a listed origin. */
export function answerPreflight(request: Request, crossOrigin: CrossOrigin): Response {
  const permissions = makeCrossOriginHeaders(request, crossOrigin);
  const wanted = request.headers.get('Access-Control-Request-Headers');
  return new Response(null, {
    status: 204,
    headers: {
      ...permissions,
      'Cache-Control': 'no-store',
      Vary: 'Origin',
      ...('Access-Control-Allow-Origin' in permissions
        ? {
            'Access-Control-Allow-Methods': 'DELETE, GET, HEAD, PATCH, POST',
            ...(wanted ? { 'Access-Control-Allow-Headers': wanted } : {}),
            'Access-Control-Max-Age': '600',
          }
        : {}),
    },
  });
}

/**
 * Whether an unsafe request may come from a page that the site trusts: one of the same origin
 * according to `Sec-Fetch-Site`, or `Origin` if that is missing, or one of the listed origins. A
 * request with neither header is refused, because every browser sends one.
 */
export function isTrustedOrigin(request: Request, origins: readonly string[]): boolean {
  const origin = request.headers.get('Origin');
  if (origin !== null && origins.includes(origin)) return true;
  const site = request.headers.get('Sec-Fetch-Site');
  if (site !== null) return site === 'same-origin';
  return origin !== null && origin === new URL(request.url).origin;
}

/**
 * Whether a request with a session may come from where it does. A browser never adds a session, so
 * a request without an origin is from a page of the same origin, or from a program.
 */
export const mayBringSession = (request: Request, origins: readonly string[]): boolean =>
  !request.headers.has('Origin') || isTrustedOrigin(request, origins);

/**
 * The origin at which the browser reaches the host. A page of the same origin names it, so that it
 * is right behind a proxy that hides it. A caller that sends another one misleads only itself.
 */
export function getBrowserOrigin(request: Request): string {
  const { headers, url } = request;
  const named =
    headers.get('Sec-Fetch-Site') === 'same-origin'
      ? (headers.get('Origin') ?? headers.get('Referer'))
      : null;
  return new URL(named !== null && URL.canParse(named) ? named : url).origin;
}
