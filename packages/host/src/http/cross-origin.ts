export interface CrossOrigin {
  /** Of the pages that may read the answers. */
  readonly origins: readonly string[];
  /** Whether requests carry the cookies of the host's own site. */
  readonly withCookies: boolean;
}

/** CORS headers that let a page of a listed origin read the answer. Empty for all other origins. */
export function crossOriginHeaders(
  request: Request,
  { origins, withCookies }: CrossOrigin,
): Record<string, string> {
  const origin = request.headers.get('Origin');
  return origin !== null && origins.includes(origin)
    ? {
        'Access-Control-Allow-Origin': origin,
        ...(withCookies && { 'Access-Control-Allow-Credentials': 'true' }),
        'Access-Control-Expose-Headers':
          'Clip-Account, Date, ETag, Idempotency-Key, Link, Location, Preference-Applied, Retry-After, Tus-Resumable, Upload-Length, Upload-Offset',
      }
    : {};
}

/** The answer to a preflight (`OPTIONS`): 204, with permissions only for a listed origin. */
export function preflightResponse(request: Request, crossOrigin: CrossOrigin): Response {
  const permissions = crossOriginHeaders(request, crossOrigin);
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
