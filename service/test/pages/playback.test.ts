import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Project } from 'clip-kit/contract';
import type { Browser, Page } from 'puppeteer-core';
import { launchBrowser, openPage, shownNotice } from '../support/browser.ts';
import { World } from '../support/world.ts';

/** What the page's video does once its frames advance. */
async function playing(page: Pick<Page, 'waitForFunction' | 'evaluate'>) {
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2, {
    polling: 50,
  });
  return page.evaluate(() => {
    const { paused, muted, loop, playsInline } = document.querySelector('video')!;
    const unmute = document.querySelector<HTMLElement>('.unmute')!;
    return { paused, muted, loop, playsInline, unmute: unmute.checkVisibility() };
  });
}

const withSound = { paused: false, muted: false, loop: false, playsInline: true, unmute: false };

describe('playback on the pages', () => {
  let world: World;
  /** Lets every page play with sound. */
  let browser: Browser;
  /** Lets no page play with sound before a click. */
  let strict: Browser;
  let token: string;
  let clip: Project;
  before(async () => {
    [world, browser, strict] = await Promise.all([
      World.start({ ingestWaitMs: 200 }),
      launchBrowser(),
      launchBrowser('document-user-activation-required'),
    ]);
    const user = await world.user();
    token = await world.token(user);
    const dimensions = { width: 108, height: 192 };
    const [first] = await world.makeShorts(user, { target_clip_count: 1, dimensions });
    assert.ok(first);
    clip = first;
  });
  after(async () => {
    await Promise.all([browser.close(), strict.close()]);
    await world.close();
  });

  const player = (query: string, id = clip.id): string =>
    `${world.service.url}/player/${id}${query}`;
  const embed = (query: string): string =>
    `${world.service.url}/embed/${clip.id}${query}#external_access_token=${token}`;

  const visit = async (
    url: string,
    use: (page: Page, problems: string[]) => Promise<void>,
    from: Browser = browser,
  ): Promise<void> => {
    const { page, problems, close } = await openPage(from);
    try {
      await page.goto(url);
      await use(page, problems);
    } finally {
      await close();
    }
  };

  describe('autoplay=1', () => {
    it('plays with sound if the browser allows it, on both pages', async () => {
      for (const url of [player('?autoplay=1'), embed('?autoplay=1')]) {
        await visit(url, async (page, problems) => {
          assert.deepEqual(await playing(page), withSound);
          assert.deepEqual(problems, []);
        });
      }
    });

    it('otherwise plays muted, with a button that turns the sound on', async () => {
      for (const url of [player('?autoplay=1'), embed('?autoplay=1')]) {
        await visit(
          url,
          async (page, problems) => {
            assert.deepEqual(await playing(page), { ...withSound, muted: true, unmute: true });
            await page.click('.unmute');
            assert.deepEqual(await playing(page), withSound);
            assert.deepEqual(problems, []);
          },
          strict,
        );
      }
    });

    it('plays a clip that is still being prepared as soon as it is ready', async () => {
      const source = world.sources.at('stall/scene.mp4');
      const created = await world.post(
        '/tasks/video-to-video',
        world.whole({ source_video_url: source }),
      );
      await visit(player('?autoplay=1', created.body.output_id), async (page) => {
        assert.equal(await shownNotice(page), 'preparing');
        assert.deepEqual(await playing(page), withSound);
      });
    });
  });

  it('nothing plays by itself without autoplay=1', () =>
    visit(player('?autoplay=0'), async (page) => {
      await page.waitForFunction(() => document.querySelector('video')?.readyState === 4);
      assert.ok(await page.$eval('video', (video) => video.paused && video.currentTime === 0));
    }));

  it('muted, loop and playsinline are the page’s parameters too', () =>
    visit(
      player('?autoplay=1&muted=1&loop=1&playsinline=0'),
      async (page) =>
        assert.deepEqual(await playing(page), {
          paused: false,
          muted: true,
          loop: true,
          playsInline: false,
          // The page around asked for silence.
          unmute: false,
        }),
      strict,
    ));
});
