import type { Site } from '../site.ts';

/** In its framework mode. */
export default {
  title: 'React Router 7',
  docs: ['start/react-router'],
  types: {
    command: ['npm', 'run', 'typecheck'],
    mistakes: [{ file: 'app/routes/home.tsx', right: 'loading=', wrong: 'laoding=' }],
  },
  build: ['react-router', 'build'],
  client: ['build/client'],
  serve: {
    command: ['react-router-serve', 'build/server/index.js'],
    env: { HOST: '127.0.0.1' },
  },
  develop: {
    command: ['react-router', 'dev', '--host', '127.0.0.1', '--port', '$PORT', '--strictPort'],
    file: 'app/routes/clip.tsx',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'hydrated',
  host: 'own',
} satisfies Site;
