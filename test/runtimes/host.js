// What every runtime mounts: the built host, with a site's log-in by cookie.
import { createClipHost, memoryStore } from '../../dist/host/index.js';

/** @param {{ SERVICE_URL: string, SERVICE_KEY: string }} env */
export const makeHost = (env) =>
  createClipHost({
    service: { baseUrl: env.SERVICE_URL, apiKey: env.SERVICE_KEY },
    basePath: '/clips',
    authenticate: (request) => {
      const id = /user=([^;]+)/.exec(request.headers.get('Cookie') ?? '')?.[1];
      return id === undefined ? null : { id };
    },
    store: memoryStore(),
    download: 'stream',
    log: (entry) => entry.level === 'info' || console.error(entry.message),
  });
