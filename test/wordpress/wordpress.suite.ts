/**
 * The plugin in a real WordPress, in a browser: an administrator sets it up, an author inserts a
 * clip and a studio, a visitor watches, a member exports once and makes clips. The steps build on
 * each other.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Browser, ElementHandle, Page } from 'puppeteer-core';
import { buildWordpressPlugin } from '../../tools/wordpress-plugin.ts';
import { launchBrowser, openPage } from 'clip-testkit/browser';
import { ClipWorld, clipId } from '../sites/clip-world.ts';
import { sessionSecret } from '../sites/packed-kit.ts';
import { listen } from 'clip-testkit/mounted-host';
import {
  insertBlock,
  logIntoWordPress,
  press,
  publishPost,
  sessionHost,
  WordPressSite,
} from '../support/wordpress-site.ts';

type Opened = Awaited<ReturnType<typeof openPage>>;

/** What the test uses of the editor's own scripts. */
interface WordPressScripts {
  readonly blocks: { createBlock(name: string, attributes: object): object };
  readonly data: { dispatch(store: string): { insertBlocks(block: object): void } };
}

const desktop = { width: 1280, height: 900 };
const users = ['admin', 'eva', 'ann', 'mia', 'ben'] as const;

let directory: string;
let world: ClipWorld;
let site: WordPressSite;
let browser: Browser;
/** A page for each user, logged in. */
const opened = new Map<string, Opened>();
let post: string;

const pageOf = (user: (typeof users)[number]): Page => opened.get(user)!.page;

/** A visitor's page in a context of its own. */
async function asVisitor<T>(work: (one: Opened) => Promise<T>): Promise<T> {
  const one = await openPage(browser, desktop);
  try {
    return await work(one);
  } finally {
    await one.close();
  }
}

const statusIs = (page: Page, tag: string, status: string): Promise<unknown> =>
  page.waitForFunction(
    (name, wanted) =>
      (document.querySelector(name) as { status?: string } | null)?.status === wanted,
    {},
    tag,
    status,
  );

/** Fills in the settings page, and returns what it then says. */
async function setUp(
  fields: Readonly<Record<string, string>>,
  button: '#submit' | '#test' = '#test',
): Promise<string> {
  const page = pageOf('admin');
  await page.goto(`${world.origin}/wp-admin/options-general.php?page=clip-kit`);
  await page.evaluate((values) => {
    for (const [name, value] of Object.entries(values)) {
      document.querySelector<HTMLInputElement>(`[name="${name}"]`)!.value = value;
    }
  }, fields);
  await Promise.all([page.waitForNavigation(), page.click(button)]);
  const html = await page.content();
  assert.ok(!html.includes(sessionSecret), 'the secret is in the page');
  return page.$eval('#clip-kit-notice', (notice) => notice.textContent!.trim());
}

/** What the host answers to a call with the session of a page; null without a session. */
const askHost = (page: Page, path: string, body?: object) =>
  page.evaluate(
    async (url, sent) => {
      const signed = await fetch('/wp-admin/admin-ajax.php?action=clip_kit_session');
      const { session } = (await signed.json()) as { session?: string };
      if (!session) return { signed: signed.status };
      const Authorization = `Bearer ${session}`;
      const headers = { Authorization, 'Idempotency-Key': crypto.randomUUID() };
      const answer = sent
        ? await fetch(url, {
            method: 'POST',
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify(sent),
          })
        : await fetch(url, { headers: { Authorization } });
      const claims = session.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
      return {
        signed: signed.status,
        cache: signed.headers.get('Cache-Control'),
        claims: JSON.parse(atob(claims)) as Record<string, unknown>,
        status: answer.status,
      };
    },
    `${world.frames}/host/${path}`,
    body,
  );

/** Publishes a post by the REST API, as its author in the editor would. */
const publish = (user: (typeof users)[number], content: string): Promise<string> =>
  pageOf(user).evaluate(async (text) => {
    const nonce = await (await fetch('/wp-admin/admin-ajax.php?action=rest-nonce')).text();
    const answer = await fetch('/wp-json/wp/v2/posts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-WP-Nonce': nonce },
      body: JSON.stringify({ title: 'A post', content: text, status: 'publish' }),
    });
    return ((await answer.json()) as { link: string }).link;
  }, content);

