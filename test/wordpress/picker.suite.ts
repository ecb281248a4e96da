/** An author chooses among their own clips in the editor of a real WordPress. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { buildWordpressPlugin } from '../../tools/wordpress-plugin.ts';
import { launchBrowser, openPage } from 'clip-testkit/browser';
import { ClipWorld } from '../sites/clip-world.ts';
import { sessionSecret } from '../sites/packed-kit.ts';
import {
  insertBlock,
  logIntoWordPress,
  press,
  publishPost,
  sessionHost,
  WordPressSite,
} from '../support/wordpress-site.ts';

/** What the test uses of the editor's own scripts. */
interface WordPressData {
  readonly data: {
    select(store: string): { getBlocks(): readonly { readonly clientId: string }[] };
    dispatch(store: string): { updateBlockAttributes(id: string, attributes: object): void };
  };
}

const desktop = { width: 1280, height: 900 };
const dialog = '.clip-kit-picker';
/** A directory for screenshots, to look at. */
const pictures = process.env['PICKER_PICTURES'];

let directory: string;
let world: ClipWorld;
let site: WordPressSite;
let browser: Browser;
const opened = new Map<'admin' | 'ann', Awaited<ReturnType<typeof openPage>>>();
const pageOf = (user: 'admin' | 'ann'): Page => opened.get(user)!.page;

const button = (text: string): string =>
  `xpath/.//button[normalize-space()="${text}" or @aria-label="${text}"]`;
const inDialog = (text: string): string =>
  `xpath/.//*[contains(@class,"clip-kit-picker")]//button[contains(.,"${text}")]`;

/** WordPress itself asks for what an author may not read, such as templates. */
const faults = (problems: readonly string[]): string[] =>
  problems.filter((problem) => !problem.includes('status of 403'));

const titles = (page: Page): Promise<string[]> =>
  page.$$eval(`${dialog} .clip-kit-picker-title`, (all) => all.map((one) => one.textContent!));

/** Waits until the dialog shows as many clips. */
const countIs = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction(
    (selector, wanted) => document.querySelectorAll(selector).length === wanted,
    {},
    `${dialog} .clip-kit-picker-clip`,
    count,
  );

const noticeIs = (page: Page, text: string): Promise<unknown> =>
  page.waitForSelector(`xpath/.//*[contains(@class,"clip-kit-picker")]//p[contains(.,"${text}")]`);

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) as `${string}.png` });
}

/** A video of the author who has asked last, with clips of these titles. */
function addVideo(name: string, clips: readonly string[]): void {
  const author = [...world.service.world.users.keys()].at(-1)!;
  const service = world.service.world;
  const { id, output_id: folder } = service.addTask(author, 'video-to-shorts', { name });
  for (const [at, title] of clips.entries()) {
    const more = { name: title, duration: 30 + at, virality_score: 0.74 - at / 100 };
    service.addProject(author, folder, more);
  }
  service.changeTask(id, { status: 'ready', clip_count: clips.length });
}

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clip-picker-'));
  const archive = join(directory, 'clip-kit.zip');
  await writeFile(archive, await buildWordpressPlugin());
  [world, browser] = await Promise.all([ClipWorld.open({ sessionHost }, true), launchBrowser()]);
  site = await WordPressSite.open(directory, world.origin, archive);
  world.serve({ port: site.port });
  for (const user of ['admin', 'ann'] as const) {
    const one = await openPage(browser, desktop);
    opened.set(user, one);
    // A post that is not saved asks before it is left.
    one.page.on('dialog', (asked) => void asked.accept());
    await logIntoWordPress(one.page, world.origin, user);
  }
  const page = pageOf('admin');
  await page.goto(`${world.origin}/wp-admin/plugins.php`);
  await Promise.all([page.waitForNavigation(), page.click('#activate-clip-kit')]);
});

after(async () => {
  await browser.close();
  await site?.close();
  await world.close();
  await rm(directory, { recursive: true, force: true });
});

