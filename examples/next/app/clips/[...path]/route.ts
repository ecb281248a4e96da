import { DatabaseSync } from 'node:sqlite';
import { createClipHost, sqliteStore } from 'clip-host';
import { routeHandlers } from 'clip-host/next';
import { userOf } from '../../session';

const { CLIP_API_URL = '', CLIP_API_KEY = '', SITE_ORIGIN = 'http://localhost:3000' } = process.env;

// Held requests take up to 25 seconds; by default, some platforms end a function earlier.
export const maxDuration = 30;

export const { GET, HEAD, POST, PATCH, DELETE, OPTIONS } = routeHandlers(() =>
  createClipHost({
    service: { baseUrl: CLIP_API_URL, apiKey: CLIP_API_KEY },
    basePath: '/clips',
    authenticate: userOf,
    // Next does not give a route the site's own URL, and older browsers send only `Origin`.
    origins: [SITE_ORIGIN],
    store: sqliteStore(new DatabaseSync('clips.sqlite')),
  }),
);
