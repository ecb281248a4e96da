/**
 * The gallery with one tiny entry: its video is drawn, the real service makes the clip, and a
 * browser shows both.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { ElementHandle, Page } from 'puppeteer-core';
import type {} from 'clip-kit';
import { frameOf, newPage } from '../../packages/service/test/support/browser.ts';
import { startDemo } from '../../demo/server/demo.ts';
import type { EntryAnswer } from '../../demo/server/gallery/gallery-routes.ts';
import { noHelpers, openDemoWorld, type DemoWorld, type Visitor } from '../support/demo-world.ts';
import { waitInPage } from '../support/page-progress.ts';

const gallery = {
  size: { width: 320, height: 180 },
  entries: [
    {
      id: 'tiny',
      title: 'A tiny one',
      says: 'What it does.',
      source: 'styles',
      task: {
        type: 'video-to-video',
        body: { name: 'Tiny', editing_options: {}, dimensions: { width: 180, height: 320 } },
      },
      exports: [{ label: 'Clip', preset_id: 'card' }],
      inStep: true,
      stills: { source: 1, clip: 1 },
    },
    {
      id: 'broken',
      title: 'No video',
      says: 'It cannot be made.',
      source: 'missing',
      task: { type: 'video-to-video', body: { editing_options: {} } },
      exports: [{ label: 'Clip' }],
      inStep: true,
      stills: { source: 0, clip: 0 },
    },
  ],
} as const;

let world: DemoWorld;
let ada: Visitor;

/** The demo keeps an existing sample. This test needs none, and making one takes a minute. */
async function withoutSample(dataDir: string): Promise<void> {
  const directory = join(dataDir, 'site/sample');
  await mkdir(directory, { recursive: true });
  for (const name of ['sample.mp4', 'sample.vtt']) await writeFile(join(directory, name), '');
}