it('says that the site is not connected, and links to the settings for an administrator', async () => {
  for (const user of ['admin', 'ann'] as const) {
    const page = pageOf(user);
    await insertBlock(page, world.origin, 'Not connected', 'Clip');
    await press(page, button('Choose a clip'));
    await noticeIs(page, 'not connected');
    const link = await page.$(`${dialog} a[href*="options-general.php?page=clip-kit"]`);
    assert.equal(link !== null, user === 'admin');
    await picture(page, `not-connected-${user}`);
  }
  const page = pageOf('admin');
  await page.goto(`${world.origin}/wp-admin/options-general.php?page=clip-kit`);
  const fields = {
    host_url: `${world.frames}/host`,
    host_secret: sessionSecret,
  };
  await page.evaluate((values) => {
    for (const [name, value] of Object.entries(values)) {
      document.querySelector<HTMLInputElement>(`[name="${name}"]`)!.value = value;
    }
  }, fields);
  await Promise.all([page.waitForNavigation(), page.click('#submit')]);
});

it('without clips, it links to where they are made', async () => {
  const page = pageOf('ann');
  await insertBlock(page, world.origin, 'No clips yet', 'Clip');
  await press(page, button('Choose a clip'));
  await noticeIs(page, 'You have no clips yet');
  await picture(page, 'no-clips');
  await page.waitForSelector(`${dialog} a[href*="post-new.php"]`);
  const studio = await pageOf('admin').evaluate(async () => {
    const nonce = await (await fetch('/wp-admin/admin-ajax.php?action=rest-nonce')).text();
    const answer = await fetch('/wp-json/wp/v2/pages', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-WP-Nonce': nonce },
      body: JSON.stringify({
        title: 'Studio',
        content: '<!-- wp:clip-kit/studio /-->',
        status: 'publish',
      }),
    });
    return ((await answer.json()) as { link: string }).link;
  });
  await press(page, `${dialog} [aria-label^="Close"]`);
  await press(page, button('Choose a clip'));
  await page.waitForSelector(`${dialog} a[href="${studio}"]`);
});

it('an author pages through their clips, searches, chooses one, and replaces it', async () => {
  const { page, problems } = opened.get('ann')!;
  addVideo('The oldest talk', ['A lighthouse at night']);
  for (let at = 7; at > 0; at--) addVideo(`Talk ${at}`, [`Clip A of ${at}`, `Clip B of ${at}`]);
  // Of another user, who must not be seen.
  const other = world.service.world.addUser().id;
  const { output_id: folder } = world.service.world.addTask(other, 'video-to-shorts');
  world.service.world.addProject(other, folder, { name: 'A foreign clip' });
  problems.splice(0);

  await insertBlock(page, world.origin, 'With a clip', 'Clip');
  await press(page, button('Choose a clip'));
  await countIs(page, 12);
  assert.deepEqual((await titles(page)).slice(0, 2), ['Clip A of 1', 'Clip B of 1']);
  const first = await page.$eval(`${dialog} .clip-kit-picker-clip`, (one) => ({
    text: (one as HTMLElement).innerText.split('\n'),
    poster: one.querySelector('img')!.src,
  }));
  assert.deepEqual(first.text, ['0:30', 'Clip A of 1', 'Score: 74 of 100']);
  assert.match(first.poster, /\/player\/[^/]+\/poster\.jpg$/);
  await picture(page, 'picker');
  await press(page, inDialog('Show more'));
  await countIs(page, 15);
  assert.ok(!(await titles(page)).includes('A foreign clip'));

  await press(page, inDialog('Clip B of 2'));
  await page.waitForSelector('.wp-block-clip-kit-preview clip-preview:state(poster)');
  const label = () =>
    page.$eval('.wp-block-clip-kit-preview clip-preview', (one) => one.getAttribute('label'));
  assert.equal(await label(), 'Clip B of 2');
  await picture(page, 'chosen');

  // The oldest video is on the second page: the search reads on.
  await press(page, button('Replace'));
  await countIs(page, 12);
  await page.type(`${dialog} input[type="search"]`, 'night lighthouse');
  await countIs(page, 1);
  await press(page, inDialog('A lighthouse at night'));
  await page.waitForSelector(
    '.wp-block-clip-kit-preview clip-preview[label="A lighthouse at night"]',
  );
  const link = await publishPost(page);

  const html = await (await fetch(link)).text();
  const [preview = ''] = /<clip-preview.*<\/clip-preview>/s.exec(html) ?? [];
  assert.match(
    preview,
    /<a href="[^"]*\/player\/[^"]+"><img [^>]*src="[^"]*poster\.jpg" alt="A lighthouse at night"/,
  );
  assert.deepEqual(faults(problems), []);
});

