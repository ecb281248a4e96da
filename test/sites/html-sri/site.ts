import type { Site } from '../site.ts';

/** With plain markup, which the script upgrades. */
export default {
  title: 'Plain HTML with SRI',
  rendered: 'no',
  build: ['node', 'build.js'],
  client: ['public'],
  serve: { directory: 'public' },
} satisfies Site;
