import { spawnSync } from 'node:child_process';
import { installPackages } from '../../../tools/install-packages.mjs';
import type { Site } from '../site.ts';

export default {
  title: 'PHP',
  docs: ['start/html', 'sign-in/php'],
  rendered: 'server',
  host: 'sessions',
  prepare: () => {
    if (spawnSync('php', ['-v']).status !== 0) installPackages('php');
  },
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: {
    command: ['php', '-S', '127.0.0.1:$PORT', '-t', 'public', 'site.php'],
    env: { PHP_CLI_SERVER_WORKERS: '4' },
  },
  logIn: async (page, origin) => void (await page.goto(`${origin}/log-in`)),
} satisfies Site;
