import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core';
import { browserPath } from '../../../test/support/browser-path.mjs';
import { stallMs } from '../../../test/support/stall-ms.ts';

/** A real browser, without a window. By default it lets every page play with sound. */
export const launchBrowser = (autoplayPolicy = 'no-user-gesture-required'): Promise<Browser> =>
  puppeteer.launch({
    executablePath: browserPath(),
    timeout: stallMs,
    protocolTimeout: 2 * stallMs,
    args: ['--no-sandbox', `--autoplay-policy=${autoplayPolicy}`, '--mute-audio'],
  });

/** A page whose waits end only when nothing happens for long. */
export async function newPage(context: Pick<BrowserContext, 'newPage'>): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(stallMs);
  return page;
}

/** A page in a context of its own that notes what went wrong in it. */
export async function openPage(
  browser: Browser,
  size = { width: 360, height: 640 },
): Promise<{ page: Page; problems: string[]; close(): Promise<void> }> {
  const context = await browser.createBrowserContext();
  const page = await newPage(context);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.setViewport(size);
  return { page, problems, close: () => context.close() };
}

/** Resolves once the frames of the page's video advance by themselves. */
export async function framesAdvance(page: Pick<Page, 'waitForFunction'>): Promise<void> {
  await page.waitForFunction(
    () => {
      const video = document.querySelector('video');
      return (
        video && video.currentTime > 0.3 && video.getVideoPlaybackQuality().totalVideoFrames > 3
      );
    },
    { polling: 50 },
  );
}

/** Plays the page's video and resolves once its frames advance. */
export async function playUntilFramesAdvance(page: Pick<Page, 'waitForFunction'>): Promise<void> {
  await page.waitForFunction(
    () => {
      const video = document.querySelector('video');
      if (!video?.src) return false;
      if (video.paused && !video.ended) void video.play();
      return video.currentTime > 0.3 && video.getVideoPlaybackQuality().totalVideoFrames > 3;
    },
    { polling: 50 },
  );
}

/** The notice that the page shows, or null. */
export const shownNotice = (page: Pick<Page, 'evaluate'>): Promise<string | null> =>
  page.evaluate(
    () => document.querySelector<HTMLElement>('.notice:not([hidden])')?.dataset['for'] ?? null,
  );
