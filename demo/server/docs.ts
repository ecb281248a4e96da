import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { readSiteFile } from './files.ts';

const missing =
  '<!doctype html><html lang="en"><title>Documentation</title><p>The documentation is in <code>docs/</code>. To read it here: <code>npm run docs:site</code></p></html>';

/** The pages have inline scripts, which the policy knows by their hashes, and inline styles. */
function policyOf(html: string): string {
  const hashes = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "media-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/** The documentation at `/docs/`, if `npm run docs:site` has built it into the directory. */
export function docsEndpoints(directory: string): Hono {
  const app = new Hono();
  app.get('/docs', (c) => c.redirect('/docs/', 301));
  app.get('/docs/*', async (c) => {
    const path = c.req.path.slice('/docs'.length);
    const file =
      (await readSiteFile(directory, path)) ?? (await readSiteFile(directory, `${path}.html`));
    if (!file) {
      const page = await readSiteFile(directory, '/404.html');
      const html = page ? new TextDecoder().decode(page.bytes) : missing;
      return c.html(html, 404, { 'Content-Security-Policy': policyOf(html) });
    }
    const html = file.type.startsWith('text/html') ? new TextDecoder().decode(file.bytes) : '';
    return new Response(file.bytes, {
      headers: {
        'Content-Type': file.type,
        'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
        'Content-Security-Policy': policyOf(html),
        'X-Content-Type-Options': 'nosniff',
      },
    });
  });
  return app;
}