/** The files of the kit that a page has loaded. */
const scriptsOf = (page: Page): Promise<string[]> =>
  page.$$eval('script[src*="/clip-kit/script/"]', (all) =>
    all.map(({ src }) => new URL(src).pathname.split('/').at(-1)!),
  );

/** What the plugin has in the database. */
const stored = (): string[] => [
  ...site.sql("SHOW TABLES LIKE '%clip%'"),
  ...site.sql("SELECT option_name FROM wp_options WHERE option_name LIKE '%clip_kit%'"),
];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clip-wordpress-'));
  const archive = join(directory, 'clip-kit.zip');
  await writeFile(archive, await buildWordpressPlugin());
  [world, browser] = await Promise.all([ClipWorld.open({ sessionHost }, true), launchBrowser()]);
  site = await WordPressSite.open(directory, world.origin, archive);
  world.serve({ port: site.port });
  for (const user of users) {
    const one = await openPage(browser, desktop);
    opened.set(user, one);
    await logIntoWordPress(one.page, world.origin, user);
  }
});

after(async () => {
  await browser.close();
  await site?.close();
  await world.close();
  await rm(directory, { recursive: true, force: true });
});

it('an administrator activates the plugin', async () => {
  const page = pageOf('admin');
  await page.goto(`${world.origin}/wp-admin/plugins.php`);
  await Promise.all([page.waitForNavigation(), page.click('#activate-clip-kit')]);
  assert.ok(await page.$('#deactivate-clip-kit'));
  assert.deepEqual(stored(), []);
});

it('the settings page says in a sentence what is wrong', async (t) => {
  const { service, origin } = world;
  const serve = async (apiKey: string, pages: string) => {
    const host = sessionHost({ baseUrl: service.baseUrl, apiKey }, pages);
    return `${await listen(createServer(host), t)}/host`;
  };
  const host_secret = sessionSecret;
  const host_url = `${world.frames}/host`;
  assert.match(await setUp({}), /^Enter the address of the host and its secret\.$/);
  assert.match(
    await setUp({ host_url: 'https://clips.example/#host' }),
    /^This is not an address: https:/,
  );
  assert.match(await setUp({ host_url, host_secret: 'short' }), /at least 32 characters/);
  const guessed = await setUp({ host_url, host_secret: 'x'.repeat(40) });
  assert.match(guessed, /^The host does not accept the sessions of this site: .* another secret/);
  const nobody = await setUp({ host_url: 'http://127.0.0.1:9/host', host_secret });
  assert.match(nobody, /^The host cannot be reached from this server: ./);
  assert.match(await setUp({ host_url: `${origin}/v9`, host_secret }), /but no clip host/);
  const others = await serve(service.apiKey, 'https://elsewhere.example');
  assert.ok(
    (await setUp({ host_url: others, host_secret })).includes(`Add ${origin} to its origins`),
  );
  assert.equal(
    await setUp({ host_url: await serve('not-the-key', origin), host_secret }),
    'The host accepts this site, but cannot use its clip service: The service rejected the API key of this host.',
  );
  assert.match(await setUp({ host_url, host_secret }), /^It works/);
});

it('keeps the secret when other settings are saved, and drops it for another host', async () => {
  assert.match(await setUp({ poster_url: '' }), /^It works/);
  const elsewhere = await setUp({ host_url: 'https://elsewhere.example/host' });
  assert.match(elsewhere, /and its secret\.$/);
  const again = { host_url: `${world.frames}/host`, host_secret: sessionSecret };
  assert.match(await setUp(again), /^It works/);
});

