import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import type { Project } from 'clip-kit/contract';
import type { Browser, Page } from 'puppeteer-core';
import { launchBrowser, openPage, playUntilFramesAdvance } from 'clip-testkit/browser';
import { World } from 'clip-testkit/world';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe('the pages of share links', () => {
  let world: World;
  let browser: Browser;
  let as: string;
  let clips: Project[];
  let exported: Project;
  before(async () => {
    const settings = { ingestWaitMs: 200, privateClips: true };
    [world, browser] = await Promise.all([World.start(settings), launchBrowser()]);
    as = await world.user();
    clips = await world.makeShorts(as);
    exported = clips[0]!;
    const path = `/projects/${exported.folder_id}/${exported.id}/exports`;
    const started = await world.post(path, {}, { as });
    await world.finishExport(started.body, as);
  });
  after(async () => {
    await browser?.close();
    await world?.close();
  });

  const share = async (id: string, asked: object = {}): Promise<string> => {
    const { status, body } = await world.post(`/projects/${id}/shares`, asked, { as });
    assert.equal(status, 201, JSON.stringify(body));
    return body.url;
  };
  /** What axe finds, and by how many pixels the page is too wide or its player too high. */
  const inspect = async (page: Page) => {
    await page.evaluate(await readFile(axe, 'utf8'));
    return page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const { violations } = await axe.run();
      const { scrollWidth, clientWidth } = document.documentElement;
      const stage = document.querySelector('.stage')?.getBoundingClientRect();
      const bar = document.querySelector('.share-bar')?.getBoundingClientRect();
      return {
        found: violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        tooWide: Math.max(0, scrollWidth - clientWidth),
        outside: stage !== undefined && (stage.bottom > innerHeight + 1 || stage.top < 0),
        over: bar !== undefined && (bar.top < 0 || bar.bottom > stage!.top + 1),
      };
    });
  };
  const fine = { found: [], tooWide: 0, outside: false, over: false };

  for (const [width, height, scheme, lang] of [
    [390, 844, 'light', 'de'],
    [844, 390, 'dark', 'en'],
    [1280, 800, 'dark', 'he'],
  ] as const) {
    it(`can be used by everyone at ${width} by ${height}, ${scheme}, in ${lang}`, async () => {
      const all = await share(exported.folder_id!, { download: true });
      const { page, problems, close } = await openPage(browser, { width, height });
      try {
        await page.setBypassCSP(true);
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.goto(`${all}&lang=${lang}`);
        const posters = await page.$$eval('.picture img', (all) =>
          Promise.all(
            (all as HTMLImageElement[]).map(async (one) => {
              await one.decode();
              return one.naturalWidth;
            }),
          ),
        );
        assert.equal(posters.length, clips.length);
        assert.ok(posters.every((one) => one > 0));
        assert.deepEqual(await inspect(page), fine);
        await Promise.all([page.waitForNavigation(), page.click('.share-list a')]);
        await page.waitForSelector('.player:not([hidden])');
        assert.deepEqual(await inspect(page), fine);
        await Promise.all([page.waitForNavigation(), page.click('.share-bar a')]);
        await page.waitForSelector('.share-list');
        assert.deepEqual(problems, []);
      } finally {
        await close();
      }
    });
  }

  it('play a private clip, pass on their own address, and save the file', async () => {
    const url = await share(exported.id, { download: true });
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      const referrers: (string | undefined)[] = [];
      page.on('request', (request) => referrers.push(request.headers()['referer']));
      await page.goto(url);
      await page.waitForSelector('.player:not([hidden])');
      await playUntilFramesAdvance(page);
      assert.ok(referrers.every((one) => one === undefined || !one.includes('key=')));
      const copied = await page.evaluate(async () => {
        const { promise, resolve } = Promise.withResolvers<string>();
        Object.defineProperty(navigator, 'canShare', { value: undefined });
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: resolve } });
        document.querySelector<HTMLElement>('[data-action=share]')!.click();
        return promise;
      });
      assert.equal(copied, url);
      const file = await page.$eval('.take', async (link) => {
        const answer = await fetch((link as HTMLAnchorElement).href);
        return [answer.status, answer.headers.get('content-disposition')?.split(';')[0]];
      });
      assert.deepEqual(file, [200, 'attachment']);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });

  it('say in the look of the page that there is nothing to download', async () => {
    const url = await share(exported.id);
    const { page, problems, close } = await openPage(browser, { width: 390, height: 844 });
    try {
      const answer = await page.goto(`${url}&download`);
      assert.equal(answer!.status(), 404);
      const card = await page.waitForSelector('main, .card, body');
      assert.ok(await card!.evaluate(() => document.styleSheets[0]!.cssRules.length > 0));
      const failed = problems.filter((one) => !/404/.test(one));
      assert.deepEqual([failed, problems.length], [[], 1], 'only the page itself is missing');
    } finally {
      await close();
    }
  });

  it('stop showing a clip whose link is revoked while it is open', async () => {
    const url = await share(exported.id);
    const { page, close } = await openPage(browser, { width: 390, height: 844 });
    try {
      await page.goto(url);
      await page.waitForSelector('.player:not([hidden])');
      const id = /share\/([^?]+)/.exec(url)![1];
      await world.call('DELETE', `/projects/${exported.id}/shares/${id}`, undefined, { as });
      // As when an address has ended, and another one is asked for.
      await page.$eval('video', (video) => {
        (video as HTMLVideoElement).src = 'nothing.mp4';
      });
      await page.waitForSelector('.notice[data-for=expired]:not([hidden])');
      assert.equal((await page.reload())!.status(), 410);
    } finally {
      await close();
    }
  });
});
