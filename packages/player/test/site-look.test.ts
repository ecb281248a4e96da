import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Browser, Frame, Page } from 'puppeteer-core';
import { frameOf, openPage } from 'clip-testkit/browser';
import { PageServer } from 'clip-testkit/page-server';
import { sharedBrowser } from './support/shared-browser.ts';
import { type Served, serve } from 'clip-testkit/serve';

const kit = new URL('../../../dist/cdn/clip-kit.js', import.meta.url);

/** A frame of another origin outside of the window has no animation frames. */
const polling = { polling: 50 };

const style = `
  :root { color-scheme: light dark; --clip-accent: #0a7d55; --clip-text: light-dark(#123, #def);
    --clip-surface: light-dark(#fff, #123); --clip-radius: 8px; --clip-font: Georgia, serif }
  :root.loud { --clip-accent: #ffe000; --clip-radius: 0 }
  @media (prefers-reduced-motion: reduce) { :root { --clip-radius: 32px } }`;

function serveSite(services: PageServer): Promise<Served> {
  const html = `<!doctype html><title>Site</title><link rel="icon" href="data:,"><style>${style}</style>
    <script type="module" src="/clip-kit.js"></script>
    <clip-preview loading="eager" player-url="${services.url}" project="clip" label="A"></clip-preview>
    <clip-embed loading="eager" app-url="${services.url}" project="clip" token="token" label="B"></clip-embed>`;
  return serve((request, response) => {
    const isKit = request.url === '/clip-kit.js';
    response.setHeader('Content-Type', isKit ? 'text/javascript' : 'text/html');
    void (isKit ? readFile(kit) : Promise.resolve(html)).then((body) => response.end(body));
  });
}

describe('the look of a site in the real pages', () => {
  let services: PageServer;
  let browser: Browser;
  let site: Served;
  before(async () => {
    [services, browser] = await Promise.all([PageServer.start(), sharedBrowser()]);
    site = await serveSite(services);
  });
  after(async () => {
    await site?.close();
    await services?.close();
  });

  async function visit(
    act: (page: Page, frames: readonly Frame[], warnings: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const { page, problems, close } = await openPage(browser);
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warn') warnings.push(message.text());
    });
    try {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
      await page.goto(site.origin);
      const frames: Frame[] = [];
      for (const name of ['clip-preview', 'clip-embed']) {
        const element = await page.waitForSelector(`${name} >>> iframe`);
        frames.push(await frameOf(element!));
      }
      await act(page, frames, warnings);
      assert.deepEqual(
        problems.filter((text) => !text.includes('has a contrast of')),
        [],
      );
    } finally {
      await close();
    }
  }

  /** Waits until these are the computed values of a page's elements. */
  const looks = (frame: Frame, wanted: Record<string, string>): Promise<unknown> =>
    frame.waitForFunction(
      (wanted) => {
        const box = document.createElement('div');
        box.style.cssText =
          'background:var(--surface);color:var(--ink);border-color:var(--accent);outline-color:var(--on-accent)';
        document.body.append(box);
        const { backgroundColor, color, borderTopColor, outlineColor } = getComputedStyle(box);
        const found: Record<string, string> = {
          surface: backgroundColor,
          text: color,
          accent: borderTopColor,
          onAccent: outlineColor,
          font: getComputedStyle(document.body).fontFamily,
          radius: getComputedStyle(document.querySelector('.sheet')!).borderRadius,
        };
        box.remove();
        return Object.entries(wanted).every(([name, value]) => found[name] === value);
      },
      polling,
      wanted,
    );

  const light = {
    surface: 'rgb(255, 255, 255)',
    text: 'rgb(17, 34, 51)',
    accent: 'rgb(10, 125, 85)',
    onAccent: 'rgb(255, 255, 255)',
    font: 'Georgia, serif',
    radius: '9px',
  };

  it('comes to the player and the embed page', () =>
    visit(async (_page, frames, warnings) => {
      for (const frame of frames) await looks(frame, light);
      assert.deepEqual(warnings, []);
    }));

  it('follows a theme switch, the system, and what else changes', () =>
    visit(async (page, frames) => {
      const all = async (wanted: Record<string, string>) => {
        for (const frame of frames) await looks(frame, wanted);
      };
      await all(light);
      await page.evaluate(() => document.documentElement.classList.add('loud'));
      // Black is what can be read on yellow.
      const loud = { accent: 'rgb(255, 224, 0)', onAccent: 'rgb(0, 0, 0)', radius: '0px' };
      await all(loud);
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
      await all({ ...loud, surface: 'rgb(17, 34, 51)', text: 'rgb(221, 238, 255)' });
      await page.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: 'light' },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ]);
      await page.evaluate(() => document.documentElement.classList.remove('loud'));
      await all({ ...light, radius: '36px' });
    }));

  it('is that of the pages again once the site says nothing', () =>
    visit(async (page, frames) => {
      for (const frame of frames) await looks(frame, light);
      await page.evaluate(() => document.querySelector('style')!.remove());
      for (const frame of frames) {
        await looks(frame, { accent: 'rgb(90, 69, 242)', text: 'rgb(20, 22, 29)', radius: '18px' });
      }
    }));

  it('stays readable, and says in the console what was moved', () =>
    visit(async (page, frames, warnings) => {
      await page.evaluate(() => {
        const { style } = document.documentElement;
        style.setProperty('--clip-text', '#ccc');
        style.setProperty('--clip-surface', '#fff');
      });
      for (const frame of frames) {
        await frame.waitForFunction(() => {
          const [red = 255] = getComputedStyle(document.body).color.match(/\d+/g)!.map(Number);
          return red > 17 && red < 120;
        }, polling);
      }
      assert.match(warnings[0]!, /^--clip-text \(rgb\(204 204 204\)\) has a contrast of 1\.6 on/);
      await page.evaluate(() =>
        document.documentElement.style.setProperty('--clip-accent', '#123456'),
      );
      for (const frame of frames) await looks(frame, { accent: 'rgb(18, 52, 86)' });
      // Once in each page.
      assert.equal(warnings.length, 2);
    }));
});
