import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Browser, Frame, Page } from 'puppeteer-core';
import ja from '../src/locales/ja.json' with { type: 'json' };
import { frameOf, holdTimers, openPage, passTime, shownNotice } from 'clip-testkit/browser';
import { PageServer, preparing, startSite } from 'clip-testkit/page-server';
import { sharedBrowser } from './support/shared-browser.ts';

/** What the page's video does once its frames advance. */
async function playing(page: Pick<Page, 'waitForFunction'>) {
  // At the same moment: a clip that has ended is paused.
  const found = await page.waitForFunction(
    () => {
      const video = document.querySelector('video');
      if (!video || video.currentTime <= 0.2) return null;
      const { paused, muted, loop, playsInline } = video;
      const unmute = document.querySelector<HTMLElement>('.unmute')!;
      return { paused, muted, loop, playsInline, unmute: unmute.checkVisibility() };
    },
    { polling: 50 },
  );
  return found.jsonValue();
}

const withSound = { paused: false, muted: false, loop: false, playsInline: false, unmute: false };

describe('playback on the pages', () => {
  let server: PageServer;
  /** Another origin than the pages'. */
  let site: Awaited<ReturnType<typeof startSite>>;
  /** Lets every page play with sound. */
  let browser: Browser;
  /** Lets no page play with sound before a click. */
  let strict: Browser;
  before(async () => {
    [server, site, browser, strict] = await Promise.all([
      PageServer.start(),
      startSite(),
      sharedBrowser(),
      sharedBrowser('document-user-activation-required'),
    ]);
  });
  after(() => Promise.all([server, site].map((one) => one?.close())));

  const player = (query: string, id?: string): string => server.player(query, id);
  const embed = (query: string): string => server.embed(query, 'token');

  /**
   * Visits a page that nobody has clicked. What Puppeteer runs in a page counts as a click,
   * so the page says itself when it plays.
   */
  const visitUnclicked = async (
    url: string,
    use: (page: Page, problems: string[]) => Promise<void>,
  ): Promise<void> => {
    const { page, problems, close } = await openPage(strict);
    try {
      await page.evaluateOnNewDocument(() => {
        const tell = ({ target }: Event): void => {
          if ((target as HTMLVideoElement).currentTime > 0.2) console.debug('frames advance');
        };
        document.addEventListener('timeupdate', tell, { capture: true });
        // So slowly that the clip does not end before the test has done with it.
        const slow = ({ target }: Event) => ((target as HTMLVideoElement).playbackRate = 0.25);
        document.addEventListener('play', slow, { capture: true });
      });
      const advances = new Promise((resolve) =>
        page.on('console', (message) => {
          if (message.text() === 'frames advance') resolve(null);
        }),
      );
      await page.goto(url);
      await advances;
      await use(page, problems);
    } finally {
      await close();
    }
  };

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

  describe('the title over the picture', () => {
    const isShown = (page: Page) =>
      page.evaluate(() => document.querySelector<HTMLElement>('.title')!.offsetHeight > 1);

    for (const [what, title] of [
      ['is there only while the clip stands still', null],
      ['is not there if the clip begins with it', { text: 'Three habits', end: 3 }],
    ] as const) {
      it(what, async () => {
        const { clip } = server;
        server.clips.set('titled', { ...clip, edit: { ...clip.edit!, title } });
        await visit(player('', 'titled'), async (page) => {
          await page.waitForSelector('.player:not([hidden])');
          assert.equal(await isShown(page), title === null);
          await page.click('.big');
          await playing(page);
          assert.equal(await isShown(page), false);
          await page.evaluate(() => document.querySelector('video')!.pause());
          await page.waitForSelector('.stage:not([data-playing])');
          assert.equal(await isShown(page), title === null);
          // Always there for screen readers.
          assert.equal(await page.$eval('h1.title', (one) => one.textContent), clip.name);
        });
      });
    }
  });

  it('has all its controls in a frame of 200 pixels, and in every wider one', () =>
    visit(player(''), async (page) => {
      await page.waitForSelector('.player:not([hidden])');
      await page.evaluate(() => {
        for (const button of document.querySelectorAll<HTMLElement>('.bar button')) {
          button.hidden = false;
        }
      });
      for (let width = 200; width <= 440; width += 40) {
        await page.setViewport({ width, height: 400 });
        const boxes = await page.evaluate(() =>
          [...document.querySelectorAll('.bar button')].map((button) => {
            const { left, right, width: size } = button.getBoundingClientRect();
            return { left, right, size };
          }),
        );
        assert.equal(boxes.length, 5);
        for (const [at, { left, right, size }] of boxes.entries()) {
          assert.ok(left >= (boxes[at - 1]?.right ?? 0) && right <= width, `${at} at ${width}`);
          assert.ok(size >= 28, `${at} at ${width}`);
        }
      }
    }));

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
        await visitUnclicked(url, async (page, problems) => {
          assert.deepEqual(await playing(page), { ...withSound, muted: true, unmute: true });
          await page.click('.unmute');
          // The browser tells of the change of sound later.
          await page.waitForSelector('.unmute', { hidden: true });
          assert.deepEqual(await playing(page), withSound);
          assert.deepEqual(problems, []);
        });
      }
    });

    it('plays a clip that is still being prepared as soon as it is ready', () => {
      server.clips.set('new', { ...server.clip, ...preparing });
      return visit('about:blank', async (page) => {
        await holdTimers(page);
        await page.goto(player('?autoplay=1', 'new'));
        assert.equal(await shownNotice(page), 'preparing');
        server.clips.set('new', server.clip);
        await passTime(page, 2000);
        assert.deepEqual(await playing(page), withSound);
      });
    });
  });

  it('nothing plays automatically without autoplay=1', () =>
    visit(player('?autoplay=0'), async (page) => {
      await page.waitForFunction(() => document.querySelector('video')?.readyState === 4);
      assert.ok(await page.$eval('video', (video) => video.paused && video.currentTime === 0));
    }));

  it('muted, loop and playsinline are the page’s parameters too', () =>
    visitUnclicked(player('?autoplay=1&muted=1&loop=1&playsinline=1'), async (page) =>
      assert.deepEqual(await playing(page), {
        paused: false,
        muted: true,
        loop: true,
        playsInline: true,
        // The page around asked for silence.
        unmute: false,
      }),
    ));

  it('controls=0 shows none of its own, also while the clip is paused', () =>
    visit(player('?controls=0'), async (page) => {
      await page.waitForFunction(() => document.querySelector('video')?.readyState === 4);
      const shown = await page.$$eval('.controls, .big, .heading', (all) =>
        all.map((one) => one.checkVisibility()),
      );
      assert.deepEqual(shown, [false, false, false]);
    }));

  describe('player.js', () => {
    /** What the client's window holds. */
    type Site = {
      player: {
        on(event: string, call: (value: unknown) => void): void;
        off(event: string): void;
        supports(kind: string, name: string): boolean;
        send(data: object, answer?: (value: unknown) => void): void;
      } & Record<string, (value?: unknown) => void>;
      events: { name: string; value: unknown }[];
      ready: Promise<void>;
    };
    /** A page of another site with a page of the clip in a frame, steered by Embedly's client. */
    const frameIn = async (page: Page, src: string, allow = 'autoplay'): Promise<Frame> => {
      const client = new URL(import.meta.resolve('player.js'));
      await page.addScriptTag({ content: await readFile(client, 'utf8') });
      const element = await page.evaluateHandle(
        (address, policy) => {
          const frame = document.createElement('iframe');
          frame.allow = policy;
          frame.src = address;
          document.body.append(frame);
          const { playerjs } = window as never as {
            playerjs: { Player: new (frame: Element) => Site['player'] };
          };
          const player = new playerjs.Player(frame);
          const events: { name: string; value: unknown }[] = [];
          const ready = new Promise<void>((resolve) => player.on('ready', () => resolve()));
          Object.assign(window, { player, events, ready });
          return frame;
        },
        src,
        allow,
      );
      return frameOf(element);
    };
    const isReady = (page: Page) => page.evaluate(() => (window as never as Site).ready);
    const call = (page: Page, method: string, value?: unknown) =>
      page.evaluate((name, given) => (window as never as Site).player[name]!(given), method, value);
    const get = (page: Page, method: string): Promise<unknown> =>
      page.evaluate(
        (name) =>
          new Promise((resolve) => {
            const { player } = window as never as Site;
            if (player[name]) player[name](resolve);
            else player.send({ method: name }, resolve);
          }),
        method,
      );
    const until = async (page: Page, method: string, wanted: unknown): Promise<void> => {
      for (;;) {
        const answer = await get(page, method);
        if (answer === wanted) return;
      }
    };
    const listen = (page: Page, names: readonly string[]) =>
      page.evaluate((all) => {
        const { player, events } = window as never as Site;
        for (const name of all) player.on(name, (value) => events.push({ name, value }));
      }, names);
    const eventOf = async (page: Page, name: string): Promise<unknown> => {
      const found = await page.waitForFunction(
        (wanted) => (window as never as Site).events.find((event) => event.name === wanted),
        { polling: 50 },
        name,
      );
      return ((await found.jsonValue()) as { value: unknown }).value;
    };

    it('is spoken with a client of another site: every method', () =>
      visit(site.url, async (page, problems) => {
        await frameIn(page, player(''));
        await isReady(page);
        for (const method of ['play', 'getLoop', 'clip-setCaptions', 'removeEventListener']) {
          const isKnown = await page.evaluate(
            (name) => (window as never as Site).player.supports('method', name),
            method,
          );
          assert.ok(isKnown, method);
        }
        const seconds = (await get(page, 'getDuration')) as number;
        assert.ok(seconds > 2 && seconds < 6, String(seconds));
        assert.equal(await get(page, 'getPaused'), true);
        assert.equal(await get(page, 'getMuted'), false);
        assert.equal(await get(page, 'getVolume'), 100);
        assert.equal(await get(page, 'getLoop'), false);
        assert.equal(await get(page, 'getCurrentTime'), 0);
        assert.equal(await get(page, 'clip-getPlaybackRate'), 1);
        assert.equal(await get(page, 'clip-getCaptions'), false);
        await call(page, 'mute');
        await until(page, 'getMuted', true);
        await call(page, 'unmute');
        await until(page, 'getMuted', false);
        await call(page, 'setVolume', 35);
        await until(page, 'getVolume', 35);
        await call(page, 'setLoop', true);
        await until(page, 'getLoop', true);
        await call(page, 'setCurrentTime', 1);
        await until(page, 'getCurrentTime', 1);
        await page.evaluate(() =>
          (window as never as Site).player.send({ method: 'clip-setPlaybackRate', value: 2 }),
        );
        await until(page, 'clip-getPlaybackRate', 2);
        await call(page, 'play');
        await until(page, 'getPaused', false);
        await call(page, 'pause');
        await until(page, 'getPaused', true);
        assert.deepEqual(problems, []);
      }));

    it('every event', () =>
      visit(site.url, async (page, problems) => {
        const frame = await frameIn(page, player(''));
        await isReady(page);
        const names = ['play', 'pause', 'ended', 'timeupdate', 'progress', 'seeked', 'error'];
        const own = ['playing', 'waiting', 'volumechange', 'ratechange', 'durationchange'];
        await listen(page, [...names, ...own.map((name) => `clip-${name}`)]);
        await get(page, 'getPaused');
        await call(page, 'play');
        await eventOf(page, 'play');
        await eventOf(page, 'clip-playing');
        const { seconds, duration } = (await eventOf(page, 'timeupdate')) as Record<string, number>;
        assert.ok(seconds! >= 0 && duration! > 2);
        await call(page, 'pause');
        await eventOf(page, 'pause');
        await call(page, 'setVolume', 20);
        assert.deepEqual(await eventOf(page, 'clip-volumechange'), { volume: 20, muted: false });
        await page.evaluate(() =>
          (window as never as Site).player.send({ method: 'clip-setPlaybackRate', value: 1.5 }),
        );
        assert.equal(await eventOf(page, 'clip-ratechange'), 1.5);
        await call(page, 'setCurrentTime', duration! - 0.3);
        await eventOf(page, 'seeked');
        await call(page, 'play');
        await eventOf(page, 'ended');
        // What a network does, at a time that a test can choose.
        await frame.evaluate(() => {
          const video = document.querySelector('video')!;
          for (const type of ['progress', 'waiting', 'durationchange']) {
            video.dispatchEvent(new Event(type));
          }
        });
        assert.deepEqual(await eventOf(page, 'progress'), { percent: 1 });
        assert.equal(await eventOf(page, 'clip-durationchange'), duration);
        await eventOf(page, 'clip-waiting');
        assert.deepEqual(problems, []);
        await frame.evaluate(() => {
          document.querySelector('video')!.src = 'data:video/mp4,none';
        });
        assert.equal(((await eventOf(page, 'error')) as { code: number }).code, 4);
      }));

    it('a play that the browser refuses is the error not-allowed, and nothing plays', () =>
      visit(
        site.url,
        async (page, problems) => {
          await frameIn(page, player(''), "picture-in-picture 'none'");
          await isReady(page);
          await listen(page, ['error']);
          await call(page, 'play');
          assert.equal(((await eventOf(page, 'error')) as { code: string }).code, 'not-allowed');
          assert.equal(await get(page, 'getPaused'), true);
          assert.equal(await get(page, 'getMuted'), false);
          // Nothing that the frame does not permit is tried.
          assert.deepEqual(problems, []);
        },
        strict,
      ));

    it('steers the embed page too, whose token is in no message', () =>
      visit(site.url, async (page) => {
        await page.evaluate(() => {
          const messages: unknown[] = [];
          Object.assign(window, { messages });
          addEventListener('message', ({ data }) => messages.push(data));
        });
        // The client compares the frame's address with the page's, so the token follows.
        const frame = await frameIn(page, server.embed());
        await frame.waitForSelector('.notice[data-for=refused]:not([hidden])');
        await page.evaluate(
          (address) => document.querySelector('iframe')!.contentWindow!.location.replace(address),
          embed(''),
        );
        await isReady(page);
        await call(page, 'play');
        await until(page, 'getPaused', false);
        const messages = await page.evaluate(() =>
          JSON.stringify((window as never as { messages: unknown[] }).messages),
        );
        assert.match(messages, /clip-ready/);
        assert.ok(!messages.includes('token'), messages);
      }));

    it('changes the language of the page while the clip plays', () =>
      visit(site.url, async (page) => {
        const frame = await frameIn(page, player('?autoplay=1&loop=1'));
        await isReady(page);
        const speak = (value: string) =>
          page.evaluate(
            (tag) =>
              (window as never as Site).player.send({ method: 'clip-setLanguage', value: tag }),
            value,
          );
        await playing(frame);
        for (const [tag, lang, dir, label] of [
          ['ar', 'ar', 'rtl', 'إيقاف مؤقت'],
          ['ja-JP', 'ja', 'ltr', '一時停止'],
          ['zh-TW', 'en', 'ltr', 'Pause'],
        ] as const) {
          await speak(tag);
          await frame.waitForSelector(`html[lang="${lang}"][dir="${dir}"]`);
          const shown = await frame.$eval('.bar [data-action=toggle]', (one) => one.ariaLabel);
          assert.equal(shown, label);
        }
        assert.equal(await frame.$eval('video', (video) => video.paused), false);
      }));

    it('changes the language of a page that has no clip to show', () =>
      visit(site.url, async (page) => {
        const frame = await frameIn(page, server.embed());
        await frame.waitForSelector('.notice[data-for=refused]:not([hidden])');
        // The client would wait for a clip.
        await page.evaluate(() => {
          const text = { context: 'player.js', method: 'clip-setLanguage', value: 'ja' };
          document.querySelector('iframe')!.contentWindow!.postMessage(JSON.stringify(text), '*');
        });
        await frame.waitForSelector('html[lang=ja]');
        const shown = await frame.$eval('[data-for=refused] h1', (one) => one.textContent);
        assert.equal(shown, ja.refused);
      }));

    it('messages of other windows, and ones that are no command, change and throw nothing', () =>
      visit(site.url, async (page, problems) => {
        await frameIn(page, player(''));
        await isReady(page);
        await page.evaluate(() => {
          const target = document.querySelector('iframe')!.contentWindow!;
          const text = (more: object) => JSON.stringify({ context: 'player.js', ...more });
          for (const data of [
            null,
            {},
            { context: 'player.js', method: 'setVolume', value: 1 },
            '{',
            text({ method: '__proto__' }),
            text({ method: 'constructor', value: 'x' }),
            text({ method: 'setVolume', value: '1' }),
            text({ method: 'setVolume', value: -1 }),
            text({ method: 'setCurrentTime', value: null }),
            '{"context":"player.js","method":"setCurrentTime","value":1e999}',
            text({ method: 'setVolume', value: 1, padding: 'x'.repeat(20_000) }),
          ]) {
            target.postMessage(data, '*');
          }
          for (let at = 0; at < 5000; at += 1) {
            target.postMessage(
              text({ method: 'addEventListener', value: 'seeked', listener: `l${at}` }),
              '*',
            );
          }
          // Another window of the same site.
          const other = document.createElement('iframe');
          document.body.append(other);
          const script = other.contentDocument!.createElement('script');
          script.textContent = `parent.frames[0].postMessage('${text({ method: 'mute' })}', '*')`;
          other.contentDocument!.body.append(script);
        });
        // Messages arrive in their order.
        assert.equal(await get(page, 'getVolume'), 100);
        assert.equal(await get(page, 'getMuted'), false);
        assert.equal(await get(page, 'getCurrentTime'), 0);
        assert.deepEqual(problems, []);
      }));
  });
});
