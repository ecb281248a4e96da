/** A site with the host's handler alone, before another server that stands in for the service. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createClipHost, memoryStore } from 'clip-host';
import { serve } from './child.ts';

await serve<{ serviceUrl: string; managedUser: string }>(async ({ serviceUrl, managedUser }) => {
  const store = memoryStore();
  await store.keepManagedUser('ada', managedUser);
  const host = createClipHost({
    service: { baseUrl: `${serviceUrl}/v2`, apiKey: 'no-key-that-is-checked' },
    basePath: '/clips',
    store,
    authenticate: () => ({ id: 'ada' }),
    // Counted, and never reached.
    rateLimit: { request: { burst: 1e9, perMinute: 1e9 } },
    log: () => {},
  });
  const server = createAdaptorServer({ fetch: host }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      host.close();
      server.closeAllConnections();
    },
  };
});
