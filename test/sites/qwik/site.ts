import type { Site } from '../site.ts';

export default {
  title: 'Qwik',
  docs: ['start/qwik'],
  build: ['npm', 'run', 'build'],
  client: ['dist/build'],
  serve: { command: ['node', 'server/entry.server.js'] },
  rendered: 'hydrated',
} satisfies Site;
