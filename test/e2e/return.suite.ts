/**
 * A page that a person leaves and returns to with the browser's back button. The headless browser
 * keeps no page for that and loads it again; `test/client/watching.test.ts` tests the
 * back/forward cache.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { launchBrowser, openPage } from 'clip-testkit/browser';
import { startFrameworkPages, type FrameworkPages } from '../support/framework-pages.ts';

let pages: FrameworkPages;
let browser: Browser;

before(async () => {
  [pages, browser] = await Promise.all([startFrameworkPages(), launchBrowser()]);
});

after(async () => {
  await browser.close();
  await pages.close();
});

it('back in history: the export is shown, and was started once', async () => {
  const world = randomUUID();
  const { page, problems, close } = await openPage(browser);
  await page.goto(pages.url('vue', 'server', 'first', world));
  await page.waitForFunction('globalThis.hydrated');
  await page.evaluate(() => document.querySelector('clip-export-button')!.start());
  const id = await page.evaluate(() => document.querySelector('clip-export-button')!.export!.id);
  await page.goto(`${new URL(pages.endpoint(world)).origin}/frames/player/elsewhere`);
  await page.goBack();
  await page.waitForFunction(
    () => document.querySelector('clip-export-button')?.status === 'ready',
  );
  assert.equal(
    await page.evaluate(() => document.querySelector('clip-export-button')!.export!.id),
    id,
  );
  const log = (await (await fetch(`${pages.endpoint(world)}/_log`)).json()) as {
    requests: { method: string; path: string }[];
  };
  const starts = log.requests.filter(
    ({ method, path }) => method === 'POST' && path === '/exports',
  );
  assert.equal(starts.length, 1);
  assert.deepEqual(problems, []);
  await close();
});
