/** A site with a page that sends a file, and the host's handler, which passes the bytes on. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createClipHost, memoryStore } from 'clip-host';
import { serve } from './child.ts';

const page = `<!doctype html><html lang="en"><title>Upload</title>
<script type="module" src="/clip-studio.js"></script>
<input type="file"><clip-create endpoint="/clips"></clip-create></html>`;

await serve<{ serviceUrl: string; apiKey: string }>(async ({ serviceUrl, apiKey }) => {
  const script = await readFile(new URL('../../../dist/cdn/clip-studio.js', import.meta.url));
  const clips = createClipHost({
    service: { baseUrl: `${serviceUrl}/v2`, apiKey },
    basePath: '/clips',
    store: memoryStore(),
    uploads: 'host',
    authenticate: () => ({ id: 'ada' }),
    // The file is measured, and not what is made of it.
    authorize: ({ action }) => action !== 'task',
    log: () => {},
  });
  const files = new Map([
    ['/', () => new Response(page, { headers: { 'Content-Type': 'text/html' } })],
    [
      '/clip-studio.js',
      () => new Response(script, { headers: { 'Content-Type': 'text/javascript' } }),
    ],
  ]);
  const server = createAdaptorServer({
    fetch: (request) => (files.get(new URL(request.url).pathname) ?? (() => clips(request)))(),
    serverOptions: { requestTimeout: 0 },
  }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      clips.close();
      server.closeAllConnections();
    },
  };
});
