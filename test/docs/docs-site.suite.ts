/** The built site of the documentation, as the demo serves it, in a browser. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serve, type ServerType } from '@hono/node-server';
import type { Browser, Page } from 'puppeteer-core';
import { docsEndpoints } from '../../demo/server/docs.ts';
import { launchBrowser, newPage } from '../../service/test/support/browser.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = (await readdir(`${root}docs`, { recursive: true }))
  .filter((path) => path.endsWith('.md'))
  .map((path) => path.replace(/(^index)?\.md$/, ''));

let server: ServerType;
let browser: Browser;
let base: string;
let page: Page;
let said: string[] = [];

before(async () => {
  server = serve({
    fetch: docsEndpoints(`${root}site/dist`).fetch,
    port: 0,
    hostname: '127.0.0.1',
  });
  await new Promise((resolve) => server.once('listening', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`;
  browser = await launchBrowser();
  page = await newPage(await browser.createBrowserContext());
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
});
after(async () => {
  await browser.close();
  server.close();
});

/** Opens a page and waits until its script has taken over. */
async function open(path: string): Promise<void> {
  said = [];
  const response = await page.goto(base + path);
  assert.equal(response?.status(), 200, path);
  await page.waitForFunction('document.querySelector("#app").__vue_app__');
}

const look = () =>
  page.evaluate(() => ({
    sideways: document.documentElement.scrollWidth - innerWidth,
    broken: [...document.images].filter((one) => one.complete && !one.naturalWidth).length,
    background: getComputedStyle(document.body).backgroundColor,
  }));

for (const [width, scheme] of [
  [375, 'dark'],
  [1280, 'light'],
] as const) {
  describe(`each page, ${width} pixels wide, ${scheme}`, () => {
    before(async () => {
      await page.setViewport({ width, height: 800 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    });
    for (const path of pages) {
      it(`/docs/${path} fits, has its pictures, and says nothing in the console`, async () => {
        await open(path);
        const { sideways, broken, background } = await look();
        assert.deepEqual({ sideways, broken }, { sideways: 0, broken: 0 });
        assert.equal(background === 'rgb(255, 255, 255)', scheme === 'light');
        assert.deepEqual(said, []);
      });
    }
  });
}

describe('the site', () => {
  it('has every page in its navigation', async () => {
    await open('');
    const linked = await page.$$eval('.VPSidebar a', (links) =>
      // Without a text it is not seen.
      links
        .filter((link) => link.textContent.trim())
        .map((link) => new URL(link.href).pathname.replace('/docs/', '')),
    );
    assert.deepEqual(
      pages.filter((path) => path && !linked.includes(path)),
      [],
    );
  });

  it('finds a page by what is in it', async () => {
    await open('');
    await page.click('.VPNavBarSearch button');
    await page.waitForSelector('.VPLocalSearchBox input');
    await page.type('.VPLocalSearchBox input', 'export-limit');
    const found = await page.waitForSelector('.VPLocalSearchBox .result');
    const href = await found!.evaluate((link) => (link as HTMLAnchorElement).href);
    assert.match(href, /\/elements\/errors#export-limit$/);
    assert.deepEqual(said, []);
  });
});
