import type { Site } from '../site.ts';

export default {
  title: 'Plain HTML',
  docs: ['start/html'],
  rendered: 'server',
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: { directory: 'public' },
} satisfies Site;
