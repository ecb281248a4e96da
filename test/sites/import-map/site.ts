import type { Site } from '../site.ts';

/** The modules of the package, without a bundler. */
export default {
  title: 'Import map',
  docs: ['start/import-map'],
  rendered: 'server',
  build: [
    'sh',
    '-c',
    'cp -rL node_modules/clip-kit/dist public/clip-kit && cd node_modules && cp -rL lit lit-html lit-element @lit ../public',
  ],
  serve: { directory: 'public' },
} satisfies Site;