async function axeFaults(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

before(async () => {
  world = await openDemoWorld({ prepare: withoutSample, gallery });
  ada = await world.visit('Ada Moreno');
});

after(() => world.remove());

describe('the gallery', { concurrency: false }, () => {
  test('is in the head; the first visit has the clips made, with the progress shown', async () => {
    const { page } = ada;
    await page.locator('.head nav a[href="/gallery/"]').click();
    await page.waitForSelector('#tiny progress');
    await waitInPage(
      page,
      'the clip',
      () => document.querySelector('#tiny[data-state=ready] video[data-part=clip]') !== null,
    );
    const shown = await page.$eval('#tiny', (card) => ({
      posters: [...card.querySelectorAll('video')].map(({ poster }) => poster),
      processor: card.querySelector('.made')?.textContent ?? '',
    }));
    for (const poster of shown.posters) assert.equal((await fetch(poster)).status, 200, poster);
    assert.match(shown.processor, /Made in\s+[\d.]+ s/);
  });

  test('nothing of a video is fetched before it is asked for', async () => {
    const states = await ada.page.$$eval('#tiny video', (videos) =>
      videos.map(({ preload, networkState, paused }) => [preload, networkState, paused]),
    );
    assert.deepEqual(states, [
      ['none', 1, true],
      ['none', 1, true],
    ]);
  });

  test('source and clip play by the keyboard, muted and in step, and pause', async () => {
    const { page } = ada;
    await page.focus('#tiny .controls button');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll<HTMLVideoElement>('#tiny video')].every(
          (video) => video.currentTime > 0.5 && video.muted,
        ),
      { polling: 50 },
    );
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLVideoElement>('#tiny video')].every(({ paused }) => paused),
    );
    const [source = 0, clip = 0] = await page.$$eval('#tiny video', (videos) =>
      videos.map(({ currentTime }) => currentTime),
    );
    assert.ok(Math.abs(source - clip) < 0.5, `${source} and ${clip}`);
  });

  test('what could not be made says why, and can be tried again', async () => {
    const { page } = ada;
    const alert = await page.waitForSelector('#broken [role=alert]');
    assert.match(
      (await alert?.evaluate(({ textContent }) => textContent)) ?? '',
      /no video called “missing”/,
    );
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/api/gallery?again=broken')),
      page.locator('#broken [role=alert] button').click(),
    ]);
    assert.equal(answer.status(), 202);
    await page.waitForSelector('#broken [role=alert]');
  });

  test('the request can be read as JSON', async () => {
    const { page } = ada;
    await page.locator('#tiny summary').click();
    const text = await page.$eval('#tiny pre', ({ textContent }) => textContent ?? '');
    assert.match(text, /POST \/v2\/tasks\/video-to-video/);
    assert.match(text, /"source_video_url": "http:.*styles\.mp4"/);
    assert.match(text, /"preset_id": "card"/);
  });

  test('the page for a look shows the clip of the gallery in it, and follows each change', async () => {
    const { page, problems } = await world.visit('Ben Okafor');
    try {
      await page.setViewport({ width: 390, height: 844 });
      await page.goto(`${world.demo.url}/elements/your-look/`);
      const element = await page.waitForSelector('clip-preview:state(ready) >>> iframe');
      const frame = await frameOf(element as ElementHandle<HTMLIFrameElement>);
      const accent = (colour: string) =>
        frame.waitForFunction(
          (wanted) => {
            const box = document.createElement('i');
            box.style.color = 'var(--accent)';
            document.body.append(box);
            const { color } = getComputedStyle(box);
            box.remove();
            return color === wanted;
          },
          {},
          colour,
        );
      await accent('rgb(31, 122, 77)');
      await page.locator('.your-look ::-p-text(News desk)').click();
      await accent('rgb(255, 208, 40)');
      await page.$eval('.your-look input[name=accent]', (input) => {
        (input as HTMLInputElement).value = '#66ccff';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
      assert.match(
        await page.$eval('.your-look pre', ({ textContent }) => textContent ?? ''),
        /--clip-accent: #66ccff;/,
      );
      await accent('rgb(102, 204, 255)');
      await page.waitForSelector('.your-look .note a[href="/"]');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${wide} of 390 pixels`);
      assert.deepEqual(problems, []);
    } finally {
      await page.close();
    }
  });

  test('a page of its own on another port shows the clip with the HTML that `npm start` prints', async () => {
    const html = `<!doctype html><title>My page</title>${await world.demo.ownPage()}`;
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end(html);
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const page = await newPage(world.browser.defaultBrowserContext());
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await (await page.waitForSelector('clip-preview >>> [part="play"]'))!.click();
      await page.waitForFunction(() => document.querySelector('clip-preview')!.currentTime > 0);
      await page.close();
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test('axe finds nothing, light and dark, wide and narrow, and the pages logged no error', async () => {
    const { page, problems } = ada;
    // Evaluated by the debugger: the page's policy allows no foreign scripts.
    const axe = await readFile(
      new URL('../../node_modules/axe-core/axe.min.js', import.meta.url),
      'utf8',
    );
    for (const [width, value] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewport({ width, height: 844 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      await page.evaluate(axe);
      assert.deepEqual(await axeFaults(page), [], `${width} ${value}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} of ${width} pixels`);
    }
    assert.deepEqual(problems, []);
  });

  test('clips are kept: the next start has them at once', async () => {
    await world.close();
    const { dataDir } = world;
    const again = await startDemo({ port: 0, servicePort: 0, dataDir, gallery, engine: noHelpers });
    try {
      const [tiny] = (await (await fetch(`${again.url}/api/gallery`)).json()) as EntryAnswer[];
      assert.equal(tiny?.state.status, 'ready');
      assert.ok((tiny?.made?.took ?? 0) > 0);
      const clip = await fetch(tiny?.clips[0]?.url ?? '');
      assert.equal(clip.headers.get('Content-Type'), 'video/mp4');
      await clip.body?.cancel();
    } finally {
      await again.close();
    }
  });
});