it('an author inserts a block and a shortcode', async () => {
  const page = pageOf('ann');
  await insertBlock(page, world.origin, 'Harbour at dawn', 'Clip');
  await page.waitForSelector('.wp-block-clip-kit-preview input');
  await page.type('.wp-block-clip-kit-preview input', `${world.frames}/player/${clipId}`);
  await page.keyboard.press('Enter');
  await page.waitForSelector(
    '.wp-block-clip-kit-preview clip-preview[project="clip-1"]:state(poster)',
  );
  await statusIs(page, 'clip-preview', 'idle');
  await page.evaluate((id) => {
    const { blocks, data } = (globalThis as unknown as { wp: WordPressScripts }).wp;
    const text = `[clip_export id="${id}"]Export the clip[/clip_export]`;
    data.dispatch('core/block-editor').insertBlocks(blocks.createBlock('core/shortcode', { text }));
  }, clipId);
  post = await publishPost(page);
  assert.match(
    site.sql(
      "SELECT post_content FROM wp_posts WHERE post_title = 'Harbour at dawn' AND post_status = 'publish'",
    )[0]!,
    /wp:clip-kit\/preview/,
  );
});

it('a visitor watches, and is asked to log in for an export', async () => {
  await asVisitor(async ({ page, problems }) => {
    await page.goto(post);
    await page.waitForSelector('clip-preview:state(poster)');
    await press(page, 'clip-preview >>> [part="play"]');
    await statusIs(page, 'clip-preview', 'ready');
    await page.waitForFunction(() => document.querySelector('clip-preview')!.currentTime > 0);
    assert.equal(await page.$('clip-export-button'), null);
    assert.match(await page.$eval('.clip-kit-log-in', (one) => one.textContent!), /^Log in/);
    const html = await page.content();
    assert.doesNotMatch(html, /nonce=|endpoint=|eyJ/);
    assert.deepEqual(problems, []);
    assert.deepEqual(await askHost(page, 'exports'), { signed: 401 });
  });
});

it('a member without the right to export has no button, and a start by hand is refused', async () => {
  const page = pageOf('mia');
  await page.goto(post);
  await statusIs(page, 'clip-preview', 'idle');
  assert.equal(await page.$('clip-export-button'), null);
  const refused = await askHost(page, 'exports', { project_id: clipId });
  assert.deepEqual([refused.status, refused.claims?.['permissions']], [403, ['view']]);
  assert.equal(world.starts.length, 0);
});

it('a member exports once, and finds the export again after a reload', async () => {
  assert.match(await setUp({ export_capability: 'read' }, '#submit'), /^Settings saved\.$/);
  const { page, problems } = opened.get('mia')!;
  problems.splice(0);
  await page.goto(post);
  await page.waitForFunction(() => customElements.get('clip-export-button'));
  await press(page, 'clip-export-button >>> [part="button"]');
  await statusIs(page, 'clip-export-button', 'processing');
  await page.reload();
  await statusIs(page, 'clip-export-button', 'processing');
  for (const { id } of world.service.world.exports.values()) world.service.world.finish(id);
  await statusIs(page, 'clip-export-button', 'ready');
  const asked = page.waitForResponse(
    (answer) => answer.url().endsWith('/download') && answer.request().method() === 'POST',
  );
  await press(page, 'clip-export-button >>> .download');
  assert.equal((await asked).status(), 201);
  assert.equal(world.starts.length, 1);
  assert.deepEqual(problems, []);
});

it('a session names the member for a quarter of an hour, and only to pages of the site', async () => {
  const page = pageOf('mia');
  const content = await page.$eval('meta[name="clip-config"]', (meta) => meta.content);
  assert.ok(content.includes(`endpoint=${world.frames}/host, session=/wp-admin/admin-ajax.php?`));
  assert.doesNotMatch(await page.content(), /eyJ/);
  const { claims, cache, status } = await askHost(page, 'exports');
  assert.equal(status, 200);
  assert.match(cache ?? '', /\bno-store\b/);
  const { sub, iat, exp, ...others } = claims as { sub: string; iat: number; exp: number };
  const [id] = site.sql("SELECT ID FROM wp_users WHERE user_login = 'mia'");
  assert.deepEqual([others, exp - iat], [{ aud: 'clip-host' }, 900]);
  assert.match(sub, new RegExp(`^${id}-\\d{10}$`));
  const cookies = await page.browserContext().cookies();
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const url = `${world.origin}/wp-admin/admin-ajax.php?action=clip_kit_session`;
  const answer = await fetch(url, { headers: { Cookie, Origin: 'https://elsewhere.example' } });
  assert.equal(answer.headers.get('Access-Control-Allow-Origin'), null);
});

