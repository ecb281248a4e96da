import { installPackages } from '../../../tools/install-packages.mjs';
import { djangoModules, pythonWith } from '../../support/python.ts';
import type { Site } from '../site.ts';

const createUser =
  'from django.contrib.auth.models import User; User.objects.create_superuser("ann", password="only-for-tests")';

export default {
  title: 'Django',
  docs: ['start/html', 'sign-in/python'],
  rendered: 'server',
  host: 'sessions',
  prepare: async ({ run }) => {
    if (pythonWith(djangoModules) === null) installPackages('django');
    await run(['ln', '-s', (await run(['which', pythonWith(djangoModules)!])).trim(), 'python']);
    const manage = ['./python', 'manage.py'];
    await run([...manage, 'migrate', '--verbosity', '0']);
    await run([...manage, 'shell', '--command', createUser]);
  },
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: { command: ['./python', 'manage.py', 'runserver', '--noreload', '127.0.0.1:$PORT'] },
  logIn: async (page, origin) => {
    await page.goto(`${origin}/admin/login/?next=/clip`);
    await page.type('[name="username"]', 'ann');
    await page.type('[name="password"]', 'only-for-tests');
    await Promise.all([page.waitForNavigation(), page.click('[type="submit"]')]);
  },
} satisfies Site;
