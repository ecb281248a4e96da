import type { Site } from '../site.ts';

/** With plain markup: Turbo restores copies of pages whose markup has been upgraded. */
export default {
  title: 'Turbo 8',
  docs: ['start/turbo'],
  rendered: 'no',
  build: ['node', 'build.js'],
  client: ['public'],
  serve: { directory: 'public' },
} satisfies Site;
