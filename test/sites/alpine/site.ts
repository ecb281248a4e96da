import type { Site } from '../site.ts';

/** Elements, and plain markup whose attributes Alpine binds. */
export default {
  title: 'Alpine 3',
  docs: ['start/alpine'],
  rendered: 'no',
  build: ['node', 'build.js'],
  serve: { directory: 'public' },
} satisfies Site;
