import type { Site } from '../site.ts';

export default {
  title: 'Solid',
  docs: ['start/solid'],
  types: {
    command: ['tsc'],
    mistakes: [{ file: 'src/App.tsx', right: 'loading=', wrong: 'laoding=' }],
  },
  build: ['vite', 'build'],
  client: ['dist'],
  serve: { directory: 'dist', fallback: 'index.html' },
  develop: {
    command: ['vite', '--host', '127.0.0.1', '--port', '$PORT', '--strictPort'],
    file: 'src/Clip.tsx',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'no',
} satisfies Site;
