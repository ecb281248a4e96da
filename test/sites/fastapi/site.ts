import { installPackages } from '../../../tools/install-packages.mjs';
import { fastapiModules, pythonWith } from '../../support/python.ts';
import type { Site } from '../site.ts';

export default {
  title: 'FastAPI',
  docs: ['start/html', 'sign-in/python'],
  rendered: 'server',
  host: 'sessions',
  prepare: async ({ run }) => {
    if (pythonWith(fastapiModules) === null) installPackages('fastapi');
    await run(['ln', '-s', (await run(['which', pythonWith(fastapiModules)!])).trim(), 'python']);
  },
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: {
    command: ['./python', '-m', 'uvicorn', 'main:app', '--port', '$PORT'],
    env: { SECRET_KEY: 'only-for-tests' },
  },
  logIn: async (page, origin) => void (await page.goto(`${origin}/log-in`)),
} satisfies Site;
