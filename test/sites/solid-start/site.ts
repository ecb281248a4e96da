import type { Site } from '../site.ts';

export default {
  title: 'SolidStart',
  docs: ['start/solid'],
  build: ['vite', 'build'],
  client: ['dist/client'],
  serve: {
    command: [
      'srvx',
      '--prod',
      '--host',
      '127.0.0.1',
      '--static',
      '../client',
      'dist/server/entry-server.js',
    ],
  },
  rendered: 'hydrated',
} satisfies Site;
