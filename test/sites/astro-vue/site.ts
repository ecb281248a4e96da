import type { Site } from '../site.ts';

export default {
  title: 'Astro with a Vue island',
  docs: ['start/vue'],
  build: ['astro', 'build'],
  client: ['dist'],
  serve: { directory: 'dist' },
  rendered: 'hydrated',
} satisfies Site;
