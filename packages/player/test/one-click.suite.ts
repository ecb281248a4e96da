/**
 * The elements and the real pages in Firefox and WebKit: `npm run test:firefox`, `test:webkit`.
 * Chromium's tests, in `playback.test.ts` and `test/e2e`, ask for more.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { openTab, untilTrue, type Tab } from 'clip-testkit/any-tab';
import { PageServer } from 'clip-testkit/page-server';
import { type Served, serve } from 'clip-testkit/serve';

const kit = new URL('../../../dist/cdn/clip-kit.js', import.meta.url);

/**
 * A site of another origin with a preview of the clip: at `/sandbox` in a sandbox, at `/isolated`
 * in a page that demands a permission of everything it loads.
 */
function serveSite(playerUrl: string, project: string): Promise<Served> {
  const page = (attributes: string) =>
    `<!doctype html><title>Site</title><script type="module" src="/clip-kit.js"></script>
    <clip-preview loading="click" player-url="${playerUrl}" project="${project}" label="Clip" loop ${attributes}></clip-preview>`;
  return serve((request, response) => {
    if (request.url === '/isolated') {
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }
    if (request.url !== '/clip-kit.js') {
      const sandbox = request.url === '/sandbox' ? 'sandbox="allow-scripts"' : '';
      response.setHeader('Content-Type', 'text/html').end(page(sandbox));
      return;
    }
    response.setHeader('Content-Type', 'text/javascript');
    void readFile(kit).then((script) => response.end(script));
  });
}

const video = `document.querySelector('video')`;
const preview = `document.querySelector('clip-preview')`;
const play = `${preview}.shadowRoot.querySelector('button')`;

describe('in another engine', () => {
  let server: PageServer;
  let site: Served;
  let siteUrl: string;
  let player: string;
  let tab: Tab;

  before(async () => {
    server = await PageServer.start();
    player = server.player('?loop=1');
    site = await serveSite(server.url, 'clip');
    siteUrl = `${site.origin}/`;
    tab = await openTab();
  });

  after(async () => {
    await tab?.close();
    await site?.close();
    await server?.close();
  });

  // Each clip loops: a busy machine would reach its end between two looks.
  const plays = async (): Promise<void> => {
    await untilTrue(tab, `${preview}.currentTime > 0.2 && !${preview}.paused`);
    assert.equal(await tab.evaluate(`${preview}.error`), null);
    assert.ok(Number(await tab.evaluate(`${preview}.duration`)) > 1);
  };

  it('one click on a preview plays the clip in its page', async () => {
    await tab.go(siteUrl);
    await untilTrue(tab, play);
    await tab.click(play);
    await plays();
  });

  for (const path of ['isolated', 'sandbox']) {
    it(`it does so in the page /${path}`, async () => {
      await tab.go(siteUrl + path);
      await untilTrue(tab, play);
      await tab.click(play);
      await plays();
    });
  }

  it('one press of Enter on a preview does too', async () => {
    await tab.go(siteUrl);
    await untilTrue(tab, play);
    await tab.evaluate(`${play}.focus()`);
    await tab.press('Enter');
    await plays();
  });

  it('the page around pauses the clip, seeks in it and plays it again', async () => {
    await tab.evaluate(`${preview}.pause()`);
    await untilTrue(tab, `${preview}.paused`);
    await tab.evaluate(`void (${preview}.currentTime = 0)`);
    await untilTrue(tab, `${preview}.currentTime < 0.1`);
    await tab.evaluate(`void ${preview}.play()`);
    await plays();
  });

  it('the player page plays and pauses by its button and by keys, and has its captions', async () => {
    await tab.go(player);
    await untilTrue(tab, `${video}?.readyState >= 3`);
    await tab.click(`document.querySelector('.big')`);
    await untilTrue(tab, `${video}.currentTime > 0.2 && !${video}.paused`);
    await tab.press('k');
    await untilTrue(tab, `${video}.paused`);
    await tab.press('k');
    await untilTrue(tab, `!${video}.paused`);
    await tab.press('c');
    await untilTrue(tab, `document.querySelector('.transcript p')`);
  });
});
