import type { Site } from '../site.ts';

export default {
  title: 'htmx 4',
  docs: ['start/htmx'],
  rendered: 'server',
  build: ['node', 'build.js'],
  client: ['public'],
  serve: { directory: 'public' },
} satisfies Site;
