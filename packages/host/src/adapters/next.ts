import type { ClipHost } from '../clip-host.ts';

/** The exports of a Next `route.ts`. */
export interface RouteHandlers {
  readonly GET: (request: Request) => Promise<Response>;
  readonly POST: (request: Request) => Promise<Response>;
  /** For uploads that come by way of the host. */
  readonly HEAD: (request: Request) => Promise<Response>;
  /** For pages with an editor of their own, and uploads. */
  readonly PATCH: (request: Request) => Promise<Response>;
  /** For videos and uploads. */
  readonly DELETE: (request: Request) => Promise<Response>;
  readonly OPTIONS: (request: Request) => Promise<Response>;
}

/**
 * The handlers of a Next route, `app/clips/[...path]/route.ts`. The host is created on the first
 * request and not at import, because `next build` also imports the file, on a machine without a
 * key.
 *
 *     export const { GET, HEAD, POST, PATCH, DELETE, OPTIONS } = routeHandlers(() =>
 *       createClipHost({ ... }),
 *     );
 */
export function routeHandlers(makeHost: () => ClipHost): RouteHandlers {
  let host: ClipHost | undefined;
  const handle = (request: Request): Promise<Response> => (host ??= makeHost())(request);
  return {
    GET: handle,
    HEAD: handle,
    POST: handle,
    PATCH: handle,
    DELETE: handle,
    OPTIONS: handle,
  };
}
