import type { Site } from '../site.ts';

export default {
  title: 'Plain HTML',
  docs: ['start/html'],
  rendered: 'server',
  build: ['cp', 'node_modules/clip-kit/dist/cdn/clip-kit.js', 'public/clip-kit.js'],
  client: ['public'],
  serve: { directory: 'public' },
} satisfies Site;
