import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../../../scripts/install-packages.mjs';
import { djangoPython } from '../../support/django-site.ts';
import type { Site } from '../site.ts';

const createUser =
  'from django.contrib.auth.models import User; User.objects.create_user("ann", password="only-for-tests")';

export default {
  title: 'Django',
  rendered: 'server',
  host: 'own',
  prepare: async ({ directory, run }) => {
    if (djangoPython() === null) {
      installPackages('django');
    }
    await cp('integrations/python/clip_host', join(directory, 'clip_host'), { recursive: true });
    await run(['ln', '-s', (await run(['which', djangoPython()!])).trim(), 'python']);
    await run(['./python', 'site.py', 'migrate', '--verbosity', '0']);
    await run(['./python', 'site.py', 'shell', '--command', createUser]);
  },
  build: ['cp', 'node_modules/clip-kit/dist/cdn/clip-kit.js', 'static/clip-kit.js'],
  client: ['static'],
  serve: { command: ['./python', 'site.py', 'runserver', '--noreload', '127.0.0.1:$PORT'] },
  logIn: async (page, origin) => {
    await page.goto(`${origin}/log-in`);
    await page.type('[name="username"]', 'ann');
    await page.type('[name="password"]', 'only-for-tests');
    await Promise.all([page.waitForNavigation(), page.click('button')]);
  },
} satisfies Site;
