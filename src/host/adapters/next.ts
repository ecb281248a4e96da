import type { ClipHost } from '../clip-host.ts';

/** What a `route.ts` of Next exports. */
export interface RouteHandlers {
  readonly GET: (request: Request) => Promise<Response>;
  readonly POST: (request: Request) => Promise<Response>;
  readonly OPTIONS: (request: Request) => Promise<Response>;
}

/**
 * The handlers of a Next route, `app/clips/[...path]/route.ts`. The host is made with the first request and not when the
 * file is loaded: `next build` loads it too, on a machine that has no key.
 *
 *     export const { GET, POST, OPTIONS } = routeHandlers(() => createClipHost({ ... }));
 */
export const routeHandlers = (makeHost: () => ClipHost): RouteHandlers => {
  let host: ClipHost | undefined;
  const handle = (request: Request): Promise<Response> => (host ??= makeHost())(request);
  return { GET: handle, POST: handle, OPTIONS: handle };
};
