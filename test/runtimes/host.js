// The host that every runtime mounts: the packed host, with a site's cookie login.
import { createClipHost, memoryStore } from 'clip-host';

/** @param {{ CLIP_API_URL: string, CLIP_API_KEY: string }} env */
export const makeHost = (env, store = memoryStore()) =>
  createClipHost({
    service: { baseUrl: env.CLIP_API_URL, apiKey: env.CLIP_API_KEY },
    basePath: '/clips',
    authenticate: (request) => {
      const id = /user=([^;]+)/.exec(request.headers.get('Cookie') ?? '')?.[1];
      return id === undefined ? null : { id };
    },
    store,
    log: (entry) => entry.level === 'info' || console.error(entry.message),
  });
