import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { makeBuildingPage, makeNoticePage } from './building-page.ts';
import { readSiteFile } from './files.ts';

const building = makeBuildingPage(
  'The documentation is being built',
  'This happens once and takes about half a minute. The page then shows it.',
);

const failed = makeNoticePage(
  'The documentation could not be built',
  `<p>The terminal in which the demo runs says why. Reload this page to try again, run
  <code>npm run docs:site</code>, or read the files in <code>docs/</code>.</p>
  <p><a href="/">Back to the demo</a></p>`,
);

/**
 * The pages have inline scripts, which the policy knows by their hashes, and inline styles. The
 * page of the examples also shows a clip of the reader's own service.
 */
function writePolicy(html: string, isExample: boolean): string {
  const hashes = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: ${isExample ? 'blob: http: https:' : ''}`.trim(),
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src 'self' ${isExample ? 'http: https:' : ''}`.trim(),
    `media-src 'self' ${isExample ? 'blob:' : ''}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/**
 * The documentation at `/docs/`. If it is not in the directory, the first request for it starts
 * `build`; until that ends, its pages say so and load again.
 */
export function docsRoutes(directory: string, build: () => Promise<void>): Hono {
  const app = new Hono();
  let state: 'missing' | 'building' | 'failed' = 'missing';
  const startBuild = (): void => {
    state = 'building';
    build().then(
      () => (state = 'missing'),
      () => (state = 'failed'),
    );
  };
  const send = (c: Context, html: string, status: 200 | 404 | 503) => {
    c.header('Content-Security-Policy', writePolicy(html, c.req.path === '/docs/example.html'));
    c.header('Cache-Control', 'no-cache');
    return c.html(html, status);
  };
  app.get('/docs', (c) => c.redirect('/docs/', 301));
  app.get('/docs/*', async (c) => {
    const read = (path: string) => readSiteFile(directory, path);
    if (state === 'failed') {
      state = 'missing';
      return send(c, failed, 503);
    }
    // The build writes the kit last: without it, a build was interrupted.
    const isBuilt = (await read('/clip-kit.js')) !== null;
    if (!isBuilt && state === 'missing') startBuild();
    if (state === 'building') return send(c, building, 503);
    const path = c.req.path.slice('/docs'.length);
    const file = (await read(path)) ?? (await read(`${path}.html`));
    if (!file) {
      const missing = await read('/404.html');
      return missing ? send(c, new TextDecoder().decode(missing.bytes), 404) : c.notFound();
    }
    if (file.type.startsWith('text/html')) {
      return send(c, new TextDecoder().decode(file.bytes), 200);
    }
    return new Response(file.bytes, {
      headers: {
        'Content-Type': file.type,
        'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
        'X-Content-Type-Options': 'nosniff',
      },
    });
  });
  return app;
}
