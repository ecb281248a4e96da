import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../../../scripts/install-packages.mjs';
import { djangoPython } from '../../support/django-site.ts';
import type { Site } from '../site.ts';

const createUser =
  'from django.contrib.auth.models import User; User.objects.create_superuser("ann", password="only-for-tests")';

export default {
  title: 'Django',
  docs: ['hosts/django'],
  rendered: 'server',
  host: 'own',
  prepare: async ({ directory, run, service }) => {
    if (djangoPython() === null) installPackages('django');
    await cp('integrations/python/clip_host', join(directory, 'clip_host'), { recursive: true });
    await run(['ln', '-s', (await run(['which', djangoPython()!])).trim(), 'python']);
    const settings = [`CLIP_API_URL=${service.baseUrl}`, `CLIP_API_KEY=${service.apiKey}`];
    const manage = ['env', ...settings, './python', 'manage.py'];
    await run([...manage, 'migrate', '--verbosity', '0']);
    await run([...manage, 'shell', '--command', createUser]);
  },
  build: ['cp', '-r', 'node_modules/clip-kit/dist/cdn', 'static/clip-kit'],
  client: ['static'],
  serve: { command: ['./python', 'manage.py', 'runserver', '--noreload', '127.0.0.1:$PORT'] },
  without: { listener: 'the templates have no scripts' },
  logIn: async (page, origin) => {
    await page.goto(`${origin}/admin/login/?next=/clip`);
    await page.type('[name="username"]', 'ann');
    await page.type('[name="password"]', 'only-for-tests');
    await Promise.all([page.waitForNavigation(), page.click('[type="submit"]')]);
  },
} satisfies Site;
