import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { forceColours, launchBrowser, openPage } from 'clip-testkit/browser';
import { serve } from 'clip-testkit/serve';

it('in forced colours, what is disabled is GrayText, and what is not is not', async () => {
  const script = await readFile('dist/cdn/clip-studio.js');
  const html = `<!doctype html><html lang="en"><title>Studio</title><link rel="icon" href="data:,">
    <script type="module" src="/clip-studio.js"></script>
    <clip-create endpoint="/clips"></clip-create>`;
  const { origin, close } = await serve(({ url }, response) => {
    const isScript = url === '/clip-studio.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? script : html);
  });
  const browser = await launchBrowser();
  try {
    const { page } = await openPage(browser);
    const gray = await forceColours(page);
    await page.goto(origin);
    const colours = (selector: string) =>
      page.waitForSelector(`clip-create >>> ${selector}`).then((one) =>
        one!.evaluate((button) => {
          const { color, borderTopColor } = getComputedStyle(button);
          return [color, borderTopColor];
        }),
      );
    assert.deepEqual(await colours('.start[aria-disabled="true"]'), [gray, gray]);
    assert.ok(!(await colours('button:not([aria-disabled="true"])')).includes(gray));
  } finally {
    await browser.close();
    await close();
  }
});
