import type { Site } from '../site.ts';

export default {
  title: 'Next 16',
  docs: ['start/next'],
  types: {
    command: ['tsc', '--noEmit'],
    mistakes: [{ file: 'app/page.tsx', right: 'loading=', wrong: 'laoding=' }],
  },
  build: ['next', 'build'],
  client: ['.next/static'],
  serve: { command: ['next', 'start', '--hostname', '127.0.0.1'] },
  develop: {
    command: ['next', 'dev', '--hostname', '127.0.0.1'],
    file: 'app/clip/page.tsx',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'hydrated',
} satisfies Site;
