import type { Site } from '../site.ts';

export default {
  title: 'Lit app',
  docs: ['start/lit'],
  types: {
    command: ['tsc'],
    mistakes: [{ file: 'src/main.ts', right: 'button.exportId', wrong: 'button.exportID' }],
  },
  build: ['vite', 'build'],
  client: ['dist'],
  serve: { directory: 'dist', fallback: 'index.html' },
  develop: {
    command: ['vite', '--host', '127.0.0.1', '--port', '$PORT', '--strictPort'],
    file: 'src/my-clip.ts',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'no',
} satisfies Site;