it('authors may mark a block or a link, and editors may write the tags', async () => {
  const marked = `<div data-clip-preview="${clipId}"></div>`;
  const tag = `<clip-preview project="${clipId}" loading="click">A clip</clip-preview>`;
  const [byAuthor, byEditor] = [await publish('ann', marked + tag), await publish('eva', tag)];
  await asVisitor(async ({ page, problems }) => {
    await page.goto(byAuthor);
    await page.waitForSelector('[data-clip-preview] > clip-preview');
    assert.equal((await page.$$('clip-preview')).length, 1);
    await page.goto(byEditor);
    await statusIs(page, 'clip-preview', 'idle');
    assert.deepEqual(problems, []);
  });
});

it('a feed is links with pictures in the HTML, and plays for a visitor', async () => {
  const content = `<!-- wp:clip-kit/feed {"clips":"${clipId} Harbour\\n${clipId}-2"} /-->`;
  const link = await publish('ann', content);
  const html = await (await fetch(link)).text();
  const [feed = ''] = /<clip-feed.*<\/clip-feed>/s.exec(html) ?? [];
  assert.match(feed, new RegExp(`<a href="[^"]*/player/${clipId}"><img [^>]*alt="Harbour"`));
  await asVisitor(async ({ page }) => {
    await page.goto(link);
    await page.waitForSelector('clip-feed:state(ready)');
    const titles = await page.$eval('clip-feed', (feed) =>
      Array.from(feed.shadowRoot!.querySelectorAll('[part=title]'), (one) => one.textContent),
    );
    assert.deepEqual(titles, ['Harbour', '']);
    await page.waitForSelector('clip-feed >>> clip-preview:state(ready)');
  });
});

/** What only members see. */
const forMembers =
  'clip-embed, clip-export-button, clip-create, clip-videos, clip-list, clip-feed[folder]';

const written: Readonly<Record<string, string>> = {
  'a marked block': `<div data-clip-export-button="${clipId}">Export</div>`,
  'a marked link': `<p><a data-clip-embed="${clipId}" href="/about">Edit</a></p>`,
  'a tag': `<clip-export-button project="${clipId}">Export</clip-export-button>`,
  'a tag in a group': `<!-- wp:group --><div class="wp-block-group"><!-- wp:html --><clip-embed project="${clipId}"></clip-embed><!-- /wp:html --></div><!-- /wp:group -->`,
  'a tag for new videos': '<clip-create options="count"></clip-create>',
  'a marked list of videos': '<div data-clip-videos data-clip-page-size="6"></div>',
  'a marked list of clips': '<div data-clip-list="folder-1"></div>',
  'a feed of a folder': '<clip-feed folder="folder-1"></clip-feed>',
};
for (const [name, text] of Object.entries(written)) {
  it(`asks a visitor to log in where a text has ${name}, and shows a member the element`, async () => {
    const link = await publish('eva', text);
    await asVisitor(async ({ page, problems }) => {
      await page.goto(link);
      assert.equal(await page.$(forMembers), null);
      assert.match(await page.$eval('.clip-kit-log-in', (one) => one.textContent!), /^Log in/);
      assert.deepEqual(problems, []);
    });
    await pageOf('mia').goto(link);
    await pageOf('mia').waitForFunction(
      (selector) => (document.querySelector(selector) as { status?: string } | null)?.status,
      {},
      forMembers,
    );
    assert.equal(await pageOf('mia').$('.clip-kit-log-in'), null);
  });
}

