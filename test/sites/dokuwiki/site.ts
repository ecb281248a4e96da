import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { installPackages } from '../../../tools/install-packages.mjs';
import type { Site } from '../site.ts';

const wiki = '/usr/share/dokuwiki';
const password = 'only-for-tests-7f';
const hash = `echo "ann:".password_hash("${password}", PASSWORD_BCRYPT).":Ann:ann@site.example:user\\n";`;

/** Where the plugin says who is logged in. */
const session = '/lib/exe/ajax.php?call=clipsession';

/** Each line must stay text, or become an element that does no harm. */
const hostile = [
  `{{clip-preview>"><script>harm()</script>?loading=click|<img src=x onerror=harm()>}}`,
  `{{clip-preview>javascript:harm()|<script>harm()</script>}}`,
  `{{clip-preview>clip-1?loading=" onfocus="harm()" autofocus="|A quote}}`,
  `{{clip-embed>clip-1?endpoint=https://evil.example/host&session=https://evil.example/session}}`,
  `{{clip-preview>clip-1?player-url=https://evil.example|Elsewhere}}`,
  `{{clip-export-button>clip-1?onclick=harm()|Harm}}`,
  `{{clip-export-button>clip-1?Watermark-src=https://site.example/mark.png|Misspelt}}`,
];

/** As an author: writes a page and saves it. */
async function writePage(page: Page, address: string, lines: readonly string[]): Promise<void> {
  await page.goto(`${address}&do=edit`);
  await page.type('#wiki__text', lines.join('\n\n'));
  await Promise.all([page.waitForNavigation(), page.click('#edbtn__save')]);
}

async function assertSession(page: Page, origin: string): Promise<void> {
  // From another site, and from nobody.
  const headers = { Origin: 'https://evil.example' };
  const refused = await fetch(origin + session, { headers });
  assert.equal(refused.status, 401);
  assert.equal(await refused.text(), '{}');
  assert.equal(refused.headers.get('cache-control'), 'no-store');
  const cookies = await page.browserContext().cookies();
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  // The wiki ends the session of a browser with another name.
  const agent = await page.evaluate('navigator.userAgent');
  const granted = await fetch(origin + session, {
    headers: { ...headers, Cookie, 'User-Agent': String(agent) },
  });
  assert.equal(granted.status, 200);
  assert.equal(granted.headers.get('cache-control'), 'no-store');
  assert.equal(granted.headers.get('content-type'), 'application/json');
  assert.equal(granted.headers.get('access-control-allow-origin'), null);
  const { session: text } = (await granted.json()) as { session: string };
  const claims = JSON.parse(Buffer.from(text.split('.')[1]!, 'base64url').toString());
  assert.equal(claims.sub, 'ann');
  assert.equal(claims.exp - claims.iat, 900);
}

/** In a page of its own, because its console says what is refused. */
async function assertHarmless(of: Page, origin: string): Promise<void> {
  const page = await of.browserContext().newPage();
  try {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.evaluateOnNewDocument(`
      globalThis.harm = () => { globalThis.isHarmed = true; };
      globalThis.said = '';
      console.error = (...words) => { globalThis.said += words.join(' '); };
    `);
    await writePage(page, `${origin}/doku.php?id=hostile`, hostile);
    for (const name of ['endpoint', 'onclick']) {
      await page.waitForFunction(`said.includes('data-clip-${name} cannot be set here')`);
    }
    const harm = await page.evaluate(() => ({
      isHarmed: 'isHarmed' in globalThis,
      handlers: [...document.querySelectorAll('.page *')].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith('on')),
      ),
      scripts: document.querySelectorAll('.page script, .page img').length,
      links: [...document.querySelectorAll('.page [data-clip-preview] a')].map(
        (link) => new URL((link as HTMLAnchorElement).href).pathname,
      ),
      elements: document.querySelectorAll(
        '.page clip-embed, .page clip-export-button, .page clip-preview[player-url]',
      ).length,
      text: document.querySelector('.page')!.textContent,
    }));
    const { links, text, ...none } = harm;
    assert.deepEqual(none, { isHarmed: false, handlers: [], scripts: 0, elements: 0 });
    assert.deepEqual(links, [
      '/player/%22%3E%3Cscript%3Eharm%28%29%3C%2Fscript%3E',
      '/player/javascript%3Aharm%28%29',
      '/player/clip-1',
      '/player/clip-1',
    ]);
    assert.ok(text.includes('<img src=x onerror=harm()>'), text);
    assert.ok(text.includes(hostile.at(-1)!), text);
    assert.deepEqual(
      asked.filter((url) => url.includes('evil.example')),
      [],
    );
  } finally {
    await page.close();
  }
}

export default {
  title: 'DokuWiki',
  docs: ['start/dokuwiki'],
  rendered: 'no',
  host: 'sessions',
  prepare: async ({ run }) => {
    const found = existsSync(join(wiki, 'doku.php')) && spawnSync('php', ['-v']).status === 0;
    if (!found) installPackages('dokuwiki');
    // As in the archive of the wiki: Debian has its settings and data elsewhere.
    const parts = ['doku.php', 'index.php', 'inc', 'lib', 'vendor', 'VERSION'];
    const copies = [
      `cp -rL ${parts.map((name) => join(wiki, name)).join(' ')} .`,
      'rm inc/preload.php',
      'cp -n /etc/dokuwiki/*.conf /etc/dokuwiki/dokuwiki.php /etc/dokuwiki/license.php conf/',
      'cp -n /etc/dokuwiki/mediameta.php /etc/dokuwiki/plugins.php conf/',
      'cp -n /etc/dokuwiki/plugins.required.php conf/',
      'cd data && mkdir attic cache index locks log media media_attic media_meta meta tmp',
    ];
    await run(['sh', '-ec', copies.join('\n')]);
    await run(['sh', '-ec', `php -r '${hash}' >conf/users.auth.php`]);
  },
  build: ['cp', 'node_modules/clip-kit/dist/cdn/clip-studio.js', 'lib/plugins/clips/'],
  serve: {
    command: ['php', '-S', '127.0.0.1:$PORT'],
    env: { PHP_CLI_SERVER_WORKERS: '6' },
  },
  paths: { home: '/doku.php?id=start', clip: '/doku.php?id=clip' },
  logIn: async (page, origin) => {
    await page.goto(`${origin}/doku.php?id=start&do=login`);
    await page.type('#dw__login [name="u"]', 'ann');
    await page.type('#dw__login [name="p"]', password);
    await Promise.all([page.waitForNavigation(), page.click('#dw__login [type="submit"]')]);
  },
  look: async (page, origin) => {
    await assertSession(page, origin);
    await assertHarmless(page, origin);
    // The author pastes the address of a clip.
    const content = `document.querySelector('meta[name="clip-config"]').content`;
    const service = await page.evaluate(`/player-url=([^,]+)/.exec(${content})[1]`);
    const pasted = `${String(service)}/player/clip-1`;
    await writePage(page, `${origin}/doku.php?id=pasted`, ['====== Pasted ======', pasted]);
    await page.waitForSelector('.dokuwiki clip-preview');
    await page.setViewport({ width: 390, height: 844 });
    const sideways = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.equal(sideways, 0, 'the page with a clip is wider than a phone');
    await page.setViewport({ width: 800, height: 600 });
  },
} satisfies Site;
