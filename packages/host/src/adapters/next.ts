import type { ClipHost } from '../handler.ts';

/**
 * The exports of a Next `route.ts`. `HEAD` is for downloads, `PATCH` for pages with an editor of
 * their own, `DELETE` for videos and uploads.
 */
export type RouteHandlers = Readonly<
  Record<
    'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS',
    (request: Request) => Promise<Response>
  >
>;

/**
 * The handlers of a Next route, `app/clips/[...path]/route.ts`. The host is created on the first
 * request and not at import, because `next build` also imports the file, on a machine without a
 * key. `waitUntil`: Next's own `after`, so that audit entries are written also where a function
 * ends with its answer.
 *
 *     import { after } from 'next/server';
 *     export const { GET, HEAD, POST, PATCH, DELETE, OPTIONS } = routeHandlers(
 *       () => createClipHost({ ... }),
 *       { waitUntil: after },
 *     );
 */
export function routeHandlers(
  makeHost: () => ClipHost,
  context?: Parameters<ClipHost>[1],
): RouteHandlers {
  let host: ClipHost | undefined;
  const handle = (request: Request): Promise<Response> => (host ??= makeHost())(request, context);
  return {
    GET: handle,
    HEAD: handle,
    POST: handle,
    PATCH: handle,
    DELETE: handle,
    OPTIONS: handle,
  };
}
