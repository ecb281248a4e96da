import type { Site } from '../site.ts';

/** It reads `exports` only with a line in its `package.json`, which the page gives. */
export default {
  title: 'Parcel',
  docs: ['start/bundlers'],
  rendered: 'server',
  build: ['parcel', 'build', 'src/index.html', '--no-cache', '--dist-dir', 'public'],
  client: ['public'],
  serve: { directory: 'public' },
  paths: { home: '/index.html', clip: '/clip.html' },
} satisfies Site;
