/**
 * What a press on Download saves, with a service whose files are on another origin and have no
 * `Content-Disposition`. In Chromium, or in Firefox with `TEST_BROWSER=firefox`.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import puppeteer, { type Browser } from 'puppeteer-core';
import { newPage } from 'clip-testkit/browser';
import { nodeHandler } from '../../packages/host/src/adapters/node.ts';
import { browserPath, firefoxPath } from 'clip-testkit/browser-path';
import { HostWorld } from 'clip-testkit/host-world';
import { listen } from 'clip-testkit/mounted-host';
import { stallMs } from 'clip-testkit/stall-ms';
import { waitFor } from 'clip-testkit/wait-for';

let directory: string;
let browser: Browser;

/** In the C locale, a browser saves no names with other letters. */
const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clip-download-'));
  if (process.env['TEST_BROWSER'] === 'firefox') {
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: firefoxPath(),
      timeout: stallMs,
      env,
      extraPrefsFirefox: { 'browser.download.folderList': 2, 'browser.download.dir': directory },
    });
    return;
  }
  browser = await puppeteer.launch({
    executablePath: browserPath(),
    timeout: stallMs,
    env,
    args: ['--no-sandbox'],
  });
  const session = await browser.target().createCDPSession();
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: directory,
  });
});

after(async () => {
  await browser?.close();
  await rm(directory, { recursive: true, force: true });
});

/** A page with one button whose export is ready, on a site of its own. */
async function open(t: TestContext, { name, attributes = '' }: OpenOptions) {
  const world = await HostWorld.open(t);
  const inside = world.service.world;
  const user = await world.managed();
  const clip = inside.addProject(user, null, { name });
  const one = inside.addExport(user, clip);
  // Expected at once, so that nobody waits.
  inside.exports.set(one.id, { ...one, estimated_ready_at: one.created_at });
  const kit = await readFile(new URL('../../dist/cdn/clip-kit.js', import.meta.url));
  const answer = nodeHandler(world.host);
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/clips/')) return answer(request, response);
    if (request.url === '/clip-kit.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(kit);
      return;
    }
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Set-Cookie': 'user=ann; Path=/',
    }).end(`<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,">
        <script type="module" src="/clip-kit.js"></script>
        <clip-export-button project="${clip.id}" export-id="${one.id}" endpoint="/clips" ${attributes}></clip-export-button>`);
  });
  const url = await listen(server, t);
  const page = await newPage(browser);
  t.after(() => page.close());
  await page.goto(url);
  const button = `document.querySelector('clip-export-button')`;
  await page.waitForFunction(`${button}.status === 'processing'`);
  inside.finish(one.id);
  await page.waitForFunction(`${button}.status === 'ready'`);
  return { page, url, file: `mp4 of ${one.id}`, tabs: (await browser.pages()).length };
}

interface OpenOptions {
  readonly name: string;
  readonly attributes?: string;
}

/** The bytes of a file once the browser has saved all of it. */
const saved = (name: string): Promise<string> =>
  waitFor(
    name,
    async () =>
      (await readdir(directory)).includes(name) &&
      // Firefox makes an empty one first.
      ((await readFile(join(directory, name), 'utf8')) || null),
    () => readdir(directory),
  );

describe('Download', () => {
  for (const [title, name, attributes, fileName] of [
    ['of a clip', 'Clip no. 1', '', 'Clip no. 1.mp4'],
    ['of a clip with other letters', 'ميناء $& (1)', '', 'ميناء $& (1).mp4'],
    ['with a name of the page’s own', 'Clip 2', 'download-name="Häfen.mp4"', 'Häfen.mp4'],
  ] as const) {
    it(`saves the file ${title}`, async (t) => {
      const { page, url, file, tabs } = await open(t, { name, attributes });
      await page.click('clip-export-button >>> .download');
      assert.equal(await saved(fileName), file);
      assert.equal(page.url(), `${url}/`);
      assert.equal((await browser.pages()).length, tabs);
    });
  }

  it('is not needed with auto-download', async (t) => {
    const { page, url, file } = await open(t, { name: 'Clip 3', attributes: 'auto-download' });
    assert.equal(await saved('Clip 3.mp4'), file);
    assert.equal(page.url(), `${url}/`);
  });
});