it('an author places several clips in columns: fewer on a phone', async () => {
  const { page, problems } = opened.get('ann')!;
  problems.splice(0);
  await insertBlock(page, world.origin, 'Many clips', 'Clip gallery');
  await press(page, button('Choose clips'));
  await countIs(page, 12);
  const chosen = ['Clip B of 1', 'Clip A of 1', 'Clip A of 2', 'Clip A of 3', 'Clip A of 4'];
  for (const title of [...chosen, 'Clip B of 5', 'Clip B of 5']) {
    await press(page, inDialog(title));
  }
  assert.equal((await page.$$(`${dialog} [aria-pressed="true"]`)).length, chosen.length);
  await picture(page, 'picker-of-several');
  await press(page, inDialog('Done'));
  await page.waitForFunction(
    (count) =>
      document.querySelectorAll('.wp-block-clip-kit-gallery clip-preview:state(poster)').length ===
      count,
    {},
    chosen.length,
  );
  await page.evaluate(() => {
    const { data } = (globalThis as unknown as { wp: WordPressData }).wp;
    const { clientId } = data.select('core/block-editor').getBlocks()[0]!;
    data.dispatch('core/block-editor').updateBlockAttributes(clientId, { columns: 4 });
  });
  await page.waitForSelector('.clip-kit-gallery[style*="columns:4"]');
  await picture(page, 'gallery-in-editor');
  const link = await publishPost(page);
  const visitor = await openPage(browser, desktop);
  try {
    const columns = async (width: number): Promise<number> => {
      await visitor.page.setViewport({ width, height: 900 });
      await visitor.page.goto(link);
      await visitor.page.waitForSelector('clip-preview:state(poster)');
      await picture(visitor.page, `gallery-${width}`);
      return visitor.page.$eval(
        '.clip-kit-gallery',
        (one) => getComputedStyle(one).gridTemplateColumns.split(' ').length,
      );
    };
    assert.equal(await columns(1280), 4);
    assert.equal(await columns(360), 2);
    const shown = await visitor.page.$$eval('.clip-kit-gallery > li > span', (all) =>
      all.map((one) => one.textContent!),
    );
    assert.deepEqual(shown, chosen);
    assert.deepEqual(visitor.problems, []);
  } finally {
    await visitor.close();
  }
  assert.deepEqual(faults(problems), []);
});

it('says that the service is down, and that a log-in has ended or has no rights', async () => {
  const page = pageOf('ann');
  await insertBlock(page, world.origin, 'Without an answer', 'Clip');
  await page.setRequestInterception(true);
  let status = 503;
  page.on('request', (request) => {
    if (!request.url().includes('/host/tasks')) void request.continue();
    else if (!status) void request.continue();
    else {
      void request.respond({
        status,
        contentType: 'application/problem+json',
        headers: { 'Access-Control-Allow-Origin': world.origin },
        body: '{}',
      });
    }
  });
  await press(page, button('Choose a clip'));
  await noticeIs(page, 'unavailable');
  await picture(page, 'down');
  status = 401;
  await press(page, inDialog('Retry'));
  await noticeIs(page, 'logged out');
  status = 403;
  await press(page, inDialog('Retry'));
  await noticeIs(page, 'may not see clips');
  assert.equal(await page.$(inDialog('Retry')), null);
  status = 0;
  await press(page, `${dialog} [aria-label^="Close"]`);
  await press(page, button('Choose a clip'));
  await countIs(page, 12);
});
