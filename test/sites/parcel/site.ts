import type { Site } from '../site.ts';

/** It does not read `exports` by default. */
export default {
  title: 'Parcel',
  docs: ['start/bundlers'],
  rendered: 'server',
  build: ['parcel', 'build', 'src/index.html', '--no-cache', '--dist-dir', 'public'],
  client: ['public'],
  serve: { directory: 'public' },
  paths: { home: '/index.html', clip: '/clip.html' },
} satisfies Site;
