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
 * Whether a request with a session may come from where it does. A browser adds no session by
 * itself, so one without an origin is from a page of the same origin, or from a program.
 */
export const mayBringSession = (request: Request, origins: readonly string[]): boolean =>
  !request.headers.has('Origin') || isTrustedOrigin(request, origins);
