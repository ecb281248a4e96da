/**
 * The elements in applications of real frameworks: drawn on a server and hydrated in the browser,
 * and drawn in the browser.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { launchBrowser, openPage } from 'clip-testkit/browser';
import {
  frameworks,
  startFrameworkPages,
  type FrameworkPages,
} from '../support/framework-pages.ts';

let pages: FrameworkPages;
let browser: Browser;

before(async () => {
  [pages, browser] = await Promise.all([startFrameworkPages(), launchBrowser()]);
});

after(async () => {
  await browser.close();
  await pages.close();
});

for (const framework of frameworks) {
  for (const drawn of ['server', 'browser'] as const) {
    for (const define of ['first', 'last'] as const) {
      it(`${framework}, drawn ${drawn === 'server' ? 'on a server' : 'in the browser'}, elements defined ${define}: they work with the values they were given`, async () => {
        const world = randomUUID();
        const { page, problems, close } = await openPage(browser);
        page.on('console', (message) => {
          // About the frame's permissions, which not every browser knows.
          const isOfBrowser = message.text().startsWith('Unrecognized feature');
          if (message.type() === 'warn' && !isOfBrowser) problems.push(message.text());
        });
        await page.goto(pages.url(framework, drawn, define, world));
        await page.waitForFunction('globalThis.hydrated');
        const shown = await page.evaluate(async () => {
          const config = document.querySelector('clip-config')!;
          const preview = document.querySelector('clip-preview')!;
          const embed = document.querySelector('clip-embed')!;
          const button = document.querySelector('clip-export-button')!;
          await button.updateComplete;
          return {
            ids: [preview.project, embed.project, button.project, button.folder],
            loading: [preview.loading, embed.loading],
            label: preview.label,
            same: config.endpoint === new URLSearchParams(location.search).get('endpoint'),
            watermark: button.watermark,
            autoDownload: button.autoDownload,
            downloadName: button.downloadName,
            text: button.textContent,
          };
        });
        assert.deepEqual(shown, {
          ids: ['p 1', 'p 1', 'p 1', 'f 1'],
          loading: ['eager', 'eager'],
          label: 'Harbour',
          same: true,
          watermark: { src_url: 'https://example.com/a.png', pos_x: 0 },
          autoDownload: false,
          downloadName: 'mine.mp4',
          text: 'Save',
        });
        await page.waitForFunction(() =>
          ['clip-preview', 'clip-embed'].every(
            (tag) =>
              (document.querySelector(tag) as { status?: string } | null)?.status === 'ready',
          ),
        );
        await page.evaluate(() => document.querySelector('clip-export-button')!.start());
        await page.waitForFunction(
          () => document.querySelector('clip-export-button')!.status === 'ready',
        );
        const log = (await (await fetch(`${pages.endpoint(world)}/_log`)).json()) as {
          requests: { method: string; path: string; body?: Record<string, unknown> }[];
        };
        const starts = log.requests.filter(
          ({ method, path }) => method === 'POST' && path === '/exports',
        );
        assert.deepEqual(
          starts.map(({ body }) => body),
          [
            {
              project_id: 'p 1',
              folder_id: 'f 1',
              watermark: { src_url: 'https://example.com/a.png', pos_x: 0, pos_y: 0.5, scale: 1 },
            },
          ],
        );
        assert.deepEqual(await page.evaluate('heard'), ['clip-export-ready']);
        assert.deepEqual(problems, []);
        await close();
      });
    }
  }
}

it('react, a watermark that comes with a later drawing: the running export stays, and the marked one is offered', async () => {
  const world = randomUUID();
  const { page, close } = await openPage(browser);
  await fetch(`${pages.endpoint(world)}/_set`, {
    method: 'POST',
    body: JSON.stringify({ render: 600_000, estimate: 600_000 }),
  });
  await page.goto(pages.url('react', 'server', 'first', world, { late: 'yes' }));
  await page.waitForFunction('globalThis.hydrated && globalThis.drawAgain');
  const first = await page.evaluate(async () => {
    const button = document.querySelector('clip-export-button')!;
    await button.start();
    return [button.watermark, button.status, button.export!.id];
  });
  assert.deepEqual(first.slice(0, 2), [null, 'processing']);
  await page.evaluate('drawAgain()');
  await page.waitForFunction(() => document.querySelector('clip-export-button')!.watermark);
  const then = await page.evaluate(async () => {
    const button = document.querySelector('clip-export-button')!;
    await button.updateComplete;
    const again = button.shadowRoot!.querySelector<HTMLElement>('.again')!;
    const shown = [button.status, button.export!.id, again.textContent!.trim()];
    again.click();
    return shown;
  });
  assert.deepEqual(then, ['processing', first[2], 'Export with the new options']);
  await page.waitForFunction(
    (id) => {
      // It is null until the start is answered.
      const { export: one } = document.querySelector('clip-export-button')!;
      return one && one.id !== id;
    },
    {},
    first[2],
  );
  const log = (await (await fetch(`${pages.endpoint(world)}/_log`)).json()) as {
    requests: { method: string; path: string; body?: Record<string, unknown> }[];
  };
  const marked = log.requests
    .filter(({ method, path }) => method === 'POST' && path === '/exports')
    .map(({ body }) => 'watermark' in body!);
  assert.deepEqual(marked, [false, true]);
  await close();
});
