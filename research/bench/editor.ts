/**
 * How quick the editor is: `node research/bench/editor.ts [text file]` (after a build), in a
 * browser slowed down four times. Frames a second while a pointer moves a handle through the
 * transcript, beside those of the same page while it moves over it without a handle; the time to
 * open, and from a corrected word to its picture. With a text file, of a quarter of an hour with
 * its first 9,000 words, too.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from 'clip-kit/contract';
import type { Browser } from 'puppeteer-core';
import { launchBrowser, openPage } from '../../packages/service/test/support/browser.ts';
import { openEditor, part } from '../../packages/service/test/support/editor-page.ts';
import { makeVideo } from '../../packages/service/test/support/footage.ts';
import { World } from '../../packages/service/test/support/world.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

const slowdown = 4;
const rounds = 5;
const moves = 90;

const longSeconds = 14 * 60;
const longWords = 9000;
const vttTime = (seconds: number): string => new Date(1000 * seconds).toISOString().slice(11, 23);

/** A clip of a whole video with the words of a text, ten in each cue. */
async function longClip(world: World, user: string, text: string): Promise<Project> {
  const words = (await readFile(text, 'utf8')).split(/\s+/).slice(0, longWords);
  const at = (index: number) => (index / words.length) * longSeconds;
  const cues = words.flatMap((_, index) =>
    index % 10 > 0
      ? []
      : `${vttTime(at(index))} --> ${vttTime(at(index + 9.9))}\n${words.slice(index, index + 10).join(' ')}\n`,
  );
  const footage = join(world.directory, 'footage');
  await writeFile(join(footage, 'long.vtt'), ['WEBVTT\n', ...cues].join('\n'));
  await makeVideo(join(footage, 'long.mp4'), { seconds: longSeconds, rate: '4' });
  return world.makeWhole(user, {
    source_video_url: world.sources.at('long.mp4'),
    dimensions: { width: 108, height: 192 },
    editing_options: { captions: true },
  });
}

/** Milliseconds from a corrected word to the last picture that follows. */
const correctionTimes = `(async () => {
  const editor = document.querySelector('clip-editor').shadowRoot;
  const { model } = editor.querySelector('clip-words');
  const context = editor.querySelector('clip-picture').shadowRoot.querySelector('canvas').getContext('2d');
  const draw = context.drawImage.bind(context);
  let drawn = 0;
  context.drawImage = (...all) => (draw(...all), (drawn = performance.now()));
  const index = model.made.places.indexOf('in');
  const times = [];
  for (let round = 0; round < 9; round++) {
    const began = performance.now();
    model.change({ ...model.changes, words: { [index]: 'said'.slice(round % 3) } });
    while (drawn < began || performance.now() - drawn < 200) await new Promise((resolve) => setTimeout(resolve, 20));
    times.push(drawn - began);
  }
  return times;
})()`;

/** The rows of a clip: what, its value. */
async function measured(browser: Browser, name: string, address: string): Promise<string[][]> {
  const { page, close } = await openPage(browser, { width: 1280, height: 800 });
  // The first opening makes the proxy, so it is not measured.
  await openEditor(page, address);
  await page.goto('about:blank');
  const session = await page.createCDPSession();
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const began = performance.now();
  await openEditor(page, address);
  const openMs = performance.now() - began;
  const handle = (await page.waitForSelector(part('timeline', '[data-handle=end]')))!;
  const line = (await (await page.waitForSelector(
    'clip-editor >>> clip-timeline',
  ))!.boundingBox())!;

  /** Frames a second, and the longest time between two, while the pointer moves. */
  async function moved(isPulled: boolean): Promise<{ rate: number; longestMs: number }> {
    const box = (await handle.boundingBox())!;
    const y = isPulled ? box.y + box.height / 2 : line.y + line.height + 20;
    // Not its middle, which is at the end of the line if the clip ends there.
    await page.mouse.move(box.x + box.width / 4, y);
    if (isPulled) await page.mouse.down();
    await page.evaluate(() => {
      const frames: number[] = [];
      const onFrame = (at: number): void => {
        frames.push(at);
        (globalThis as { looking?: number }).looking = requestAnimationFrame(onFrame);
      };
      Object.assign(globalThis, { frames });
      requestAnimationFrame(onFrame);
    });
    const places = new Set<number>();
    for (let at = 0; at < moves; at++) {
      const share = 0.35 + 0.55 * Math.abs(Math.sin(at / 14));
      await page.mouse.move(line.x + line.width * share, y);
      if (at % 10 === 0) places.add(Math.round((await handle.boundingBox())!.x));
    }
    if (isPulled !== places.size > 2) throw new Error(`The handle was at ${[...places].join()}.`);
    if (isPulled) await page.mouse.up();
    const frames = await page.evaluate(() => {
      const { looking, frames } = globalThis as unknown as { looking: number; frames: number[] };
      cancelAnimationFrame(looking);
      return frames;
    });
    const gaps = frames.slice(1).map((at, index) => at - frames[index]!);
    return {
      rate: (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0),
      longestMs: Math.max(...gaps),
    };
  }

  const found = {
    pulled: [] as Awaited<ReturnType<typeof moved>>[],
    bare: [] as Awaited<ReturnType<typeof moved>>[],
  };
  for (let round = 0; round < rounds; round++) {
    found.bare.push(await moved(false));
    found.pulled.push(await moved(true));
  }
  const slowedMs = median((await page.evaluate(correctionTimes)) as number[]);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await openEditor(page, address);
  const correctedMs = median((await page.evaluate(correctionTimes)) as number[]);
  await close();
  const [moving = '', pulling = ''] = [found.bare, found.pulled].map((all) => {
    const longest = median(all.map(({ longestMs }) => longestMs)).toFixed(0);
    return `${median(all.map(({ rate }) => rate)).toFixed(1)} (longest ${longest} ms)`;
  });
  return [
    [`${name}: opens, ms`, openMs.toFixed(0)],
    [`${name}: frames a second, the pointer moves`, moving],
    [`${name}: frames a second, it pulls a handle`, pulling],
    [`${name}: a corrected word is drawn, ms`, slowedMs.toFixed(0)],
    [`${name}: the same in a browser that is not slowed, ms`, correctedMs.toFixed(0)],
  ];
}

const world = await World.start({ ingestWaitMs: 200 });
const browser = await launchBrowser();
try {
  const user = await world.user();
  const token = await world.token(user);
  const address = ({ id }: Project): string =>
    `${world.service.url}/embed/${id}?edit#external_access_token=${token}`;
  const [short] = await world.makeShorts(user, {
    target_clip_count: 1,
    dimensions: { width: 1080, height: 1920 },
    editing_options: { captions: true, intro_title: true, reframe: true },
  });
  const rows = await measured(browser, 'a short', address(short!));
  const text = process.argv[2];
  if (text) {
    const long = await longClip(world, user, text);
    rows.push(...(await measured(browser, `${longWords} words`, address(long))));
  }
  console.log(markdownTable([`browser slowed ${slowdown} times`, 'value'], rows));
} finally {
  await browser.close();
  await world.close();
}
