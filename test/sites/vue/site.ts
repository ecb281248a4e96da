import type { Site } from '../site.ts';

export default {
  title: 'Vue 3',
  docs: ['start/vue'],
  types: {
    command: ['vue-tsc', '-b'],
    mistakes: [
      { file: 'src/App.vue', right: 'loading=', wrong: 'laoding=' },
      { file: 'src/Clip.vue', right: '@clip-export-ready', wrong: '@clip-export-raedy' },
    ],
  },
  build: ['vite', 'build'],
  client: ['dist'],
  serve: { directory: 'dist', fallback: 'index.html' },
  develop: {
    command: ['vite', '--host', '127.0.0.1', '--port', '$PORT', '--strictPort'],
    file: 'src/Clip.vue',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'no',
} satisfies Site;
