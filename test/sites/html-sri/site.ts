import type { Site } from '../site.ts';

/** With plain markup, which the script upgrades. */
export default {
  title: 'Plain HTML with SRI',
  docs: ['start/cms'],
  rendered: 'no',
  build: ['node', 'build.js'],
  serve: { directory: 'public' },
  without: { listener: 'an editor of a CMS keeps no scripts' },
} satisfies Site;
