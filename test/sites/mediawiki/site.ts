import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../../../tools/install-packages.mjs';
import type { Site } from '../site.ts';

const wiki = '/usr/share/mediawiki';
const parts = ['includes', 'languages', 'maintenance', 'resources', 'skins', 'vendor'];
const scripts = ['api.php', 'autoload.php', 'index.php', 'load.php'];
const password = 'only-for-tests-7f';
const runs = ['-r', 'exit(extension_loaded("curl") && extension_loaded("pdo_sqlite") ? 0 : 1);'];

export default {
  title: 'MediaWiki',
  docs: ['start/mediawiki'],
  rendered: 'no',
  host: 'sessions',
  prepare: async ({ directory, origin, run }) => {
    const found = existsSync(join(wiki, 'index.php')) && spawnSync('php', runs).status === 0;
    if (!found) installPackages('mediawiki');
    // The installer writes the settings that those of the page are added to.
    const settings = join(directory, 'LocalSettings.php');
    const added = await readFile(settings, 'utf8');
    await rm(settings);
    await run(['cp', '-r', ...[...parts, ...scripts].map((name) => join(wiki, name)), '.']);
    await run(['mkdir', 'data', 'cache', 'extensions', 'images']);
    const place = [`--server=${origin}`, '--scriptpath='];
    const data = ['--dbtype=sqlite', `--dbpath=${join(directory, 'data')}`];
    const install = ['php', 'maintenance/install.php', `--pass=${password}`, ...place, ...data];
    await run([...install, 'Wiki', 'Admin']);
    await appendFile(settings, added);
    const edit = (title: string, file: string) =>
      run(['sh', '-c', `php maintenance/edit.php --user Admin ${title} <${file}`]);
    // First, so that the main page finds it.
    await edit('Clip', 'Clip');
    await edit('Main_Page', 'Main_Page');
    await edit('MediaWiki:Common.js', 'Common.js');
    await run(['php', 'maintenance/createAndPromote.php', 'Ann', password]);
  },
  build: ['cp', 'node_modules/clip-kit/dist/cdn/clip-studio.js', '.'],
  serve: {
    command: ['php', '-S', '127.0.0.1:$PORT'],
    env: { PHP_CLI_SERVER_WORKERS: '6' },
  },
  paths: { home: '/index.php/Main_Page', clip: '/index.php/Clip' },
  // By the API: the form of this version warns of its own old module.
  logIn: async (page, origin) => {
    await page.goto(`${origin}/index.php/Main_Page`);
    const status = await page.evaluate(async (word) => {
      const api = '/api.php?format=json&action=';
      const { query } = await (await fetch(`${api}query&meta=tokens&type=login`)).json();
      const { logintoken } = query.tokens;
      const back = { loginreturnurl: location.href, logintoken };
      const body = new URLSearchParams({ username: 'Ann', password: word, ...back });
      const answer = await fetch(`${api}clientlogin`, { method: 'POST', body });
      return (await answer.json()).clientlogin.status;
    }, password);
    if (status !== 'PASS') throw new Error(`Ann could not log in: ${status}`);
  },
} satisfies Site;
