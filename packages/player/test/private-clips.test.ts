import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { framesAdvance, openPage, playUntilFramesAdvance, shownNotice } from 'clip-testkit/browser';
import { PageServer, startSite } from 'clip-testkit/page-server';
import { sharedBrowser } from './support/shared-browser.ts';

describe('the page of a private clip', () => {
  let server: PageServer;
  let browser: Browser;
  let site: Awaited<ReturnType<typeof startSite>>;
  before(async () => {
    [server, browser, site] = await Promise.all([PageServer.start(), sharedBrowser(), startSite()]);
    server.clips.set('clip', { ...server.clip, privateClips: true });
  });
  after(() => Promise.all([server, site].map((one) => one?.close())));
  beforeEach(() => {
    server.aheadMs = 0;
    server.opened.length = 0;
  });

  const link = async (seconds: number): Promise<string> =>
    (await server.links.sign('clip', seconds)).query;

  /** Opens the page with a link, and checks at the end that nothing was logged. */
  const visit = async (query: string, use: (page: Page) => Promise<void>): Promise<void> => {
    const { page, problems, close } = await openPage(browser);
    try {
      await page.goto(server.player(`?${query}`));
      await use(page);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  };

  /** Gives the page a new link, as the element around it does. */
  const renew = (page: Page, query: string) =>
    page.evaluate((fragment) => location.replace(`#${fragment}`), query);

  const lastEnd = (): number | null | undefined => server.opened.at(-1);

  it('passes its link on to what it loads', async () => {
    await visit(await link(60), async (page) => {
      await playUntilFramesAdvance(page);
      await page.waitForSelector('.transcript p');
      const addresses = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => !name.includes('/assets/')),
      );
      assert.ok(addresses.length >= 2, addresses.join());
      for (const address of addresses) assert.match(address, /[?&]signature=/);
    });
  });

  it('plays on over a renewal, and takes the link out of its address', async () => {
    await visit(await link(60), async (page) => {
      await playUntilFramesAdvance(page);
      await page.evaluate(() => {
        const video = document.querySelector('video')!;
        video.loop = true;
        for (const type of ['emptied', 'pause', 'error']) {
          video.addEventListener(type, () => (document.body.dataset['broken'] = type));
        }
      });
      const state = page.waitForResponse((response) => response.url().includes('/state?'));
      await renew(page, await link(3600));
      assert.equal((await state).status(), 200);
      // The former link has ended.
      server.aheadMs = 120_000;
      await framesAdvance(page);
      const now = await page.evaluate(() => ({
        broken: document.body.dataset['broken'] ?? null,
        hash: location.hash,
        notice: document.querySelector('.notice:not([hidden])') !== null,
      }));
      assert.deepEqual(now, { broken: null, hash: '', notice: false });
    });
  });

  it('goes on with the new link where more of the video has to be loaded', async () => {
    await visit(await link(60), async (page) => {
      await playUntilFramesAdvance(page);
      const first = lastEnd()!;
      const state = page.waitForResponse((response) => response.url().includes('/state?'));
      await renew(page, await link(3600));
      await state;
      server.aheadMs = 120_000;
      const before = await page.evaluate(() => {
        const video = document.querySelector('video')!;
        video.playbackRate = 1.5;
        video.currentTime = 2;
        return video.src;
      });
      await page.waitForFunction(
        (src) => {
          const video = document.querySelector('video')!;
          // What browsers say when nothing more has come.
          if (video.src === src) video.dispatchEvent(new Event('waiting'));
          return video.src !== src && video.currentTime > 2.2;
        },
        { polling: 50 },
        before,
      );
      assert.ok(lastEnd()! > first);
      assert.equal(await page.$eval('video', (video) => video.playbackRate), 1.5);
    });
  });

  it('says that its link has expired, and plays again where it was once it has a link', async () => {
    const { page, close } = await openPage(browser);
    try {
      await page.goto(server.player(`?${await link(60)}`));
      await playUntilFramesAdvance(page);
      server.aheadMs = 120_000;
      await page.evaluate(() => {
        const video = document.querySelector('video')!;
        video.currentTime = 2;
        // What browsers say when a part of the file is refused.
        video.dispatchEvent(new Event('error'));
      });
      await page.waitForFunction(
        () => document.querySelector('[data-for=expired]:not([hidden])') !== null,
      );
      await renew(page, await link(3600));
      await page.waitForFunction(() => document.querySelector('video')!.currentTime > 2.1);
      assert.equal(await shownNotice(page), null);
    } finally {
      await close();
    }
  });

  it('opens with a link that has ended as a page that says so', async () => {
    const answer = await fetch(server.player(`?${await link(-1)}`));
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /This link has expired/);
    const none = await fetch(server.player());
    assert.match(await none.text(), /This clip is not here/);
  });

  it('tells the page around that it is missing, without a link or with one that has ended', async () => {
    for (const query of ['', `?${await link(-1)}`]) {
      const { page, close } = await openPage(browser);
      try {
        await page.goto(site.url);
        const type = await page.evaluate(
          (src) =>
            new Promise((resolve) => {
              addEventListener('message', ({ data }) => resolve((data as { type: string }).type));
              document.body.append(Object.assign(document.createElement('iframe'), { src }));
            }),
          server.player(query),
        );
        assert.equal(type, 'clip-missing');
      } finally {
        await close();
      }
    }
  });
});
