/** The built site of the documentation, as the demo serves it, in a browser. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serve, type ServerType } from '@hono/node-server';
import type { Browser, Page } from 'puppeteer-core';
import { docsRoutes } from '../../demo/server/docs.ts';
import { buildDocsSite } from '../../tools/build-docs-site.ts';
import { launchBrowser, newPage } from 'clip-testkit/browser';
import { shownFiles } from './shown-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = (await readdir(`${root}docs`, { recursive: true }))
  .filter((path) => path.endsWith('.md'))
  .map((path) => path.replace(/(^index)?\.md$/, ''));

/** Pages for the first minutes: at most six screens of a phone. */
const toStart =
  /^(start|words|react|hosts?|sign-in)(\/|$)|^host-(?!check|contract|stores|answers|options)/;

/** Pages of reference, which are searched and not read. */
const isReference = /^elements\/(errors|clip-embed)$/;

/** The page that begins with a drawing. */
const isWide = /^architecture$/;

declare global {
  interface Window {
    noteCopied(text: string): void;
  }
}

let server: ServerType;
let browser: Browser;
let base: string;
let page: Page;
let said: string[] = [];

before(async () => {
  await buildDocsSite(AbortSignal.timeout(10 * 60_000));
  server = serve({
    fetch: docsRoutes(`${root}tools/site/dist`, () =>
      Promise.reject(new Error('It is built before.')),
    ).fetch,
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
  page.evaluate(() => {
    const block = document.querySelector('.vp-doc pre');
    return {
      sideways: document.documentElement.scrollWidth - innerWidth,
      height: document.documentElement.scrollHeight,
      broken: [...document.images].filter((one) => one.complete && !one.naturalWidth).length,
      letters: document.querySelector<HTMLElement>('.vp-doc')?.innerText.length ?? 0,
      cutOff: block ? block.scrollWidth - block.clientWidth : 0,
      background: getComputedStyle(document.body).backgroundColor,
    };
  });

for (const [width, scheme] of [
  [390, 'dark'],
  [1280, 'light'],
] as const) {
  describe(`each page, ${width} pixels wide, ${scheme}`, () => {
    before(async () => {
      await page.setViewport({ width, height: 844 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    });
    for (const path of pages) {
      it(`/docs/${path} fits, has its pictures, and says nothing in the console`, async () => {
        await open(path);
        const { sideways, height, broken, letters, cutOff, background } = await look();
        assert.deepEqual({ sideways, broken }, { sideways: 0, broken: 0 });
        assert.ok(letters > 80, `The page has ${letters} letters.`);
        assert.equal(background === 'rgb(255, 255, 255)', scheme === 'light');
        assert.deepEqual(said, []);
        if (width < 400) {
          if (toStart.test(path)) assert.ok(height <= 6 * 844, `${height / 844} screens`);
          return;
        }
        if (!isWide.test(path))
          assert.ok(cutOff <= 0, `The first block of code is ${cutOff} pixels too wide.`);
        if (!isReference.test(path)) assert.ok(height <= 12_000, `The page is ${height} px high.`);
      });
    }
  });
}

it('each page has an icon, and the title and description that a link to it shows', async () => {
  for (const path of pages) {
    const html = await (await fetch(base + path)).text();
    const found = (pattern: RegExp): string =>
      (pattern.exec(html)?.[1] ?? '').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    const description = found(/<meta name="description" content="([^"]+)">/);
    assert.ok(found(/<meta property="og:title" content="([^"]+)">/), path);
    assert.ok(description, path);
    assert.equal(found(/<meta property="og:description" content="([^"]+)">/), description);
    const icon = new URL(found(/<link rel="icon"[^>]* href="([^"]+)"/), base);
    const { status, headers } = await fetch(icon);
    assert.deepEqual([status, headers.get('Content-Type')], [200, 'image/svg+xml']);
  }
});

describe('links on the pages', () => {
  const ids = new Map<string, ReadonlySet<string>>();

  /** The ids of what a link leads to; null if there is nothing. */
  async function idsOf(address: string): Promise<ReadonlySet<string> | null> {
    const known = ids.get(address);
    if (known) return known;
    const response = await fetch(address);
    if (!response.ok) return null;
    const found = new Set(
      [...(await response.text()).matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id),
    );
    ids.set(address, found);
    return found;
  }

  for (const path of pages) {
    it(`/docs/${path} lead to pages and sections of the site`, async () => {
      const html = await (await fetch(base + path)).text();
      const dead: string[] = [];
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        const url = new URL(href.replaceAll('&amp;', '&'), base + path);
        if (url.origin !== new URL(base).origin) continue;
        const section = decodeURIComponent(url.hash.slice(1));
        url.hash = '';
        const there = await idsOf(url.href);
        if (!there || (section && !there.has(section))) dead.push(href);
      }
      assert.deepEqual(dead, []);
    });
  }
});

describe('files on the pages', () => {
  for (const path of pages) {
    it(`/docs/${path} shows them as they are written`, async () => {
      await open(path);
      const seen = await page.$$eval('.file-name', (names) =>
        names.map((name) => ({
          path: name.querySelector('code')!.textContent,
          text: name.nextElementSibling!.querySelector('pre')!.textContent.trimEnd(),
        })),
      );
      const files = shownFiles(await readFile(`${root}docs/${path || 'index'}.md`, 'utf8'));
      assert.deepEqual(
        seen,
        files.map((file) => ({ path: file.path, text: file.text.trimEnd() })),
      );
    });
  }
});

/** What the example of an element's page shows when it works. */
const examples: Readonly<Record<string, string>> = {
  'clip-config': 'clip-preview:state(ready)',
  'clip-preview': 'clip-preview:state(poster)',
  'clip-embed': 'clip-embed:state(ready)',
  'clip-export-button': 'clip-export-button:state(idle)',
  'clip-list': 'clip-list:state(ready):not(:state(empty))',
  'clip-feed': 'clip-feed:state(playing)',
  'clip-create': 'clip-list:state(ready):not(:state(empty))',
  'clip-videos': 'clip-list:state(ready):not(:state(empty))',
};

describe('the live example of', () => {
  let noteCopied: (text: string) => void;
  before(async () => {
    await page.setViewport({ width: 1280, height: 844 });
    await page.exposeFunction('noteCopied', (text: string) => noteCopied(text));
    await page.evaluateOnNewDocument(() => {
      navigator.clipboard.writeText = async (text) => window.noteCopied(text);
    });
  });

  /** Returns what a click on the button copies. */
  async function copyWith(button: string): Promise<string> {
    const copied = new Promise<string>((resolve) => (noteCopied = resolve));
    await page.locator(button).click();
    return (await copied).trimEnd();
  }
  async function find(selector: string): Promise<void> {
    const frame = await (await page.waitForSelector('.live iframe'))!.contentFrame();
    await frame.waitForSelector(selector);
  }
  async function set(selector: string, text: string): Promise<void> {
    await page.locator(selector).fill(text);
    await page.keyboard.press('Tab');
  }

  for (const [tag, works] of Object.entries(examples)) {
    it(`<${tag}> runs, changes with its text, and is copied with the reader's values`, async () => {
      await open(`elements/${tag}`);
      await page.evaluate(() => localStorage.clear());
      await open(`elements/${tag}`);
      await find(works);
      await set('.live textarea', `<b id="changed">PROJECT_ID</b>`);
      await find('#changed');

      await open(`elements/${tag}`);
      await set('.live [name=service]', 'http://localhost:4401/');
      await set('.live [name=clip]', 'my-clip');
      const written = await readFile(`${root}docs/elements/${tag}.md`, 'utf8');
      const fill = (text: string): string =>
        text
          .replaceAll('https://clips.example', 'http://localhost:4401')
          .replaceAll('PROJECT_ID', 'my-clip');
      const block = (info: string): string =>
        fill(new RegExp(`^\`\`\`${info}\n(.*?)^\`\`\``, 'ms').exec(written)![1]!).trimEnd();
      assert.equal(await copyWith('.live button'), block('html live'));

      // Remembered, and in the other blocks of the page, which VitePress copies.
      await open(`elements/${tag}`);
      assert.equal(
        await page.$eval('.live [name=clip]', (input) => (input as HTMLInputElement).value),
        'my-clip',
      );
      const [language] = /(?<=^```)(?:js|html)$/m.exec(written) ?? [];
      const copied = await copyWith(`.language-${language} > button.copy`);
      assert.equal(copied, block(language!));
    });
  }

  it('a preview shows the clip of the reader, and says so', async () => {
    await open('elements/clip-preview');
    await find('clip-preview[project="my-clip"][player-url="http://localhost:4401"]');
    const note = await page.$eval('.live-note', ({ textContent }) => textContent);
    assert.equal(note, 'This shows your clip, from your service.');
  });

  it('an export makes a file', async () => {
    await open('elements/clip-export-button');
    const frame = await (await page.waitForSelector('.live iframe'))!.contentFrame();
    await frame.locator('clip-export-button >>> button').click();
    await frame.waitForSelector('clip-export-button:state(ready)');
    assert.deepEqual(said, []);
  });
});

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

  const searches = {
    'export-limit': /\/elements\/errors#export-limit$/,
    laravel: /\/sign-in\/php(#|$)/,
    vercel: /\/hosts\/next(#|$)/,
    size: /\/performance#size/,
  };
  for (const [words, href] of Object.entries(searches)) {
    it(`finds a page by “${words}”`, async () => {
      await open('');
      await page.click('.VPNavBarSearch button');
      await page.waitForSelector('.VPLocalSearchBox input');
      await page.type('.VPLocalSearchBox input', words);
      // The results of an earlier search are shown until those of this one are there.
      await page.waitForFunction(
        (pattern) =>
          [...document.querySelectorAll<HTMLAnchorElement>('.VPLocalSearchBox .result')]
            .slice(0, 5)
            .some(({ href }) => new RegExp(pattern).test(href)),
        {},
        href.source,
      );
      assert.deepEqual(said, []);
    });
  }

  it('has the other stacks as tabs', async () => {
    await open('start/html');
    await page.click('.tabs a[href$="/start/react"]');
    await page.waitForFunction(() => document.title.startsWith('React'));
    const here = await page.$eval('.tabs [aria-current]', (tab) => tab.textContent);
    assert.equal(here, 'React');
  });
});
