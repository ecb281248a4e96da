import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Frame } from 'puppeteer-core';
import { launchBrowser, openPage, playUntilFramesAdvance } from '../support/browser.ts';
import { World } from '../support/world.ts';

/** A site of another origin: an empty page, with the headers that the address asks for. */
async function serveSite(): Promise<Server> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://site');
    for (const [name, value] of searchParams) response.setHeader(name, value);
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Site</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('the pages in a frame of another site', () => {
  let world: World;
  let browser: Browser;
  let site: Server;
  let addresses: readonly string[];
  before(async () => {
    [world, browser, site] = await Promise.all([World.start(), launchBrowser(), serveSite()]);
    const user = await world.user();
    const dimensions = { width: 108, height: 192 };
    const [[clip], token] = await Promise.all([
      world.makeShorts(user, { target_clip_count: 1, dimensions }),
      world.token(user),
    ]);
    const { url } = world.service;
    addresses = [
      `${url}/player/${clip!.id}?lang=de`,
      `${url}/embed/${clip!.id}?lang=de#external_access_token=${token}`,
    ];
  });
  after(async () => {
    await browser.close();
    await world.close();
    site.close();
  });

  /** Opens a page of the site with both pages in frames, and waits until they play. */
  async function play(
    headers: Record<string, string>,
    sandbox: string | null,
    check: (frame: Frame) => Promise<void>,
  ): Promise<void> {
    const { page, problems, close } = await openPage(browser);
    try {
      const { port } = site.address() as AddressInfo;
      await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams(headers)}`);
      for (const address of addresses) {
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
        const frame = await element.contentFrame();
        await playUntilFramesAdvance(frame);
        // The captions are there, and so are the texts of another language, which load later.
        await frame.waitForSelector('.transcript p');
        await frame.waitForSelector('html[lang=de] [data-action=mute][aria-label="Ton aus"]');
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

  it('play with sandbox="allow-scripts"', () => play({}, 'allow-scripts', hasNoOrigin));

  it('play with both', () => play(isolating('require-corp'), 'allow-scripts', hasNoOrigin));

  it('play in a page that is itself in a sandbox', () =>
    play({ 'Content-Security-Policy': 'sandbox allow-scripts' }, null, hasNoOrigin));
});