/** Publishes what WordPress would filter, as somebody may whom it lets write everything. */
async function publishUnfiltered(content: string): Promise<string> {
  const link = await publish('eva', 'To be replaced');
  const hex = Buffer.from(content).toString('hex');
  site.sql(
    `UPDATE wp_posts SET post_content = UNHEX('${hex}') WHERE post_content = 'To be replaced'`,
  );
  return link;
}

const evil = 'https://elsewhere.example';
const refused: Readonly<Record<string, string>> = {
  'an address of a tag': `<clip-export-button project="${clipId}" endpoint="${evil}"></clip-export-button>`,
  'an address of a preview': `<clip-preview project="${clipId}" player-url="${evil}"></clip-preview>`,
  'an address of a marked block': `<div data-clip-export-button="${clipId}" data-clip-endpoint="${evil}"></div>`,
  'an address of a block': `<!-- wp:clip-kit/export {"id":"${clipId}","endpoint":"${evil}"} /-->`,
  'an address of a shortcode': `[clip_export id="${clipId}" endpoint="${evil}"]`,
  'an address of a studio': `[clip_studio endpoint="${evil}"]`,
  'an address of the styles of a studio': `[clip_studio presets_url="${evil}"]`,
  'an address of a block of the studio': `<!-- wp:clip-kit/studio {"endpoint":"${evil}"} /-->`,
  'an address of a tag for new videos': `<clip-create presets-url="${evil}"></clip-create>`,
  'an address of a feed': `[clip_feed clips="${clipId}" endpoint="${evil}"]`,
  'an address of a marked list': `<div data-clip-list="folder-1" data-clip-endpoint="${evil}"></div>`,
  'a misspelt option of a tag': `<clip-export-button project="${clipId}" watermark-scr="${evil}/m.png"></clip-export-button>`,
  'a misspelt option of a marked block': `<div data-clip-export-button="${clipId}" data-clip-watermark-scr="${evil}/m.png"></div>`,
};
for (const [name, text] of Object.entries(refused)) {
  it(`${name} leaves no element, and only those who write see the reason`, async () => {
    for (const link of [await publish('eva', text), await publishUnfiltered(text)]) {
      for (const user of ['mia', 'eva'] as const) {
        const page = pageOf(user);
        await page.goto(link);
        assert.equal(await page.$(`${forMembers}, clip-preview, clip-feed`), null);
        const hints = await page.$$eval('.clip-kit-card', (all) =>
          all.map((one) => one.textContent!),
        );
        assert.equal(hints.length, user === 'eva' ? 1 : 0);
        if (user === 'eva') {
          assert.match(
            hints[0]!,
            /There is no option “(endpoint|player-url|presets[-_]url|watermark-scr)” here/,
          );
        }
      }
    }
  });
}

it('settings around the elements of a text are left out', async () => {
  const link = await publishUnfiltered(
    `<clip-config endpoint="${evil}"><clip-export-button project="${clipId}"></clip-export-button></clip-config>`,
  );
  await pageOf('mia').goto(link);
  await pageOf('mia').waitForSelector('clip-export-button');
  assert.equal(await pageOf('mia').$('clip-config, [endpoint]'), null);
});

it('the address of a player on a line of its own becomes the player', async () => {
  const link = await publish('ann', `Look:\n\n${world.frames}/player/${clipId}\n\nNice.`);
  await asVisitor(async ({ page }) => {
    await page.goto(link);
    await statusIs(page, 'clip-preview', 'idle');
    assert.equal(await page.$eval('clip-preview', (one) => one.project), clipId);
  });
});

it('shortcodes escape what they are given', async () => {
  const link = await publish(
    'ann',
    `[clip_preview id='${clipId}' title='"><img src=x onerror=alert(1)>' poster='javascript:alert(1)']`,
  );
  await asVisitor(async ({ page }) => {
    await page.goto(link);
    await statusIs(page, 'clip-preview', 'idle');
    assert.equal(await page.$('img[onerror]'), null);
    assert.equal(await page.$eval('clip-preview', (one) => one.getAttribute('poster')), null);
  });
});

