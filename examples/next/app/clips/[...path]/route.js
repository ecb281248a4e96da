import { DatabaseSync } from 'node:sqlite';
import { createClipHost, sqliteStore } from 'clip-kit/host';
import { routeHandlers } from 'clip-kit/host/next';
import { userOf } from '../../session.js';

// Held requests take up to 25 seconds; some places end a function before, unless told.
export const maxDuration = 30;

export const { GET, POST, OPTIONS } = routeHandlers(() =>
  createClipHost({
    service: { baseUrl: process.env.CLIP_API_URL, apiKey: process.env.CLIP_API_KEY },
    basePath: '/clips',
    authenticate: userOf,
    // Next does not tell a route the site's own address; older browsers name it in `Origin` alone.
    origins: [process.env.SITE_ORIGIN ?? 'http://localhost:3000'],
    store: sqliteStore(new DatabaseSync('clips.sqlite')),
  }),
);
