/** A site with the host's handler alone, before another server that stands in for the service. */
import { createClipHost, memoryStore } from 'clip-host';
import { listenWith, serve } from './child.ts';

await serve<{ serviceUrl: string; managedUser: string }>(async ({ serviceUrl, managedUser }) => {
  let asked = 0;
  const host = createClipHost({
    service: { baseUrl: `${serviceUrl}/v2`, apiKey: 'no-key-that-is-checked' },
    basePath: '/clips',
    store: { ...memoryStore(), managedUser: async () => managedUser },
    // So many that the limit of none is reached.
    authenticate: () => ({ id: `ada-${asked++ % 10_000}` }),
    log: () => {},
  });
  return listenWith(host);
});
