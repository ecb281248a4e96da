/** The site of docs/start/studio.md, as a newcomer makes it, with a real service. */
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import type {} from 'clip-kit/clip-list';
import type {} from 'clip-kit/clip-videos';
import { freePort } from '../../tools/free-port.ts';
import { launchBrowser, newPage } from 'clip-testkit/browser';
import { World } from 'clip-testkit/world';
import { shownFiles } from '../docs/shown-files.ts';
import { waitInPage } from '../support/page-progress.ts';
import { startProgram, type Program } from '../support/program.ts';

declare global {
  interface Window {
    noteNotice(notice: string): void;
  }
}

const secret = 'the secret of the studio, of 32 bytes or more';

describe('the studio of the documentation', () => {
  let world: World;
  let directory: string;
  let site: Program;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  /** What the pages of clips show in place of a player, one after another. */
  const notices: string[] = [];

  before(async () => {
    const port = await freePort();
    const hostSite = { secrets: [secret], origins: [`http://127.0.0.1:${port}`] };
    world = await World.start({ hostSite });
    directory = await mkdtemp(join(tmpdir(), 'studio-'));
    await copyFile('dist/cdn/clip-studio.js', join(directory, 'clip-studio.js'));
    await writeFile(join(directory, 'clip-host-secret'), `${secret}\n`);
    for (const { path, text } of shownFiles(await readFile('docs/start/studio.md', 'utf8'))) {
      const file = text.replaceAll('http://localhost:4400', world.service.url);
      await writeFile(join(directory, path), file);
    }
    site = await startProgram([process.execPath, 'server.js'], { port, cwd: directory, env: {} });
    browser = await launchBrowser();
    page = await newPage(browser);
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.exposeFunction('noteNotice', (notice: string) => notices.push(notice));
    await page.evaluateOnNewDocument(() => {
      new MutationObserver(() => {
        const shown = document.querySelector<HTMLElement>('.notice:not([hidden])');
        if (shown) window.noteNotice(shown.dataset['for']!);
      }).observe(document, { subtree: true, attributeFilter: ['hidden'] });
    });
    await page.goto(site.url);
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
    await world?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('takes a talk with its subtitles', async () => {
    await page.$eval('clip-create', (create) => Object.assign(create, { count: 2, length: 6 }));
    const input = await page.waitForSelector('clip-create >>> input[type=file]');
    const footage = join(world.directory, 'footage');
    await (input as unknown as { uploadFile(...paths: string[]): Promise<void> }).uploadFile(
      join(footage, 'talk.mp4'),
      join(footage, 'talk.vtt'),
    );
    await page.locator('clip-create >>> .start:not([aria-disabled=true])').click();
  });

  it('opens the editor at once, on a whole phone, without a word about a preview', async () => {
    await page.setViewport({ width: 390, height: 844 });
    await page.locator('clip-list [slot^=actions-]').click();
    const framed = await page.waitForSelector('clip-embed >>> iframe');
    await (await framed!.contentFrame()).waitForSelector('clip-editor');
    assert.deepEqual(
      notices.filter((notice) => notice !== 'loading'),
      [],
    );
    const box = await page.$eval('dialog', (dialog) => {
      const { x, y, width, height } = dialog.getBoundingClientRect();
      return { x, y, width, height, border: getComputedStyle(dialog).borderWidth };
    });
    assert.deepEqual(box, { x: 0, y: 0, width: 390, height: 844, border: '0px' });
    await page.locator('dialog button').click();
    await page.waitForSelector('clip-embed', { hidden: true });
  });

  it('shows its clips', async () => {
    await waitInPage(page, 'the clips', () => {
      const [video] = document.querySelector('clip-videos')?.videos ?? [];
      const list = document.querySelector('clip-list')!;
      // Until the list is ready, too, its buttons may move.
      return video?.status === 'ready' && list.status === 'ready' && list.clips.length > 0;
    });
    const [video] = await page.$eval('clip-videos', ({ videos }) => videos);
    assert.equal(video!.name, 'talk');
    assert.ok(video!.source_seconds! > 0);
  });

  it('exports a clip, once, and gives the file', async () => {
    await page.locator('clip-list >>> clip-export-button >>> button').click();
    await waitInPage(page, 'the file', () => {
      const list = document.querySelector('clip-list')!.shadowRoot!;
      return list.querySelector('clip-export-button')?.status === 'ready';
    });
    const granted = page.waitForResponse(
      (response) => response.url().endsWith('/download') && response.request().method() === 'POST',
    );
    await page.locator('clip-list >>> clip-export-button >>> .download').click();
    const { url } = (await (await granted).json()) as { url: string };
    const file = await fetch(url);
    assert.equal(file.headers.get('Content-Type'), 'video/mp4');
    assert.ok((await file.arrayBuffer()).byteLength > 1000);
    assert.deepEqual(problems, []);
  });
});
