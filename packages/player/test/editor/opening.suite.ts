import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { projectListSchema, type Project } from 'clip-kit/contract';
import type { Browser, Page } from 'puppeteer-core';
import { waitFor } from 'clip-testkit/wait-for';
import { launchBrowser, openPage } from 'clip-testkit/browser';
import { part, top } from '../support/editor-page.ts';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { World } from 'clip-testkit/world';

/** A text that only the program of a proxy has among its arguments. */
const proxyProgram = '-bf 0';

describe('the editor of a clip that has no preview', () => {
  const path = process.env['PATH'];
  let directory: string;
  let programs: HeldPrograms;
  let world: World;
  let browser: Browser;
  let token: string;
  let clips: Project[];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-opening-'));
    programs = await heldPrograms(directory);
    process.env['PATH'] = programs.path;
    [world, browser] = await Promise.all([World.start({ concurrency: 1 }), launchBrowser()]);
    const as = await world.user();
    token = await world.token(as);
    for (const stage of ['preview', 'urgent preview'])
      await programs.hold(stage, '-aac_coder fast');
    const body = world.shorts({
      dimensions: { width: 108, height: 192 },
      editing_options: { captions: true, reframe: true },
    });
    const { body: task } = await world.post('/tasks/video-to-shorts', body, { as });
    clips = await waitFor('the clips', async () => {
      const list = await world.get(`/projects/${task.output_id}`, { as });
      return list.body.length > 0 && projectListSchema.parse(list.body);
    });
    await programs.reached('preview');
  });
  after(async () => {
    process.env['PATH'] = path;
    await browser?.close();
    await world?.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Opens the editor by its button. */
  async function open(page: Page, clip: Project): Promise<void> {
    await page.goto(`${world.service.url}/embed/${clip.id}#external_access_token=${token}`);
    await (await page.waitForSelector('.edit:not([hidden])'))!.click();
    await page.waitForSelector(top('.tab'));
  }
  const videoAddress = (page: Page): Promise<string> =>
    page.$eval(part('picture', 'video'), (video) => (video as HTMLVideoElement).currentSrc);
  const isDrawn = (page: Page) =>
    page.waitForFunction(() => {
      const picture = document
        .querySelector('clip-editor')
        ?.shadowRoot?.querySelector('clip-picture')?.shadowRoot;
      return picture?.querySelector('canvas') && !picture.querySelector('.over, img');
    });
  /** The brightest pixel of the picture, 0 to 255. */
  const brightness = (page: Page): Promise<number> =>
    page.$eval(part('picture', 'canvas'), (one) => {
      const canvas = one as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height / 2);
      return Math.max(...data.filter((_, index) => index % 4 === 1));
    });

  const timeline = part('timeline', 'canvas');
  /** Whether there are pictures in the filmstrip, and bars in the wave below it. */
  const isTimelineDrawn = (element: Element | null): boolean => {
    const canvas = element as HTMLCanvasElement;
    const read = (share: number): Uint32Array => {
      const row = [0, Math.round(share * canvas.height), canvas.width, 1] as const;
      return new Uint32Array(canvas.getContext('2d')!.getImageData(...row).data.buffer);
    };
    return new Set(read(0.2)).size > 20 && new Set(read(0.7)).size > 3;
  };

  it('draws it from the source itself, and from the proxy as soon as that is there', async () => {
    await programs.pause('proxy', proxyProgram);
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      await open(page, clips[0]!);
      await isDrawn(page);
      assert.match(await videoAddress(page), /\/embed-api\/projects\/[^/]+\/source\?/);
      assert.ok((await brightness(page)) > 100);
      await programs.reached('proxy');
      await page.waitForFunction(isTimelineDrawn, {}, await page.waitForSelector(timeline));
      await programs.resume('proxy');
      await page.waitForFunction(
        (selector) => {
          const [editor, picture, video] = selector.split(' >>> ') as [string, string, string];
          const root = document
            .querySelector(editor)!
            .shadowRoot!.querySelector(picture)!.shadowRoot!;
          return root
            .querySelector<HTMLVideoElement>(video)!
            .currentSrc.includes('/files/proxies/');
        },
        {},
        part('picture', 'video'),
      );
      await isDrawn(page);
      await (await page.waitForSelector(part('picture', '.play:not([disabled])')))!.click();
      await page.waitForSelector(part('picture', '.play[aria-label=Pause]'));
      assert.ok((await brightness(page)) > 100);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });

  it('shows the poster, and how far the proxy is, where the source cannot be played', async () => {
    await programs.pause('other proxy', proxyProgram);
    const { page, close } = await openPage(browser, { width: 700, height: 700 });
    try {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        const isSource = new URL(request.url()).pathname.endsWith('/source');
        void (isSource ? request.abort() : request.continue());
      });
      await open(page, clips[1]!);
      const poster = (await page.waitForSelector(part('picture', 'img')))!;
      await page.waitForFunction(
        (img) => (img as HTMLImageElement).complete && (img as HTMLImageElement).naturalWidth > 0,
        {},
        poster,
      );
      await programs.reached('other proxy');
      const notice = (await page.waitForSelector(part('picture', '.over')))!;
      await page.waitForFunction((one) => /%/.test(one.textContent ?? ''), {}, notice);
      const picture = (await (await page.$(part('picture', 'canvas')))!.boundingBox())!;
      assert.deepEqual(await notice.boundingBox(), picture, 'over the picture alone');
      await programs.resume('other proxy');
      await isDrawn(page);
      assert.match(await videoAddress(page), /\/files\/proxies\//);
      assert.ok((await brightness(page)) > 100);
    } finally {
      await close();
    }
  });
});
