/**
 * Stands in for the service: every user has one export, which renders for longer than the bench
 * takes. Counts its requests.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from './child.ts';

await serve<Record<string, never>>(async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url === '/asked') {
      response.end(String(asked));
      return;
    }
    asked += 1;
    const user = String(request.headers['x-on-behalf-of']);
    const body = JSON.stringify([
      {
        id: `export-of-${user}`,
        status: 'processing',
        src_url: null,
        estimated_ready_at: new Date(Date.now() + 10 * 60_000).toISOString(),
        project_id: 'clip',
        created_at: new Date().toISOString(),
        finished_at: null,
        name: 'clip',
        author_id: user,
        folder_id: null,
        descriptions: null,
        watermarked: false,
      },
    ]);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
  };
});
