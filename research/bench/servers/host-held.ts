/**
 * A site whose users watch exports that render: the host, of which every user has been known
 * before.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createClipHost, memoryStore } from 'clip-host';
import { serve } from './child.ts';

await serve<{ serviceUrl: string }>(async ({ serviceUrl }) => {
  const base = memoryStore();
  const host = createClipHost({
    service: { baseUrl: `${serviceUrl}/v2`, apiKey: 'no-key-that-is-checked' },
    basePath: '/clips',
    store: { ...base, managedUser: async (hostUser) => hostUser },
    authenticate: (request) => ({ id: request.headers.get('x-bench-user') ?? 'nobody' }),
    rateLimit: false,
    held: { perUser: 1_000_000 },
    log: () => {},
  });
  const server = createAdaptorServer({ fetch: host }) as Server;
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await host.close();
      server.closeAllConnections();
    },
  };
});
