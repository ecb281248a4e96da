import type { Site } from '../site.ts';

export default {
  title: 'Rspack',
  docs: ['start/bundlers'],
  rendered: 'server',
  build: ['rspack', 'build', '--mode', 'production'],
  client: ['dist'],
  serve: { directory: 'dist' },
  paths: { home: '/index.html', clip: '/clip.html' },
} satisfies Site;
