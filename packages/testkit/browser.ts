import puppeteer, {
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type Frame,
  type Page,
} from 'puppeteer-core';
import { browserPath } from './browser-path.mjs';
import { stallMs } from './stall-ms.ts';
import { waitFor } from './wait-for.ts';
import './built-pages.ts';

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

/** Forces the system's colours on the pages, as with a contrast theme. Returns its `GrayText`. */
export async function forceColours(page: Page): Promise<string> {
  const session = await page.createCDPSession();
  const features = [{ name: 'forced-colors', value: 'active' }];
  await session.send('Emulation.setEmulatedMedia', { features });
  return page.evaluate(() => {
    if (!matchMedia('(forced-colors: active)').matches) throw new Error('Colours are not forced.');
    document.documentElement.style.color = 'GrayText';
    const { color } = getComputedStyle(document.documentElement);
    document.documentElement.style.color = '';
    return color;
  });
}

/** What tests use in a page whose timers they hold. */
interface HeldTimers {
  readonly held: Map<number, { due: number; work: () => void }>;
  now: number;
}

/**
 * From the next page on, its timers of 150 ms or more end only when `passTime` says so; the shorter
 * ones are those of the browser.
 */
export const holdTimers = (page: Page): Promise<unknown> =>
  page.evaluateOnNewDocument(() => {
    const { setTimeout: soon, clearTimeout: clear } = window;
    const timers: HeldTimers = { held: new Map(), now: 0 };
    let last = 1e9;
    Object.assign(window, {
      timers,
      setTimeout: (work: () => void, ms = 0) => {
        if (ms < 150) return soon(work, ms);
        timers.held.set(++last, { due: timers.now + ms, work });
        return last;
      },
      clearTimeout: (id: number) => void (timers.held.delete(id) || clear(id)),
    });
  });

/** Waits for a held timer, if there is none, and lets the time pass for those that are held. */
export async function passTime(page: Page, ms: number): Promise<void> {
  await page.waitForFunction(() => (window as never as { timers: HeldTimers }).timers.held.size);
  await page.evaluate((passed) => {
    const { timers } = window as never as { timers: HeldTimers };
    timers.now += passed;
    for (const [id, { due, work }] of timers.held) {
      if (due <= timers.now && timers.held.delete(id)) work();
    }
  }, ms);
}

/**
 * The frame of an element, once its page is there: it comes in another process, and a wait that
 * began before may never end.
 */
export const frameOf = (element: ElementHandle<HTMLIFrameElement>): Promise<Frame> =>
  waitFor('the page of a frame', async () => {
    const frame = await element.contentFrame();
    return frame.url().startsWith('http') && frame;
  });

/** Resolves once the frames of the page's video advance. */
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
