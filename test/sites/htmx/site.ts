import type { Site } from '../site.ts';

export default {
  title: 'htmx 4',
  rendered: 'server',
  build: ['node', 'build.js'],
  client: ['public'],
  serve: { directory: 'public' },
} satisfies Site;
