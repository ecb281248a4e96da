import type { Site } from '../site.ts';

export default {
  title: 'Angular 22',
  docs: ['start/angular'],
  types: {
    command: ['ngc', '--noEmit'],
    mistakes: [{ file: 'src/app/app.ts', right: 'loading=', wrong: '[laoding]=' }],
  },
  build: ['ng', 'build'],
  client: ['dist'],
  preview: {
    build: ['ng', 'build', '--configuration', 'preview'],
    page: 'dist-preview/index.html',
    limit: 13_500,
  },
  serve: { directory: 'dist', fallback: 'index.html' },
  develop: {
    command: ['ng', 'serve', '--host', '127.0.0.1', '--port', '$PORT'],
    file: 'src/app/clip.ts',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'no',
} satisfies Site;
