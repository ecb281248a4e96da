import type { Site } from '../site.ts';

export default {
  title: 'Nuxt 4',
  docs: ['start/nuxt'],
  types: {
    command: ['nuxt', 'typecheck'],
    mistakes: [{ file: 'app/pages/index.vue', right: 'loading=', wrong: 'laoding=' }],
  },
  build: ['nuxt', 'build'],
  client: ['.output/public'],
  serve: { command: ['node', '.output/server/index.mjs'], env: { HOST: '127.0.0.1' } },
  develop: {
    command: ['nuxt', 'dev', '--host', '127.0.0.1'],
    file: 'app/pages/clip.vue',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'hydrated',
} satisfies Site;
