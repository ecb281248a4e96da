/**
 * How smoothly the editor's handle is pulled: `node bench/editor.ts` (after a build). Frames a
 * second of the page while a pointer moves a handle through the transcript, in a browser slowed
 * down four times, beside those of the same page while the pointer moves over it without a handle.
 */
import { launchBrowser, openPage } from '../service/test/support/browser.ts';
import { World } from '../service/test/support/world.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

const slowdown = 4;
const rounds = 5;
const moves = 90;

const world = await World.start({ ingestWaitMs: 200 });
const browser = await launchBrowser();
try {
  const user = await world.user();
  const token = await world.token(user);
  const [clip] = await world.makeShorts(user, {
    target_clip_count: 1,
    dimensions: { width: 1080, height: 1920 },
    editing_options: { captions: true, intro_title: true, reframe: true },
  });
  const { page, close } = await openPage(browser, { width: 1280, height: 800 });
  await page.goto(`${world.service.url}/embed/${clip!.id}?edit#external_access_token=${token}`);
  await page.waitForFunction(() => {
    const editor = document.querySelector('clip-editor')?.shadowRoot;
    const picture = editor?.querySelector('clip-picture')?.shadowRoot;
    return picture?.querySelector('canvas') && !picture.querySelector('.over');
  });
  const session = await page.createCDPSession();
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const handle = (await page.waitForSelector(
    'clip-editor >>> clip-time-line >>> [data-handle=end]',
  ))!;
  const line = (await (await page.waitForSelector(
    'clip-editor >>> clip-time-line',
  ))!.boundingBox())!;

  /** Frames a second, and the longest time between two, while the pointer moves. */
  async function moved(isPulled: boolean): Promise<{ rate: number; longestMs: number }> {
    const box = (await handle.boundingBox())!;
    const y = isPulled ? box.y + box.height / 2 : line.y + line.height + 20;
    await page.mouse.move(box.x + box.width / 2, y);
    if (isPulled) await page.mouse.down();
    await page.evaluate(() => {
      const frames: number[] = [];
      const look = (at: number): void => {
        frames.push(at);
        (globalThis as { looking?: number }).looking = requestAnimationFrame(look);
      };
      Object.assign(globalThis, { frames });
      requestAnimationFrame(look);
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
  const row = (name: string, all: typeof found.bare): string[] => [
    name,
    median(all.map(({ rate }) => rate)).toFixed(1),
    median(all.map(({ longestMs }) => longestMs)).toFixed(0),
  ];
  console.log(
    markdownTable(
      [`browser slowed ${slowdown} times`, 'frames a second', 'longest ms'],
      [row('the pointer moves', found.bare), row('it pulls a handle', found.pulled)],
    ),
  );
  await close();
} finally {
  await browser.close();
  await world.close();
}
