import type { Site } from '../site.ts';

export default {
  title: 'Eleventy 3',
  rendered: 'server',
  build: ['eleventy', '--quiet'],
  client: ['public'],
  serve: { directory: 'public' },
} satisfies Site;
