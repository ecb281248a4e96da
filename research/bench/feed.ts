/**
 * Swipes through 60 clips: `<clip-feed>` with the real pages of the service, beside a bare list of
 * 60 `<video>` with `scroll-snap`, which plays what is in view. In a browser that is slowed down
 * four times: `node research/bench/feed.ts`, after `npm run build`.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'puppeteer-core';
import { launchBrowser, newPage } from '../../packages/service/test/support/browser.ts';
import { makeVideo } from '../../packages/service/test/support/footage.ts';
import { PageServer } from '../../packages/service/test/support/page-server.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

const slowdown = 4;
const clips = 60;
const size = { width: 390, height: 844 };
const ids = Array.from({ length: clips }, (_, at) => `clip-${at}`);

/** Each sets `feed`: its `scroller`, and `onPlaying`, which calls with the place of what plays. */
const contenders = {
  'bare list': (pages: string) => `<style>
  body { margin: 0 }
  main { block-size: 100dvh; overflow: auto; scroll-snap-type: y mandatory }
  video { display: block; inline-size: 100%; block-size: 100%; scroll-snap-align: start; scroll-snap-stop: always }
</style>
<main>${ids.map((id) => `<video src="${pages}/files/previews/clip/a.mp4?${id}" poster="${pages}/player/${id}/poster.jpg" preload="metadata" muted loop playsinline></video>`).join('')}</main>
<script type="module">
  const scroller = document.querySelector('main');
  const videos = [...document.querySelectorAll('video')];
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) target.play().catch(() => {});
      else target.pause();
    }
  }, { threshold: 0.6 });
  for (const video of videos) observer.observe(video);
  const onPlaying = (call) => {
    for (const [at, video] of videos.entries()) video.addEventListener('playing', () => call(at));
  };
  globalThis.feed = { scroller, onPlaying, isLoaded: (at) => videos[at].readyState >= 2 };
</script>`,
  'clip-feed': (pages: string) => `<style>body { margin: 0 }</style>
<clip-feed projects="${ids.join(' ')}" player-url="${pages}" poster-url="${pages}/player/{project}/poster.jpg" handshake="clip-ready"></clip-feed>
<script type="module">
  import '/dist/cdn/clip-studio.js';
  const element = document.querySelector('clip-feed');
  const find = (selector) => [...element.shadowRoot.querySelectorAll(selector)];
  while (!find('clip-preview').length) await new Promise((resolve) => setTimeout(resolve, 10));
  const at = ({ project }) => Number(project.slice(5));
  const onPlaying = (call) => {
    // Media events do not bubble.
    element.shadowRoot.addEventListener('playing', ({ target }) => call(at(target)), true);
  };
  const isLoaded = (place) => find('clip-preview').some((one) => at(one) === place && one.readyState > 0);
  globalThis.feed = { scroller: find('[part=feed]')[0], onPlaying, isLoaded };
</script>`,
};
/** The feed is measured with its frames in the page's process, and in another one. */
const names = ['bare list', 'clip-feed', 'clip-feed, frames of another site'] as const;
type Name = (typeof names)[number];
const contenderOf = (name: Name) => contenders[name === 'bare list' ? name : 'clip-feed'];

/** What the page notes of itself, in milliseconds of its clock. */
interface Notes {
  /** Tasks of more than 50 ms. */
  long: number[];
  frames: number[];
  /** When the last snap was reached. */
  snapped: number;
  /** When the clip at each place began to play last. */
  played: Record<number, number>;
}

function startNotes(): void {
  const { feed } = globalThis as unknown as {
    feed: { scroller: HTMLElement; onPlaying(call: (at: number) => void): void };
  };
  const notes: Notes = { long: [], frames: [], snapped: 0, played: {} };
  Object.assign(globalThis, { notes });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) notes.long.push(duration);
  }).observe({ type: 'longtask' });
  feed.scroller.addEventListener('scrollend', () => (notes.snapped = performance.now()));
  feed.onPlaying((at) => (notes.played[at] = performance.now()));
  const frame = (): void => {
    notes.frames.push(performance.now());
    requestAnimationFrame(frame);
  };
  frame();
}

interface Figures {
  /** Bytes that came before the first swipe. */
  readonly loaded: number;
  /** Of the page and its frames, after a collection at the end. */
  readonly heap: number;
  readonly nodes: number;
  /** Milliseconds. */
  readonly long: readonly number[];
  readonly framesPerSecond: readonly number[];
  /** Milliseconds from the snap until the clip plays, of each swipe. */
  readonly next: readonly number[];
}

