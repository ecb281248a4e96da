/**
 * CORS headers that let a page of a listed origin read the answer, with cookies. Empty for all
 * other origins.
 */
export function crossOriginHeaders(
  request: Request,
  origins: readonly string[],
): Record<string, string> {
  const origin = request.headers.get('Origin');
  return origin !== null && origins.includes(origin)
    ? {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers':
          'Clip-Account, Date, ETag, Idempotency-Key, Link, Preference-Applied, Retry-After, Tus-Resumable, Upload-Length, Upload-Offset',
      }
    : {};
}

/** The answer to a preflight (`OPTIONS`): 204, with permissions only for a listed origin. */
export function preflightResponse(request: Request, origins: readonly string[]): Response {
  const permissions = crossOriginHeaders(request, origins);
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
