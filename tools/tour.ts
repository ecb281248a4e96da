/**
 * Does what `docs/tour.md` describes, in a fresh clone with an empty HOME: `npm start`, the printed
 * clip on a page at another port, the printed studio, an upload of the demo's sample, and an
 * exported clip. Writes the pictures of that page, and prints the seconds of each step.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ElementHandle, Page } from 'puppeteer-core';
import { ownStudioOrigin } from '../demo/server/own-studio.ts';
import {
  framesAdvance,
  launchBrowser,
  openPage,
} from '../packages/service/test/support/browser.ts';
import { waitFor } from '../test/support/wait-for.ts';

/** Maximum time for one step: an export or the clips of two minutes of video on a slow machine. */
const maxStepMs = 900_000;

const pictures = fileURLToPath(new URL('../docs/images/tour/', import.meta.url));
const checkout = fileURLToPath(new URL('..', import.meta.url));
const temporary = await mkdtemp(join(tmpdir(), 'clip-tour-'));
const clone = join(temporary, 'clip-kit');
const env = { ...process.env, HOME: temporary };
const programs: ChildProcess[] = [];

let began = performance.now();
/** Prints the seconds since `began`. */
function passed(step: string): void {
  const seconds = (performance.now() - began) / 1000;
  console.log(`${seconds.toFixed(1).padStart(8)} s  ${step}`);
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(pictures, `${name}.webp`), type: 'webp', quality: 82 });
}

/** Shows the page as a phone does, in dark colours, takes its picture, and goes back. */
async function takeOnPhone(page: Page, name: string): Promise<void> {
  const wide = page.viewport();
  await page.setViewport({ width: 390, height: 844 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await take(page, name);
  await page.emulateMediaFeatures([]);
  await page.setViewport(wide);
}

function start(command: string, args: string[], directory: string): ChildProcess {
  const child = spawn(command, args, {
    cwd: directory,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  programs.push(child);
  return child;
}

const browser = await launchBrowser('document-user-activation-required');
try {
  await mkdir(pictures, { recursive: true });
  execFileSync('git', ['clone', '--quiet', checkout, clone]);

  const demo = start('npm', ['start'], clone);
  let printed = '';
  demo.stdout!.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const inOutput = (what: string, pattern: RegExp): Promise<string> =>
    waitFor(
      what,
      () => {
        if (demo.exitCode !== null) throw new Error('npm start has ended.');
        return pattern.exec(printed)?.[0] ?? null;
      },
      () => printed,
      maxStepMs,
    );
  began = performance.now();
  const url = (await inOutput('the address of the demo', /Open\s+\S+/)).split(/\s+/)[1]!;
  passed('npm start prints the address of the demo');
  const { page } = await openPage(browser, { width: 1280, height: 800 });
  page.setDefaultTimeout(maxStepMs);
  await page.goto(url, { waitUntil: 'networkidle0' });
  await take(page, 'demo');
  const block = await inOutput('the printed clip', /<script type="module"[^]*?<\/clip-preview>/);
  passed('it prints a clip for a page of your own');
  const program = await inOutput('the printed studio', /^import \{ createHmac[^]*?\.listen\(.*\n/m);

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
  passed('your page shows the picture of the clip');
  await take(page, 'own-page');
  began = performance.now();
  await page.click('clip-preview');
  const frame = (await page.waitForSelector(
    'clip-preview >>> iframe',
  )) as ElementHandle<HTMLIFrameElement>;
  await framesAdvance(await frame.contentFrame());
  passed('a click plays it');
  site.close();

  await writeFile(join(temporary, 'studio.mjs'), program);
  began = performance.now();
  start(join(clone, 'node_modules/.bin/node'), [join(temporary, 'studio.mjs')], temporary);
  await waitFor('the studio', () => fetch(ownStudioOrigin).then(Boolean, () => null));
  await page.goto(ownStudioOrigin);
  const input = (await page.waitForSelector(
    'clip-create >>> input[type=file]',
  )) as ElementHandle<HTMLInputElement>;
  await page.waitForSelector('clip-videos:state(ready)');
  passed('your studio is open');
  await take(page, 'own-studio');
  const sample = join(clone, '.data/site/sample/sample.mp4');
  const { size } = await stat(sample);
  began = performance.now();
  await input.uploadFile(sample, join(clone, '.data/site/sample/sample.vtt'));
  await page.locator('clip-create >>> [part=start]:not([aria-disabled=true])').click();
  await page.waitForFunction(() => document.querySelector('clip-list')!.clips.length > 0);
  passed(`the sample (${(size / 1e6).toFixed(1)} MB) is uploaded, and its clips are listed`);
  await take(page, 'making');
  await page.waitForFunction(() => {
    const videos = document.querySelector('clip-videos')!;
    const list = document.querySelector('clip-list')!;
    return list.status === 'ready' && !videos.shadowRoot!.querySelector('[part=progress]');
  });
  const count = await page.evaluate(() => document.querySelector('clip-list')!.clips.length);
  passed(`all ${count} clips are ready to play, since the same press of the button`);
  // Posters load near the viewport.
  await page.evaluate(() => document.querySelector('clip-list')!.scrollIntoView());
  await page.waitForNetworkIdle();
  await take(page, 'clips');
  await takeOnPhone(page, 'clips-phone');
  began = performance.now();
  await page.locator('clip-list >>> clip-export-button >>> button').click();
  await page.waitForSelector('clip-list >>> clip-export-button >>> [part~=download]');
  passed('an export of the first clip is ready to download');
  await take(page, 'export');
} finally {
  await browser.close();
  for (const { pid, exitCode } of programs) if (pid && exitCode === null) process.kill(-pid);
  await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
}
