import type { Site } from '../site.ts';

export default {
  title: 'Astro',
  docs: ['start/astro'],
  types: {
    command: ['astro', 'check', '--minimumFailingSeverity', 'hint'],
    mistakes: [
      { file: 'src/layouts/Layout.astro', right: 'button.exportId', wrong: 'button.exportID' },
    ],
  },
  build: ['astro', 'build'],
  client: ['dist'],
  serve: { directory: 'dist' },
  develop: {
    command: ['astro', 'dev', '--host', '127.0.0.1', '--port', '$PORT'],
    file: 'src/pages/clip.astro',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'server',
} satisfies Site;