it('a watermark of a shortcode is kept, and a misspelt one leaves no button', async () => {
  const mark = 'https://site.example/mark.png';
  const right = await publish('ann', `[clip_export id="${clipId}" watermark_src="${mark}"]`);
  const wrong = await publish('ann', `[clip_export id="${clipId}" watermark_scr="${mark}"]`);
  const tag = `<clip-export-button project="${clipId}" watermark-src="${mark}"></clip-export-button>`;
  const byEditor = await publish('eva', tag);
  const page = pageOf('mia');
  for (const link of [right, byEditor]) {
    await page.goto(link);
    await page.waitForFunction(() => document.querySelector('clip-export-button')?.status);
    const src = await page.$eval('clip-export-button', (one) => one.getAttribute('watermark-src'));
    assert.equal(src, mark);
  }
  await page.goto(wrong);
  assert.equal(await page.$('clip-export-button'), null);
  await pageOf('ann').goto(wrong);
  assert.match(
    await pageOf('ann').$eval('.clip-kit-card', (one) => one.textContent!),
    /watermark_scr/,
  );
});

it('the block of the clip editor lets visitors edit if the author says so', async () => {
  const block = (more: object) =>
    `<!-- wp:clip-kit/embed ${JSON.stringify({ id: clipId, ...more })} /-->`;
  const page = pageOf('mia');
  for (const [content, edit] of [
    [block({}), null],
    [block({ edit: false }), null],
    [block({ edit: true }), 'true'],
    [`[clip_embed id="${clipId}" edit]`, 'true'],
  ] as const) {
    await page.goto(await publish('ann', content));
    await page.waitForFunction(() => document.querySelector('clip-embed')?.status);
    const found = await page.$eval('clip-embed', (one) => [one.getAttribute('edit'), one.edit]);
    assert.deepEqual(found, [edit, edit !== null]);
  }
});

let studio: string;

it('an author inserts a studio, and says what it makes', async () => {
  const page = pageOf('ann');
  await insertBlock(page, world.origin, 'Make clips', 'Clip studio');
  await page.waitForSelector('.wp-block-clip-kit-studio .clip-kit-card');
  const labelled = (text: string) => `xpath/.//*[@id=//label[normalize-space()="${text}"]/@for]`;
  await (await page.waitForSelector(labelled('Number of clips, at most')))!.type('5');
  await (await page.waitForSelector(labelled('Length of a clip, in seconds')))!.type('30');
  await press(page, 'xpath/.//button[.="What users can change"]');
  await press(page, labelled('Emoji'));
  studio = await publishPost(page);
  await page.goto(studio);
  assert.deepEqual(
    await page.$eval('clip-create', ({ count, length, options }) => [count, length, options]),
    [5, 30, 'kind topics count length language translation shape captions title silences fillers'],
  );
});

it('a visitor is asked to log in for a studio, and who may not make clips sees none', async () => {
  await asVisitor(async ({ page, problems }) => {
    await page.goto(studio);
    assert.equal(await page.$('.clip-kit-studio, clip-create'), null);
    const link = await page.$eval('.clip-kit-log-in a', (one) => [one.textContent, one.href]);
    assert.equal(link[0], 'Log in to make clips');
    assert.equal(new URL(link[1]!).searchParams.get('redirect_to'), studio);
    assert.deepEqual(problems, []);
  });
  assert.match(await setUp({ export_capability: 'publish_posts' }, '#submit'), /saved/);
  const page = pageOf('mia');
  await page.goto(studio);
  assert.equal(await page.$('.clip-kit-studio, clip-create, .clip-kit-log-in'), null);
  assert.deepEqual(await scriptsOf(page), []);
  const video = { source_video_url: 'https://site.example/talk.mp4' };
  const statuses = [
    (await askHost(page, 'uploads', { name: 'talk.mp4', size: 10 })).status,
    (await askHost(page, 'tasks/video-to-shorts', video)).status,
  ];
  assert.deepEqual(statuses, [403, 403]);
  assert.match(await setUp({ export_capability: 'read' }, '#submit'), /saved/);
});

