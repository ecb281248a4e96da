import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../../../scripts/install-packages.mjs';
import { pythonWith } from '../../support/python.ts';
import type { Site } from '../site.ts';

const modules = 'flask, sqlite3';

export default {
  title: 'Flask',
  docs: ['start/html', 'hosts/flask'],
  rendered: 'server',
  host: 'own',
  prepare: async ({ directory, run }) => {
    if (pythonWith(modules) === null) installPackages('flask');
    await cp('integrations/python/clip_host', join(directory, 'clip_host'), { recursive: true });
    await run(['ln', '-s', (await run(['which', pythonWith(modules)!])).trim(), 'python']);
  },
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: {
    command: ['./python', '-m', 'flask', 'run', '--port', '$PORT'],
    env: { SECRET_KEY: 'only-for-tests' },
  },
  logIn: async (page, origin) => void (await page.goto(`${origin}/log-in`)),
} satisfies Site;
