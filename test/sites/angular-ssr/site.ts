import type { Site } from '../site.ts';

export default {
  title: 'Angular 22 with SSR',
  docs: ['start/angular'],
  build: ['ng', 'build'],
  client: ['dist/browser'],
  serve: { command: ['node', 'dist/server/server.mjs'] },
  rendered: 'hydrated',
} satisfies Site;
