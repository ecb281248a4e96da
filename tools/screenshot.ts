/**
 * Takes the pictures of the documentation: the demo's studio with the sample's shorts, wide and
 * light, narrow and dark. `DATA_DIR` reuses the data of an existing demo; by default everything is
 * made again and removed.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { startDemo } from '../demo/server/demo.ts';
import { browserPath } from '../test/support/browser-path.mjs';

/** Maximum time to make the sample's shorts: two minutes of video on a slow machine. */
const maxSampleMs = 600_000;

interface Shot {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly colours: 'light' | 'dark';
  /** The element to scroll to the top edge; the top of the page if omitted. */
  readonly from?: string;
}

const shots: readonly Shot[] = [
  { file: 'studio.png', width: 1280, height: 860, colours: 'light' },
  {
    file: 'studio-dark-phone.png',
    width: 390,
    height: 844,
    colours: 'dark',
    from: '.work h1',
  },
];

/**
 * Logs in as the first person of the page, and starts the sample's shorts if they are missing.
 */
async function enterStudio(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('.people button').click();
  await page.waitForSelector('clip-videos:state(ready)');
  if (await page.$('clip-videos:state(empty)')) {
    await page.locator('.give .link').click();
    await page.locator('clip-create >>> [part=start]:not([aria-disabled=true])').click();
    await page.waitForSelector('clip-videos:not(:state(empty))');
  }
  console.log('Waiting for the shorts ...');
}

/** Waits until no video is in progress and every clip of the page shows its decoded poster. */
async function clipsShown(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const list = document.querySelector('clip-list');
      return (
        !document.querySelector('clip-videos')!.shadowRoot!.querySelector('[part=progress]') &&
        list?.status === 'ready' &&
        list.clips.length > 0
      );
    },
    { timeout: maxSampleMs, polling: 250 },
  );
  // Posters load lazily; this loads all of them, including those below the edge.
  await page.evaluate(async () => {
    await document.fonts.ready;
    const clips = document.querySelector('clip-list')!.shadowRoot!;
    const posters = [...clips.querySelectorAll('clip-preview')].map((clip) =>
      clip.shadowRoot?.querySelector('img'),
    );
    await Promise.all(
      posters.map(async (poster) => {
        if (!poster) throw new Error('A clip has no poster.');
        poster.loading = 'eager';
        await poster.decode();
      }),
    );
  });
}

async function take(page: Page, shot: Shot, directory: string): Promise<void> {
  const { width, height, colours, from } = shot;
  await page.setViewport({ width, height, deviceScaleFactor: 1, isMobile: width < 600 });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: colours },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.reload();
  await clipsShown(page);
  await page.evaluate((selector) => {
    const top = selector ? document.querySelector(selector)?.getBoundingClientRect().top : 0;
    if (top === undefined) throw new Error(`Nothing on the page is ${selector}.`);
    // Leaves a small margin above it.
    scrollTo({ top: selector ? top + scrollY - 16 : 0, behavior: 'instant' });
  }, from);
  const path = join(directory, shot.file);
  await page.screenshot({ path, type: 'png' });
  console.log(`docs/images/${shot.file}`);
}

const directory = fileURLToPath(new URL('../docs/images', import.meta.url));
const kept = process.env['DATA_DIR'];
const dataDir = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'clip-screenshot-'));
let demo: Awaited<ReturnType<typeof startDemo>> | undefined;
let browser: Browser | undefined;
try {
  demo = await startDemo({ port: 0, servicePort: 0, dataDir, say: (line) => console.log(line) });
  browser = await puppeteer.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--hide-scrollbars'],
  });
  const page = await browser.newPage();
  await enterStudio(page, demo.url);
  await mkdir(directory, { recursive: true });
  for (const shot of shots) await take(page, shot, directory);
} finally {
  await browser?.close();
  await demo?.close();
  if (!kept) await rm(dataDir, { recursive: true, force: true });
}
