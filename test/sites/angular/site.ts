import type { Site } from '../site.ts';

export default {
  title: 'Angular 22',
  types: {
    command: ['ngc', '--noEmit'],
    mistakes: [{ file: 'src/home.ts', right: '[loading]', wrong: '[laoding]' }],
  },
  build: ['ng', 'build'],
  client: ['dist'],
  serve: { directory: 'dist', fallback: 'index.html' },
  develop: {
    command: ['ng', 'serve', '--host', '127.0.0.1', '--port', '$PORT'],
    file: 'src/clip.ts',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'no',
} satisfies Site;
