import { installPackages } from '../../../tools/install-packages.mjs';
import { flaskModules, pythonWith } from '../../support/python.ts';
import type { Site } from '../site.ts';

export default {
  title: 'Flask',
  docs: ['start/html', 'sign-in/python'],
  rendered: 'server',
  host: 'sessions',
  prepare: async ({ run }) => {
    if (pythonWith(flaskModules) === null) installPackages('flask');
    await run(['ln', '-s', (await run(['which', pythonWith(flaskModules)!])).trim(), 'python']);
  },
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: {
    command: ['./python', '-m', 'flask', 'run', '--port', '$PORT'],
    env: { SECRET_KEY: 'only-for-tests' },
  },
  logIn: async (page, origin) => void (await page.goto(`${origin}/log-in`)),
} satisfies Site;
