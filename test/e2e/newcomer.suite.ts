/**
 * Started by `tools/newcomer.mjs`, with the lines of HTML that `npm start` has printed, and
 * beside the studio that it has printed.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { framesAdvance, launchBrowser, openPage } from 'clip-testkit/browser';
import { ownStudioOrigin } from '../../demo/server/own-studio.ts';
import { waitFor } from 'clip-testkit/wait-for';
import { serve } from 'clip-testkit/serve';

const block = process.env['BLOCK'] ?? '';

it('the printed lines show a picture on any page, and play after a click', async () => {
  const { port, close } = await serve((request, response) => {
    if (request.url !== '/') return void response.writeHead(204).end();
    const head = '<!doctype html><html lang="en"><title>A page</title>';
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`${head}<body>${block}</body>`);
  });
  const browser = await launchBrowser('document-user-activation-required');
  try {
    const { page, problems } = await openPage(browser);
    await page.goto(`http://localhost:${port}/`);
    await page.waitForSelector('clip-preview:state(poster)');
    const picture = await page.$eval(
      'clip-preview >>> [part="poster"]',
      (image) => (image as HTMLImageElement).naturalHeight,
    );
    assert.ok(picture > 100, `the picture is ${picture} pixels high`);
    await page.click('clip-preview');
    await page.waitForSelector('clip-preview:state(ready)');
    const frame = await (await page.waitForSelector('clip-preview >>> iframe'))!.contentFrame();
    await framesAdvance(frame);
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    await close();
  }
});

it('the printed studio takes a video of the person who is signed in', async () => {
  await waitFor('the studio', () => fetch(ownStudioOrigin).then(Boolean, () => null));
  const browser = await launchBrowser();
  try {
    const { page, problems } = await openPage(browser);
    await page.goto(ownStudioOrigin);
    // The host has answered for this person: there are no videos yet, and no error.
    await page.waitForSelector('clip-videos:state(ready)');
    await page.waitForSelector('clip-create >>> input[type=file]');
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
  }
});
