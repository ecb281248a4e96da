import { DatabaseSync } from 'node:sqlite';
import { createClipHost, sqliteStore } from 'clip-host';
import { userOf } from './session.js';

/** The host of your clips. It keeps the key and takes the user from your session. */
export const clips = createClipHost({
  service: { baseUrl: process.env.CLIP_API_URL, apiKey: process.env.CLIP_API_KEY },
  basePath: '/clips',
  authenticate: userOf,
  store: sqliteStore(new DatabaseSync('clips.sqlite')),
});
