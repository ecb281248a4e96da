import type { Site } from '../site.ts';

export default {
  title: 'SvelteKit',
  docs: ['start/svelte'],
  types: {
    command: ['npm', 'run', 'check'],
    mistakes: [
      { file: 'src/routes/+page.svelte', right: 'loading=', wrong: 'laoding=' },
      {
        file: 'src/routes/clip/+page.svelte',
        right: 'onclip-export-ready=',
        wrong: 'onclip-export-raedy=',
      },
    ],
  },
  build: ['vite', 'build'],
  client: ['build/client'],
  serve: { command: ['node', 'build'], env: { HOST: '127.0.0.1' } },
  develop: {
    command: ['vite', 'dev', '--host', '127.0.0.1', '--port', '$PORT', '--strictPort'],
    file: 'src/routes/clip/+page.svelte',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'hydrated',
} satisfies Site;
