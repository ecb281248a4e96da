/**
 * Takes the pictures of README and documentation, all of them from the demo's sample: the steps of
 * `docs/tour.md`, for which it also prints the seconds, then the demo's studio and its editor.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ElementHandle, Frame, Page } from 'puppeteer-core';
import { ServiceClient } from 'clip-kit/client';
import { startDemo } from '../demo/server/demo.ts';
import { ownStudioOrigin } from '../demo/server/own-studio.ts';
import { frameOf, framesAdvance, launchBrowser, openPage } from 'clip-testkit/browser';
import { waitFor } from 'clip-testkit/wait-for';
import { hashPictureTexts, takenTextsFile } from './picture-texts.ts';
import { openEditor, openTool, startMaking, waitForClips } from './studio-steps.ts';

/** Maximum time for one step: the clips of two minutes of video on a slow machine. */
const maxStepMs = 900_000;

const pictures = fileURLToPath(new URL('../docs/images/', import.meta.url));
const sample = fileURLToPath(new URL('../demo/sample/sample', import.meta.url));
const temporary = await mkdtemp(join(tmpdir(), 'clip-pictures-'));

let began = performance.now();
/** Prints the seconds since the last step. */
function printStep(step: string): void {
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(8)} s  ${step}`);
  began = performance.now();
}

async function take(shown: Page | ElementHandle, name: string): Promise<void> {
  await shown.screenshot({ path: join(pictures, `${name}.webp`), type: 'webp', quality: 82 });
}

/** Takes a picture of the page as a phone shows it in dark colours, then goes back. */
async function takeOnPhone(page: Page, name: string): Promise<void> {
  const wide = page.viewport();
  await page.setViewport({ width: 390, height: 844 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await take(page, name);
  await page.emulateMediaFeatures([]);
  await page.setViewport(wide);
}

/** The printed lines of HTML on a page of another port. */
async function walkOwnPage(page: Page, block: string): Promise<void> {
  const head = '<!doctype html><html lang="en"><title>My page</title>';
  const style = '<style>body{font:1.2rem system-ui;max-width:40rem;margin:3rem auto}</style>';
  const text = '<h1>My page</h1><p>A text of mine, and a clip in it.</p>';
  const site = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`${head}${style}<body>${text}${block}</body></html>`);
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  began = performance.now();
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  await page.waitForSelector('clip-preview:state(poster)');
  printStep('your page shows the picture of the clip');
  await take(page, 'tour/own-page');
  began = performance.now();
  await page.click('clip-preview');
  const frame = await page.waitForSelector('clip-preview >>> iframe');
  await framesAdvance(await frameOf(frame as ElementHandle<HTMLIFrameElement>));
  printStep('a click plays it');
  site.close();
}

/** The printed studio: an upload, its clips, and an export. */
async function walkOwnStudio(page: Page): Promise<void> {
  await waitFor('the studio', () => fetch(ownStudioOrigin).then(Boolean, () => null));
  await page.goto(ownStudioOrigin);
  const input = await page.waitForSelector('clip-create >>> input[type=file]');
  await page.waitForSelector('clip-videos:state(ready)');
  printStep('your studio is open');
  await take(page, 'tour/own-studio');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(`${sample}.mp4`, `${sample}.vtt`);
  began = performance.now();
  await startMaking(page);
  await page.waitForFunction(() => document.querySelector('clip-list')!.clips.length > 0);
  printStep('the sample is uploaded, and its clips are listed');
  await take(page, 'tour/making');
  await waitForClips(page);
  const count = await page.evaluate(() => document.querySelector('clip-list')!.clips.length);
  printStep(`all ${count} clips are ready to play`);
  await page.evaluate(() => document.querySelector('clip-list')!.scrollIntoView());
  await take(page, 'tour/clips');
  await takeOnPhone(page, 'tour/clips-phone');
  began = performance.now();
  await page.locator('clip-list >>> clip-export-button >>> button').click();
  await page.waitForSelector('clip-list >>> clip-export-button >>> .download');
  printStep('an export of the first clip is ready to download');
  await take(page, 'tour/export');
}

/** The demo's own studio, and the editor in its dialog. */
async function walkDemo(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle0' });
  await take(page, 'tour/demo');
  await page.locator('.people button').click();
  await page.locator('.give .link').click();
  await startMaking(page);
  await waitForClips(page);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await take(page, 'studio');
  const editor = await openEditor(page);
  const timeline = await editor.waitForSelector('clip-editor >>> clip-timeline >>> canvas');
  // The filmstrip is drawn once the service has made it.
  await editor.waitForFunction(
    (canvas) => {
      const { width } = canvas;
      const { data } = canvas.getContext('2d')!.getImageData(0, 10, width, 1);
      return new Set(new Uint32Array(data.buffer)).size > 20;
    },
    {},
    timeline as ElementHandle<HTMLCanvasElement>,
  );
  const dialog = (await page.$('dialog'))!;
  await take(dialog, 'editor');
  await editor
    .locator('clip-editor >>> clip-words >>> .sentence:has(.word.in) + .sentence .at')
    .click();
  await editor.locator('clip-editor >>> clip-words >>> [data-do=remove]').click();
  await take(dialog, 'editor-words');
  for (const tool of ['layout', 'style']) {
    await openTool(editor, tool);
    await take(dialog, `editor-${tool}`);
  }
  await takeBumper(editor, dialog);
}

/** An intro that is chosen, with its picture. */
async function takeBumper(editor: Frame, dialog: ElementHandle): Promise<void> {
  const intro = 'clip-editor >>> clip-style >>> clip-bumper[place=intro] >>>';
  const select = (await editor.waitForSelector(`${intro} select`))!;
  const id = await select.$eval('option:nth-child(2)', (one) => (one as HTMLOptionElement).value);
  await select.select(id);
  const video = (await editor.waitForSelector(
    `${intro} video`,
  ))! as ElementHandle<HTMLVideoElement>;
  await video.evaluate((one) => {
    one.currentTime = 1.5;
  });
  await waitFor('the whole intro', () => video.evaluate((one) => one.readyState === 4));
  await editor.waitForFunction(() =>
    document.querySelector('clip-editor')!.shadowRoot!.textContent.includes('Saved'),
  );
  await select.scrollIntoView();
  await take(dialog, 'editor-bumper');
}

/** The same elements with their own look, and with the style sheet of a page. */
async function takeLooks(page: Page, url: string): Promise<void> {
  for (const look of ['usual', 'print']) {
    await page.evaluate((look) => localStorage.setItem('look', look), look);
    await page.goto(`${url}/elements/clip-export-button/`);
    await page.waitForSelector('[data-state=limit] clip-export-button:state(limit)');
    await page.evaluate(() => document.querySelector('.states')!.scrollIntoView());
    await take(page, `look-${look}`);
  }
}

/** The page that a share link of the sample's clips opens. */
async function takeShare(page: Page, serviceUrl: string): Promise<void> {
  const apiKey = (await readFile(join(temporary, 'site/api-key'), 'utf8')).trim();
  const client = new ServiceClient({ baseUrl: `${serviceUrl}/v2`, apiKey });
  const { tasks } = await client.listTasks({ limit: 1 });
  const { url } = await client.createShare(tasks[0]!.output_id, { download: true });
  await page.goto(url, { waitUntil: 'networkidle0' });
  await takeOnPhone(page, 'share-link');
}

const browser = await launchBrowser('document-user-activation-required');
let studio: ChildProcess | undefined;
const demo = await startDemo({ port: 0, servicePort: 0, dataDir: temporary, log: console.log });
try {
  const { page } = await openPage(browser, { width: 1280, height: 860 });
  page.setDefaultTimeout(maxStepMs);
  began = performance.now();
  const block = await demo.ownPage();
  printStep('the demo has made a clip for a page of your own');
  await walkOwnPage(page, block);
  await writeFile(join(temporary, 'studio.mjs'), demo.ownStudio);
  studio = spawn(process.execPath, [join(temporary, 'studio.mjs')], { stdio: 'inherit' });
  await walkOwnStudio(page);
  await demo.addSampleMedia();
  await walkDemo(page, demo.url);
  await takeLooks(page, demo.url);
  await takeShare(page, demo.service.url);
  await writeFile(takenTextsFile, `${hashPictureTexts()}\n`);
} finally {
  studio?.kill();
  await browser.close();
  await demo.close();
  await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
}
