import type { Site } from '../site.ts';

/** The modules of the package, without a bundler. */
export default {
  title: 'Import map',
  docs: ['start/import-map'],
  rendered: 'server',
  build: ['cp', '-rL', 'node_modules/clip-kit/dist', 'public/clip-kit'],
  serve: { directory: 'public' },
} satisfies Site;
