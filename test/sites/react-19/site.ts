import { checkProps } from '../../support/react-props.ts';
import type { Site } from '../site.ts';

export default {
  title: 'React 19',
  docs: ['start/react'],
  types: {
    command: ['tsc'],
    mistakes: [
      { file: 'src/App.tsx', right: 'loading=', wrong: 'laoding=' },
      { file: 'src/tags.tsx', right: 'pageSize=', wrong: 'pagesize=' },
    ],
  },
  build: ['npm', 'run', 'build'],
  client: ['dist/client'],
  serve: { command: ['node', 'server.js'] },
  develop: {
    command: ['vite', '--host', '127.0.0.1', '--port', '$PORT', '--strictPort'],
    file: 'src/Clip.tsx',
    from: 'The clip of today',
    to: 'The clip of tomorrow',
  },
  rendered: 'hydrated',
  look: async (page, origin) => {
    await page.goto(`${origin}/props`);
    await checkProps(page);
  },
} satisfies Site;
