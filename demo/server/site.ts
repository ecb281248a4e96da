import { join } from 'node:path';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { taskSchema } from 'clip-kit/contract';
import type { ClipHost } from 'clip-kit/host';
import { docsEndpoints } from './docs.ts';
import type { Gallery } from './gallery/gallery.ts';
import type { GalleryFiles } from './gallery/gallery-files.ts';
import { galleryEndpoints } from './gallery/gallery-routes.ts';
import { readSiteFile } from './files.ts';
import type { Library } from './library.ts';
import { people, personById } from './people.ts';
import type { Sessions } from './session.ts';
import { stateEndpoints } from './states.ts';
import { UploadError, type Uploads } from './uploads.ts';

export interface SiteParts {
  readonly host: ClipHost;
  readonly sessions: Sessions;
  readonly library: Library;
  readonly uploads: Uploads;
  readonly gallery: Gallery;
  readonly galleryFiles: GalleryFiles;
  /** Directory of the sample video and its transcript. */
  readonly sampleDirectory: string;
  /** Directory of the built pages. */
  readonly pages: string;
  /** Directory of the kit as one file. */
  readonly kit: string;
  /** Directory of the built documentation; it may be missing. */
  readonly docs: string;
  /** URL of the service, which serves frames and files. */
  readonly serviceUrl: string;
  /** URL at which the service fetches samples and uploads from this site. */
  readonly sourceUrl: () => string;
}

/** Pages of the site load only their own files and, in frames and pictures, the service's. */
const policy = (serviceUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${serviceUrl}`,
    `media-src 'self' ${serviceUrl}`,
    `frame-src 'self' ${serviceUrl}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
  ].join('; ');

async function sendDiskFile(path: string, type: string): Promise<Response | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return null;
  return new Response(Readable.toWeb(createReadStream(path)) as ReadableStream, {
    headers: { 'Content-Type': type, 'Content-Length': String(found.size) },
  });
}

const sampleTypes: Readonly<Record<string, string>> = {
  'sample.mp4': 'video/mp4',
  'sample.vtt': 'text/vtt',
};

/**
 * The demo site: login, the host endpoint at `/clips`, uploads, each person's library, and the
 * pages.
 */
export function createSite(parts: SiteParts): Hono {
  const { host, sessions, library, uploads } = parts;
  const app = new Hono();
  const pagePolicy = policy(parts.serviceUrl);

  const refuse = (c: Context, status: 400 | 401 | 403 | 413, title: string) =>
    c.json({ title }, status);
  const sameSite = (c: Context): boolean => c.req.header('Sec-Fetch-Site') === 'same-origin';

  app.get('/healthz', (c) => c.json({ ok: true }));

  app.get('/api/session', async (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json({
      person: await sessions.personOf(c.req.raw),
      people,
      serviceUrl: parts.serviceUrl,
      sampleUrl: `${parts.sourceUrl()}/sample/sample.mp4`,
    });
  });
  app.post('/api/session', bodyLimit({ maxSize: 1024 }), async (c) => {
    if (!sameSite(c)) return refuse(c, 403, 'The request came from another site.');
    const body = (await c.req.json().catch(() => ({}))) as { person?: unknown };
    const person = personById(String(body.person));
    if (!person) return refuse(c, 400, 'Nobody here has that name.');
    await sessions.logIn(c, person);
    return c.json({ person });
  });
  app.delete('/api/session', (c) => {
    if (!sameSite(c)) return refuse(c, 403, 'The request came from another site.');
    sessions.logOut(c);
    return c.body(null, 204);
  });

  app.get('/api/library', async (c) => {
    const person = await sessions.personOf(c.req.raw);
    if (!person) return refuse(c, 401, 'Log in first.');
    c.header('Cache-Control', 'no-store');
    return c.json(library.of(person.id));
  });

  app.post('/api/uploads', async (c) => {
    if (!sameSite(c)) return refuse(c, 403, 'The request came from another site.');
    if (!(await sessions.personOf(c.req.raw))) return refuse(c, 401, 'Log in first.');
    const { body } = c.req.raw;
    if (!body) return refuse(c, 400, 'The file is empty.');
    try {
      const kept = await uploads.keep(c.req.query('name') ?? '', c.req.query('id') ?? null, body);
      return c.json({ id: kept.id, url: parts.sourceUrl() + kept.path }, 201);
    } catch (error) {
      if (error instanceof UploadError) return refuse(c, error.status, error.message);
      throw error;
    }
  });
  app.get('/uploads/:id/:name', async (c) => {
    const file = await uploads.read(c.req.param('id'), c.req.param('name'));
    if (!file) return c.notFound();
    return new Response(file.body, {
      headers: {
        'Content-Type': 'application/octet-stream',
        'Content-Length': String(file.size),
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': 'sandbox',
      },
    });
  });
  app.get('/sample/:name', async (c) => {
    const name = c.req.param('name');
    const type = sampleTypes[name];
    return (type && (await sendDiskFile(join(parts.sampleDirectory, name), type))) || c.notFound();
  });

  app.get('/kit/*', async (c) => {
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

  app.all('/clips/*', async (c) => {
    const request = c.req.raw;
    const asked = c.req.path.startsWith('/clips/tasks/') && c.req.method === 'POST';
    // Read the body in addition to the host, because the task's answer does not contain the name.
    const body = asked
      ? ((await request
          .clone()
          .json()
          .catch(() => ({}))) as { name?: string })
      : {};
    const response = await host(request);
    if (asked && response.status === 201) {
      const person = await sessions.personOf(c.req.raw);
      const task = taskSchema.parse(await response.clone().json());
      if (person) library.add(person.id, task, body.name ?? 'Upload');
    }
    return response;
  });
  app.route('/states', stateEndpoints());
  app.route('/', docsEndpoints(parts.docs));
  app.route(
    '/',
    galleryEndpoints({
      gallery: parts.gallery,
      files: parts.galleryFiles,
      sourceUrl: (name) => `${parts.sourceUrl()}/gallery-files/${name}.mp4`,
      watermarkUrl: () => `${parts.sourceUrl()}/watermark.png`,
    }),
  );

  app.get('*', async (c) => {
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
