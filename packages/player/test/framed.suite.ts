import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Frame } from 'puppeteer-core';
import { frameOf, openPage, playUntilFramesAdvance } from 'clip-testkit/browser';
import { PageServer, startSite } from 'clip-testkit/page-server';
import { sharedBrowser } from './support/shared-browser.ts';

describe('the pages in a frame of another site', () => {
  let server: PageServer;
  let browser: Browser;
  let site: Awaited<ReturnType<typeof startSite>>;
  before(async () => {
    [server, browser, site] = await Promise.all([PageServer.start(), sharedBrowser(), startSite()]);
  });
  after(() => Promise.all([server, site].map((one) => one?.close())));

  /** Opens a page of the site with both pages in frames, and waits until they play. */
  async function play(
    headers: Record<string, string>,
    sandbox: string | null,
    check: (frame: Frame) => Promise<void>,
  ): Promise<void> {
    const { page, problems, close } = await openPage(browser);
    try {
      await page.goto(`${site.url}?${new URLSearchParams(headers)}`);
      for (const address of [server.player('?lang=de'), server.embed('?lang=de', 'token')]) {
        const element = await page.evaluateHandle(
          (src, flags) => {
            const frame = document.createElement('iframe');
            if (flags !== null) frame.setAttribute('sandbox', flags);
            frame.src = src;
            document.body.append(frame);
            return frame;
          },
          address,
          sandbox,
        );
        const frame = await frameOf(element);
        await playUntilFramesAdvance(frame);
        // The captions are there, and so are the texts of another language, which load later.
        await frame.waitForSelector('.transcript p');
        await frame.waitForSelector(
          'html[lang=de] [data-action=mute][aria-label="Ton ausschalten"]',
        );
        await check(frame);
      }
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  }

  const isolating = (policy: string) => ({
    'Cross-Origin-Embedder-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
  const hasNoOrigin = async (frame: Frame) =>
    assert.equal(await frame.evaluate(() => origin), 'null');

  for (const policy of ['require-corp', 'credentialless']) {
    it(`play in a page with Cross-Origin-Embedder-Policy: ${policy}`, () =>
      play(isolating(policy), null, async (frame) =>
        assert.ok(await frame.parentFrame()!.evaluate(() => crossOriginIsolated)),
      ));
  }

  it('play there with sandbox="allow-scripts", too', () =>
    play(isolating('require-corp'), 'allow-scripts', hasNoOrigin));

  it('play in a page that is itself in a sandbox', () =>
    play({ 'Content-Security-Policy': 'sandbox allow-scripts' }, null, hasNoOrigin));
});
