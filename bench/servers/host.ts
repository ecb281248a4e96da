/** A site with the host's handler alone, before another server that stands in for the service. */
import { createClipHost, memoryStore } from 'clip-host';
import { listenWith, serve } from './child.ts';

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
  return listenWith(host);
});