it('a member makes clips of a file: one task, a video in the list, and its clips', async () => {
  const { page, problems } = opened.get('mia')!;
  problems.splice(0);
  const { world: service } = world.service;
  const before = world.tasks.length;
  await page.goto(studio);
  assert.deepEqual(await scriptsOf(page), ['clip-studio.js']);
  await statusIs(page, 'clip-videos', 'ready');
  const bytes = Buffer.alloc(300_000, 'a talk ');
  const file = join(directory, 'a talk.mp4');
  await writeFile(file, bytes);
  const input = await page.waitForSelector('clip-create >>> input[type="file"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(file);
  await statusIs(page, 'clip-create', 'chosen');
  await press(page, 'clip-create >>> .start');
  await statusIs(page, 'clip-create', 'started');
  const sent = [...service.uploads.values()].at(-1)!;
  assert.ok(sent.bytes.equals(bytes), `${sent.bytes.length} bytes have come`);
  assert.equal(world.tasks.length, before + 1);
  const { source_video_url, max_clip_count } = world.tasks.at(-1) as Record<string, unknown>;
  assert.equal(source_video_url, sent.upload.url);
  assert.equal(max_clip_count, 5);
  const { id, author, output_id: folder } = [...service.tasks.values()].at(-1)!;
  await page.waitForFunction(
    (task) => document.querySelector('clip-videos')!.selected === task,
    {},
    id,
  );
  service.addProject(author, folder, { name: 'The best moment' });
  service.changeTask(id, { status: 'ready', clip_count: 1 });
  await statusIs(page, 'clip-list', 'ready');
  const titles = await page.$$eval('clip-list >>> [part="title"]', (all) =>
    all.map((one) => one.textContent!.trim()),
  );
  assert.deepEqual(titles, ['The best moment']);
  assert.deepEqual(problems, []);
});

it('two studios on a page are apart', async () => {
  const page = pageOf('mia');
  await page.goto(await publish('ann', '[clip_studio]\n\n[clip_studio kind="video" options=""]'));
  await page.waitForFunction(() => document.querySelector('clip-create')?.status);
  const links = await page.$$eval('.clip-kit-studio', (all) =>
    all.map((one) => {
      const [create, videos] = [
        one.querySelector('clip-create')!,
        one.querySelector('clip-videos')!,
      ];
      const ends = [create, videos].map((from) => document.getElementById(from.for!));
      return ends.every((end, at) => end === one.children[at + 1]);
    }),
  );
  assert.deepEqual(links, [true, true]);
  assert.deepEqual(
    await page.$$eval('clip-create', (all) => all.map(({ kind, options }) => [kind, options])),
    [
      ['shorts', null],
      ['video', ''],
    ],
  );
});

it('the block of the studio has every setting of its element', async () => {
  // prettier-ignore
  const settings = {
    kind: 'video', count: 3, clipLength: 45, language: 'pt-BR', translateTo: 'de', shape: '1:1', noCaptions: true,
    noEmojis: true, noTitle: true, removeSilences: true, removeFillers: true, topics: 'bees', presetId: 'card', options: '',
  };
  const { attributes } = JSON.parse(
    await readFile('integrations/wordpress/blocks/studio/block.json', 'utf8'),
  ) as { attributes: object };
  assert.deepEqual(Object.keys(settings).sort(), Object.keys(attributes).sort());
  const page = pageOf('mia');
  await page.goto(await publish('ann', `<!-- wp:clip-kit/studio ${JSON.stringify(settings)} /-->`));
  const { clipLength: length, ...others } = settings;
  const wanted = { ...others, length };
  const found = await page.$eval(
    'clip-create',
    (create, names) => names.map((name) => [name, create[name]]),
    Object.keys(wanted) as (keyof typeof wanted)[],
  );
  assert.deepEqual(Object.fromEntries(found), wanted);
});

const pages: Readonly<Record<string, readonly [content: string, script: string]>> = {
  'a clip': [`[clip_preview id="${clipId}"]`, 'clip-kit.js'],
  'a clip before a studio': [`[clip_preview id="${clipId}"]\n\n[clip_studio]`, 'clip-studio.js'],
  'a studio before a clip': [`[clip_studio]\n\n[clip_preview id="${clipId}"]`, 'clip-studio.js'],
  'a list as a tag': [
    `<!-- wp:clip-kit/preview {"id":"${clipId}"} /--><clip-list folder="f"></clip-list>`,
    'clip-studio.js',
  ],
  'a feed': [`[clip_feed clips="${clipId}"]`, 'clip-studio.js'],
  'marked videos': ['<div data-clip-videos></div>', 'clip-studio.js'],
};
for (const [name, [content, script]] of Object.entries(pages)) {
  it(`a page with ${name} has one script, ${script}`, async () => {
    const page = pageOf('mia');
    await page.goto(await publish('eva', content));
    assert.deepEqual(await scriptsOf(page), [script]);
  });
}

it('a second member has videos and exports of their own', async () => {
  const [project] = [...world.service.world.projects.values()].filter(
    ({ name }) => name === 'The best moment',
  );
  const starts = world.starts.length;
  const page = pageOf('ben');
  await page.goto(studio);
  await statusIs(page, 'clip-videos', 'ready');
  assert.equal(await page.$('clip-videos >>> [part="title"]'), null);
  await page.goto(await publish('ann', `[clip_export id="${project!.id}"]Export[/clip_export]`));
  await page.waitForFunction(() => customElements.get('clip-export-button'));
  await press(page, 'clip-export-button >>> [part="button"]');
  await page.waitForFunction(
    () => document.querySelector('clip-export-button')!.error?.code === 'clip-not-found',
  );
  assert.equal((await askHost(page, `projects/${project!.id}`)).status, 404);
  assert.equal(world.starts.length, starts + 1);
});

it('who logs out has no session', async () => {
  const page = pageOf('ben');
  const url = await page.evaluate(async () => {
    const text = await (await fetch('/wp-admin/profile.php')).text();
    return new DOMParser()
      .parseFromString(text, 'text/html')
      .querySelector<HTMLAnchorElement>('#wp-admin-bar-logout a')!.href;
  });
  await page.goto(url);
  await page.goto(post);
  assert.deepEqual(await askHost(page, 'exports'), { signed: 401 });
  assert.equal(await page.$('clip-export-button'), null);
  assert.match(await page.$eval('.clip-kit-log-in', (one) => one.textContent!), /^Log in/);
});

it('without a host, visitors watch by the address of the players alone', async () => {
  const alone = { host_url: '', player_url: world.frames };
  assert.match(await setUp(alone), /^Enter the address of the host and its secret\.$/);
  await asVisitor(async ({ page, problems }) => {
    await page.goto(post);
    await press(page, 'clip-preview >>> [part="play"]');
    await statusIs(page, 'clip-preview', 'ready');
    assert.deepEqual(problems, []);
  });
  await pageOf('mia').goto(post);
  assert.equal(await pageOf('mia').$('clip-export-button'), null);
  const again = { host_url: `${world.frames}/host`, host_secret: sessionSecret, player_url: '' };
  assert.match(await setUp(again), /^It works/);
});

it('uninstall leaves nothing', async () => {
  assert.equal(stored().length, 2);
  const page = pageOf('admin');
  await page.goto(`${world.origin}/wp-admin/plugins.php`);
  await Promise.all([page.waitForNavigation(), page.click('#deactivate-clip-kit')]);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.click('#delete-clip-kit');
  await page.waitForFunction(() => !document.querySelector('#delete-clip-kit'));
  await page.waitForFunction(() => document.querySelector('.plugin-deleted-tr, .deleted'));
  assert.deepEqual(stored(), []);
  await asVisitor(async ({ page: visited, problems }) => {
    await visited.goto(post);
    assert.equal(await visited.$('clip-preview'), null);
    assert.deepEqual(problems, []);
  });
});

it('PHP has nothing to say, and no log has the secret', async () => {
  const said = await site.said();
  assert.ok(!said.includes(sessionSecret));
  assert.doesNotMatch(said, /clip-kit/);
});
