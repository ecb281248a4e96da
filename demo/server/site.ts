import type { Project } from 'clip-kit/contract';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { makeBuildingPage, makeNoticePage } from './building-page.ts';
import { docsRoutes } from './docs.ts';
import { readSiteFile } from './files.ts';
import { people, findPerson } from './people.ts';
import type { Sessions } from './session.ts';
import type { BuiltPages } from './build-pages.ts';

/** Never answers; ends when the page disconnects. */
const waitForAbort = (signal: AbortSignal): Promise<Response> =>
  new Promise((resolve) => {
    const leave = () => resolve(new Response(null, { status: 503 }));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });

export interface SiteParts {
  readonly sessions: Sessions;
  /** Reads the clips of the sample, which everyone may see. */
  readonly sampleClips: () => Promise<readonly Project[]>;
  /** Directory of the sample video and its subtitles. */
  readonly sample: string;
  /** Directory of the built pages. */
  readonly pages: string;
  /** Directory of the kit as one file. */
  readonly kit: string;
  /** When these two directories are built. */
  readonly built: BuiltPages;
  /** Directory of the built documentation; it may be missing. */
  readonly docs: string;
  /** Builds the documentation into its directory. */
  readonly buildDocs: () => Promise<void>;
  /** A session of a user of this site, for the host of the service. */
  readonly clipSession: (userId: string) => string;
  /** URL of the service, which serves frames and files, and has the host. */
  readonly serviceUrl: string;
  /** URL at which the service fetches samples from this site. */
  readonly sourceUrl: string;
}

const building = makeBuildingPage(
  'The pages are being built',
  'This takes some seconds after each start. Then this page is shown.',
);

const failed = makeNoticePage(
  'The pages could not be built',
  '<p>The terminal in which the demo runs says why.</p>',
);

/** Pages of the site load only their own files and the service's. */
const writePolicy = (serviceUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Files are sent to the service itself, and looked at before that.
    `connect-src 'self' ${serviceUrl}`,
    `img-src 'self' blob: data: ${serviceUrl}`,
    `media-src 'self' blob: ${serviceUrl}`,
    `frame-src 'self' ${serviceUrl}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
  ].join('; ');

/**
 * The demo site: login, sessions for the host of the service, and the pages.
 */
export function createSite(parts: SiteParts): Hono {
  const { sessions } = parts;
  const app = new Hono();
  const pagePolicy = writePolicy(parts.serviceUrl);
  let notBuilt: string | null = building;
  parts.built.pages.then(
    () => (notBuilt = null),
    () => (notBuilt = failed),
  );

  const refuse = (c: Context, status: 400 | 403, title: string) => c.json({ title }, status);
  const sameSite = (c: Context): boolean => c.req.header('Sec-Fetch-Site') === 'same-origin';

  app.get('/healthz', (c) => c.json({ ok: true }));

  app.get('/api/session', async (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json({
      person: await sessions.personOf(c.req.raw),
      people,
      serviceUrl: parts.serviceUrl,
      endpoint: `${parts.serviceUrl}/host`,
      sampleUrl: `${parts.sourceUrl}/sample/sample.mp4`,
    });
  });
  app.post('/api/session', bodyLimit({ maxSize: 1024 }), async (c) => {
    if (!sameSite(c)) return refuse(c, 403, 'The request came from another site.');
    const body = (await c.req.json().catch(() => ({}))) as { person?: unknown };
    const person = findPerson(String(body.person));
    if (!person) return refuse(c, 400, 'Nobody here has that name.');
    await sessions.logIn(c, person);
    return c.json({ person });
  });
  app.delete('/api/session', (c) => {
    if (!sameSite(c)) return refuse(c, 403, 'The request came from another site.');
    sessions.logOut(c);
    return c.body(null, 204);
  });

  app.get('/sample/*', async (c) => {
    const file = await readSiteFile(parts.sample, c.req.path.slice('/sample'.length));
    return file ? c.body(file.bytes, 200, { 'Content-Type': file.type }) : c.notFound();
  });

  app.get('/kit/*', async (c) => {
    await parts.built.kit.catch(() => {});
    const file = await readSiteFile(parts.kit, c.req.path.slice('/kit'.length));
    if (!file) return c.notFound();
    return new Response(file.bytes, {
      headers: {
        'Content-Type': file.type,
        'Cache-Control': 'no-cache',
        // For pages of other sites, which load modules with CORS.
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    });
  });

  app.get('/clip-session', async (c) => {
    c.header('Cache-Control', 'no-store');
    const person = await sessions.personOf(c.req.raw);
    return person ? c.json({ session: parts.clipSession(person.id) }) : c.json({}, 401);
  });
  app.get('/sample-clips', async (c) => c.json(await parts.sampleClips()));
  // A page that is requested in a frame and never loads, for the pages that show states.
  app.get('/never/*', (c) => waitForAbort(c.req.raw.signal));
  app.route('/', docsRoutes(parts.docs, parts.buildDocs));

  app.get('*', async (c) => {
    if (notBuilt !== null) {
      c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
      c.header('Cache-Control', 'no-store');
      return c.html(notBuilt, 503);
    }
    const path = c.req.path;
    const file = await readSiteFile(parts.pages, path);
    if (!file) {
      const page = await readSiteFile(parts.pages, `${path}/`);
      if (page) return c.redirect(`${path}/`, 301);
      const missing = await readSiteFile(parts.pages, '/404.html');
      return new Response(missing?.bytes ?? 'Not found', {
        status: 404,
        headers: {
          'Content-Type': missing?.type ?? 'text/plain',
          'Content-Security-Policy': pagePolicy,
        },
      });
    }
    return new Response(file.bytes, {
      headers: {
        'Content-Type': file.type,
        'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
        'Content-Security-Policy': pagePolicy,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'strict-origin-when-cross-origin',
      },
    });
  });
  return app;
}