async function measure(page: Page, url: string): Promise<Figures> {
  const browser = await page.createCDPSession();
  let loaded = 0;
  await browser.send('Network.enable');
  browser.on('Network.dataReceived', ({ dataLength }) => (loaded += dataLength));
  await page.setViewport(size);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(url);
  await page.waitForFunction('globalThis.feed?.isLoaded(0) && feed.isLoaded(1)');
  await page.evaluate(startNotes);
  const before = loaded;
  const framesPerSecond: number[] = [];
  const next: number[] = [];
  const now = () => page.evaluate(() => performance.now());
  for (let at = 1; at < clips; at++) {
    await page.waitForFunction(`feed.isLoaded(${at})`);
    const began = await now();
    // By two fingers on a touch pad: this Chromium, without a window, scrolls by no touch.
    await browser.send('Input.synthesizeScrollGesture', {
      x: size.width / 2,
      y: size.height / 2,
      yDistance: -size.height * 0.6,
      speed: 2000,
      gestureSourceType: 'mouse',
    });
    await page.waitForFunction(`notes.snapped > ${began} && notes.played[${at}] > ${began}`);
    const [snapped, played, frames] = await page.evaluate(
      (place, since) => {
        const { notes } = globalThis as unknown as { notes: Notes };
        const drawn = notes.frames.filter((time) => time >= since && time <= notes.snapped);
        return [notes.snapped, notes.played[place]!, drawn] as const;
      },
      at,
      began,
    );
    next.push(Math.max(0, played - snapped));
    framesPerSecond.push((1000 * (frames.length - 1)) / (frames.at(-1)! - frames[0]!));
  }
  const long = await page.evaluate(() => (globalThis as unknown as { notes: Notes }).notes.long);
  await browser.send('HeapProfiler.collectGarbage');
  const { metrics } = await browser
    .send('Performance.enable')
    .then(() => browser.send('Performance.getMetrics'));
  const metric = (name: string) => metrics.find((one) => one.name === name)!.value;
  return {
    ...{ loaded: before, heap: metric('JSHeapUsedSize'), nodes: metric('Nodes') },
    ...{ long, framesPerSecond, next },
  };
}

/** Serves the page of each contender; those in its frames are at `localhost`. */
async function serve(pages: string): Promise<{ urlOf(name: Name): string; close(): void }> {
  const root = new URL('../../', import.meta.url);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const name = names.find((one) => path === `/${one}`);
    if (name) {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      const html =
        '<!doctype html><html lang="en"><title>Feed</title><link rel="icon" href="data:,">';
      response.end(
        `${html}<meta name="viewport" content="width=device-width">${contenderOf(name)(pages)}`,
      );
      return;
    }
    readFile(new URL(`.${path}`, root)).then(
      (body) => response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await once(server.listen(0), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name) =>
      `http://${name.includes('another') ? '127.0.0.1' : 'localhost'}:${port}/${name}`,
    close: () => (server.close(), server.closeAllConnections()),
  };
}

async function swipeThrough(browser: Browser, url: string): Promise<Figures> {
  const context = await browser.createBrowserContext();
  try {
    return await measure(await newPage(context), url);
  } finally {
    await context.close();
  }
}

const directory = await mkdtemp(join(tmpdir(), 'clip-feed-bench-'));
try {
  const files = join(directory, 'previews', 'clip');
  await mkdir(files, { recursive: true });
  const [clip, poster] = ['a.mp4', 'a.jpg'].map((name) => join(files, name));
  await makeVideo(clip!, { seconds: 20, width: 540, height: 960, rate: '25' });
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', clip!, '-frames:v', '1', poster!]);
  await using resources = new AsyncDisposableStack();
  const pages = resources.adopt(await PageServer.start({}, directory), (one) => one.close());
  for (const id of ids) pages.clips.set(id, pages.clip);
  const site = resources.adopt(await serve(pages.url), (one) => one.close());
  const browser = resources.adopt(await launchBrowser(), (one) => one.close());
  const all: Figures[] = [];
  for (const name of names) all.push(await swipeThrough(browser, site.urlOf(name)));
  const row = (what: string, figure: (one: Figures) => string) => [what, ...all.map(figure)];
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  const ms = (time: number): string => `${time.toFixed(0)} ms`;
  console.log(
    markdownTable(
      [`${clips} clips`, ...names],
      [
        row('loaded by the page before the first swipe', ({ loaded }) => mb(loaded)),
        row('heap of its process at the end', ({ heap }) => mb(heap)),
        row('nodes in it', ({ nodes }) => `${nodes}`),
        row('tasks of more than 50 ms', ({ long }) => `${long.length}`),
        row('the longest', ({ long }) => ms(Math.max(0, ...long))),
        row('frames a second while swiping, median', (one) =>
          median(one.framesPerSecond).toFixed(0),
        ),
        row('of the slowest swipe', (one) => Math.min(...one.framesPerSecond).toFixed(0)),
        row('from the snap until it plays, median', ({ next }) => ms(median(next))),
        row('the longest time', ({ next }) => ms(Math.max(...next))),
      ],
    ),
  );
} finally {
  await rm(directory, { recursive: true, force: true });
}
