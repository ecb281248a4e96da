import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../../../scripts/install-packages.mjs';
import type { Site } from '../site.ts';

const runs = ['-r', 'exit(extension_loaded("curl") && extension_loaded("pdo_sqlite") ? 0 : 1);'];

export default {
  title: 'PHP',
  docs: ['start/html', 'hosts/php'],
  rendered: 'server',
  host: 'own',
  prepare: async ({ directory }) => {
    if (spawnSync('php', runs).status !== 0) installPackages('php');
    const library = join(directory, 'clip-kit/integrations/php');
    await cp('integrations/php', library, { recursive: true });
  },
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: {
    command: ['php', '-S', '127.0.0.1:$PORT', '-t', 'public', 'site.php'],
    env: { PHP_CLI_SERVER_WORKERS: '4' },
  },
  logIn: async (page, origin) => void (await page.goto(`${origin}/log-in`)),
} satisfies Site;
