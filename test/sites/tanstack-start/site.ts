import type { Site } from '../site.ts';

export default {
  title: 'TanStack Start',
  docs: ['start/tanstack-start'],
  types: {
    command: ['npm', 'run', 'typecheck'],
    mistakes: [{ file: 'src/routes/index.tsx', right: 'loading=', wrong: 'laoding=' }],
  },
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
      'dist/server/server.js',
    ],
  },
  develop: {
    command: ['vite', '--host', '127.0.0.1', '--port', '$PORT', '--strictPort'],
    file: 'src/routes/clip.tsx',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'hydrated',
  host: 'own',
} satisfies Site;
