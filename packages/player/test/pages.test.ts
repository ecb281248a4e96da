import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';
import {
  frameOf,
  holdTimers,
  openPage,
  passTime,
  playUntilFramesAdvance,
  shownNotice,
} from 'clip-testkit/browser';
import { PageServer, preparing, startSite } from 'clip-testkit/page-server';
import { waitFor } from 'clip-testkit/wait-for';
import { longRun } from 'clip-testkit/long-run';
import { sharedBrowser } from './support/shared-browser.ts';

describe('the pages (4.13)', () => {
  let server: PageServer;
  /** Another origin than the pages'. */
  let site: Awaited<ReturnType<typeof startSite>>;
  let browser: Browser;
  before(async () => {
    [site, browser] = await Promise.all([startSite(), sharedBrowser()]);
    server = await PageServer.start({ controlOrigins: [new URL(site.url).origin] });
  });
  after(() => Promise.all([server, site].map((one) => one?.close())));

  const playerUrl = (id?: string): string => server.player('', id);
  const embedUrl = (token?: string, id?: string): string => server.embed('', token, id);
  const visit = async (
    url: string,
    use: (page: Page, problems: string[]) => Promise<void>,
    size?: { width: number; height: number },
  ): Promise<void> => {
    const { page, problems, close } = await openPage(browser, size);
    try {
      await page.goto(url);
      await use(page, problems);
    } finally {
      await close();
    }
  };
  const waitForNotice = (page: Page, name: string) =>
    page.waitForSelector(`.notice[data-for="${name}"]:not([hidden])`);

  describe('/player/{project_id}', () => {
    it('plays the preview', () =>
      visit(playerUrl(), async (page, problems) => {
        await playUntilFramesAdvance(page);
        assert.equal(await page.title(), server.clip.name);
        assert.equal(await shownNotice(page), null);
        assert.deepEqual(problems, []);
      }));

    it('loads nothing of the editor', () =>
      visit('about:blank', async (page) => {
        const names: string[] = [];
        page.on('request', (request) => {
          const [, name] = /\/assets\/(.+)$/.exec(request.url()) ?? [];
          if (name) names.push(name);
        });
        for (const url of [playerUrl(), embedUrl('token')]) {
          names.length = 0;
          await page.goto(url);
          await playUntilFramesAdvance(page);
          assert.deepEqual(names.toSorted(), ['page.js', 'player.css']);
        }
      }));

    it('says so if the clip could not be made', () => {
      const message = 'The video ends before its length.';
      server.clips.set('bad', { ...server.clip, ...preparing, state: 'failed', message });
      return visit(playerUrl('bad'), async (page) => {
        await waitForNotice(page, 'failed');
        const text = await page.$eval('.notice:not([hidden]) p', (p) => p.textContent);
        assert.equal(text, message);
      });
    });

    it('has an address of the preview for readers without a script', () =>
      visit('about:blank', async (page) => {
        await page.setJavaScriptEnabled(false);
        await page.goto(playerUrl());
        const video = await page.$eval('noscript a', (link) => (link as HTMLAnchorElement).href);
        assert.equal((await fetch(video)).headers.get('content-type'), 'video/mp4');
      }));

    it('is a separate page, with 404, for an unknown clip', () =>
      visit(playerUrl('nothing'), async (page) => {
        const response = await page.reload();
        assert.equal(response?.status(), 404);
        assert.match(await page.$eval('h1', (h1) => h1.textContent ?? ''), /not here/);
      }));

    it('fits frames of different sizes', () =>
      visit(playerUrl(), async (page) => {
        await page.waitForSelector('.player:not([hidden])');
        for (const [width, height] of [
          [160, 284],
          [1200, 700],
          [500, 200],
        ] as const) {
          await page.setViewport({ width, height });
          const fits = await page.evaluate(() =>
            [
              '.stage',
              '.controls',
              '.bar [data-action=toggle]',
              '.bar [data-action=fullscreen]',
            ].every((name) => {
              const box = document.querySelector(name)?.getBoundingClientRect();
              return (
                box !== undefined &&
                box.width > 0 &&
                box.left >= -0.5 &&
                box.top >= -0.5 &&
                box.right <= innerWidth + 0.5 &&
                box.bottom <= innerHeight + 0.5
              );
            }),
          );
          assert.ok(fits, `${width} by ${height}`);
        }
      }));
  });

  describe('/embed/{project_id}', () => {
    it('plays with the token in the fragment, and says what is known of the clip', () =>
      visit(embedUrl('token'), async (page, problems) => {
        await playUntilFramesAdvance(page);
        assert.equal(await page.$eval('.name', (name) => name.textContent), server.clip.name);
        assert.equal(
          await page.$eval('.explanation', (text) => text.textContent),
          server.clip.explanation,
        );
        assert.deepEqual(problems, []);
      }));

    it('takes the token out of its address and the tab’s history; a reload still plays', () =>
      visit(embedUrl('token'), async (page) => {
        const addresses = async () => {
          const session = await page.createCDPSession();
          const { entries } = await session.send('Page.getNavigationHistory');
          await session.detach();
          return entries.map(({ url }) => url);
        };
        const clean = async () => {
          assert.equal(page.url(), embedUrl());
          for (const url of await addresses()) assert.ok(!url.includes('token'), url);
        };
        await playUntilFramesAdvance(page);
        await clean();
        await page.reload();
        await playUntilFramesAdvance(page);
        await clean();
        await page.goto(playerUrl());
        await page.goBack();
        await playUntilFramesAdvance(page);
        await clean();
        // The token is this entry's: the same address, asked for again, has none.
        await page.goto('about:blank');
        await page.goto(embedUrl());
        await waitForNotice(page, 'refused');
      }));

    it('takes it out of its address before anything is asked for with it', () =>
      visit('about:blank', async (page) => {
        await page.setRequestInterception(true);
        page.on('request', (request) => {
          if (!request.url().includes('/embed-api/')) void request.continue();
        });
        const loaded = page.goto(embedUrl('token')).catch(() => {});
        await page.waitForFrame(embedUrl());
        await page.close();
        await loaded;
      }));

    for (const [what, token, id, notice] of [
      ['without a token', undefined, 'clip', 'refused'],
      ['with an empty one', '', 'clip', 'refused'],
      ['with one that is not good', 'a.b.c', 'clip', 'refused'],
      ['of another user', 'token', 'nothing', 'missing'],
    ] as const) {
      it(`shows nothing of a clip ${what}`, () =>
        visit(embedUrl(token, id), async (page) => {
          await waitForNotice(page, notice);
          const shown = await page.evaluate(() => document.body.innerText);
          assert.ok(!shown.includes(server.clip.name));
          assert.equal(await page.$eval('video', (video) => video.src), '');
        }));
    }

    it('takes a renewed token without a reload or a break in playback', () =>
      visit(embedUrl('token'), async (page) => {
        await playUntilFramesAdvance(page);
        // So slowly that the clip does not end meanwhile.
        await page.$eval('video', (video) => (video.playbackRate = 0.25));
        const called = page.waitForResponse((answer) => answer.url().includes('/embed-api/'));
        const before = await page.evaluate((next) => {
          const video = document.querySelector('video')!;
          Object.assign(window, { sameDocument: true, stops: 0 });
          for (const name of ['pause', 'emptied', 'waiting']) {
            video.addEventListener(name, () => ((window as never as { stops: number }).stops += 1));
          }
          location.hash = `external_access_token=${next}`;
          return video.currentTime;
        }, 'renewed');
        const answer = await called;
        assert.equal(page.url(), embedUrl());
        assert.equal(answer.status(), 200);
        assert.equal(answer.request().headers()['authorization'], 'Bearer renewed');
        await page.waitForFunction(
          (time) => document.querySelector('video')!.currentTime > time + 0.2,
          {},
          before,
        );
        const { sameDocument, stops } = await page.evaluate(() => {
          const { sameDocument, stops } = window as never as {
            sameDocument: boolean;
            stops: number;
          };
          return { sameDocument, stops };
        });
        assert.deepEqual([sameDocument, stops], [true, 0]);
      }));

    it('opens once a refused token is replaced by a good one', () =>
      visit(embedUrl('a.b.c'), async (page) => {
        await waitForNotice(page, 'refused');
        await page.evaluate(() => {
          location.hash = 'external_access_token=token';
        });
        await playUntilFramesAdvance(page);
      }));

    it('works in a frame of another site', () =>
      visit(site.url, async (page) => {
        await page.evaluate((src) => {
          const frame = document.createElement('iframe');
          frame.src = src;
          document.body.append(frame);
        }, embedUrl('token'));
        const frame = await page.waitForFrame((one) => one.url().includes('/embed/'));
        await playUntilFramesAdvance(frame);
        const entries = await page.evaluate(() => history.length);
        // The page before has the same address.
        await Promise.all([frame.waitForNavigation(), frame.evaluate(() => location.reload())]);
        await playUntilFramesAdvance(frame);
        // A frame's address belongs to the tab's history as well; a renewal adds nothing to it.
        await page.evaluate(
          (src) => document.querySelector('iframe')!.contentWindow!.location.replace(src),
          embedUrl('renewed'),
        );
        await frame.waitForFunction((next) => history.state?.token === next, {}, 'renewed');
        assert.equal(await frame.evaluate(() => location.hash), '');
        assert.equal(await page.evaluate(() => history.length), entries);
      }));
  });

  for (const [name, url] of [
    ['player', () => playerUrl('waiting')],
    ['embed', () => embedUrl('token', 'waiting')],
  ] as const) {
    it(`show the poster under the spinner until the clip plays: ${name}`, () => {
      const waiting = { ...server.clip, ...preparing, posterKey: server.clip.posterKey };
      server.clips.set('waiting', waiting);
      return visit('about:blank', async (page, problems) => {
        await holdTimers(page);
        await page.goto(url());
        await waitForNotice(page, 'preparing');
        const poster = (await page.waitForSelector('.poster:not([hidden])'))!;
        await page.waitForFunction((img) => (img as HTMLImageElement).naturalWidth > 0, {}, poster);
        const stage = (await (await page.$('.stage'))!.boundingBox())!;
        assert.deepEqual(await poster.boundingBox(), stage);
        const badge = (await (await page.waitForSelector(
          '.notice:not([hidden]) .badge',
        ))!.boundingBox())!;
        assert.ok(badge.x > stage.x && badge.x + badge.width < stage.x + stage.width);
        server.clips.set('waiting', server.clip);
        await passTime(page, 150);
        await page.waitForSelector('.player:not([hidden])');
        await page.waitForSelector('.poster', { hidden: true });
        assert.equal(await page.$eval('video', (video) => video.readyState > 1), true);
        assert.deepEqual(problems, []);
      });
    });
  }

  it('show the poster of a clip that waits before any script runs', async () => {
    server.clips.set('waiting', { ...server.clip, ...preparing, posterKey: server.clip.posterKey });
    await visit('about:blank', async (page) => {
      await page.setJavaScriptEnabled(false);
      await page.goto(playerUrl('waiting'));
      const poster = await page.$eval('.poster', (img) => (img as HTMLImageElement).src);
      assert.equal((await fetch(poster)).headers.get('content-type'), 'image/jpeg');
    });
  });

  it('show no poster of a clip to a reader without a token', () =>
    visit(embedUrl(), async (page) => {
      await waitForNotice(page, 'refused');
      assert.notEqual(await page.$('.poster[hidden]'), null);
    }));

  it('tell the page around them that the clip is there, with its size, or that there is none', () =>
    visit(site.url, async (page) => {
      const ready = { type: 'clip-ready', width: 108, height: 192 };
      const greeting = async (src: string): Promise<unknown> => {
        const element = await page.evaluateHandle((address) => {
          const frame = document.createElement('iframe');
          const messages: unknown[] = [];
          Object.assign(frame, { messages });
          addEventListener('message', ({ source, data }) => {
            if (source === frame.contentWindow) messages.push(data);
          });
          frame.src = address;
          document.body.append(frame);
          return frame;
        }, src);
        const settled = '.player:not([hidden]), .notice:not([hidden], [data-for="loading"])';
        // Its page comes in another process: a question to the one before may never be answered.
        const frame = await waitFor('a page that has settled', async () => {
          const found = await frameOf(element);
          const unanswered = setTimeout(1000, null);
          const shown = await Promise.race([found.$(settled).catch(() => null), unanswered]);
          return shown && found;
        });
        // A notice may be in the HTML, before the script that tells of it.
        await frame.waitForFunction(() => document.readyState === 'complete');
        // The messages of a frame come in the order in which it sends them.
        await frame.evaluate(() => parent.postMessage('end', '*'));
        const sent = await page.waitForFunction(
          (one) => {
            const { messages } = one as unknown as { messages: unknown[] };
            return messages.includes('end') && messages;
          },
          {},
          element,
        );
        return ((await sent.jsonValue()) as unknown[])[0];
      };
      assert.deepEqual(
        [
          await greeting(playerUrl()),
          await greeting(embedUrl('token')),
          await greeting(playerUrl('nothing')),
          await greeting(embedUrl('a.b.c')),
        ],
        [ready, ready, { type: 'clip-missing' }, 'end'],
      );
    }));

  it('let only the origins of the setting steer them', async () => {
    const steer = async (from: string): Promise<boolean> => {
      let isMuted = false;
      await visit(from, async (page) => {
        await page.evaluate((src) => {
          const frame = document.createElement('iframe');
          frame.src = src;
          document.body.append(frame);
        }, playerUrl());
        const frame = await page.waitForFrame((one) => one.url() === playerUrl());
        await frame.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
        const arrived = await frame.evaluateHandle(() => ({
          message: new Promise((resolve) => addEventListener('message', resolve)),
        }));
        await page.evaluate(() => {
          const text = JSON.stringify({ context: 'player.js', method: 'mute' });
          document.querySelector('iframe')!.contentWindow!.postMessage(text, '*');
        });
        isMuted = await arrived.evaluate(async ({ message }) => {
          await message;
          return document.querySelector('video')!.muted;
        });
      });
      return isMuted;
    };
    assert.equal(await steer(site.url), true);
    assert.equal(await steer(site.url.replace('127.0.0.1', 'localhost')), false);
  });

  describe('the controls', () => {
    const state = (page: Page) =>
      page.$eval('video', ({ paused, muted, volume, currentTime, playbackRate }) => ({
        paused,
        muted,
        volume: Math.round(volume * 100),
        time: Math.round(currentTime * 10) / 10,
        rate: playbackRate,
      }));
    const loaded = (page: Page) =>
      page.waitForFunction(() => document.querySelector('video')?.readyState === 4);
    const open = (page: Page) =>
      page.evaluate(() => document.querySelector('dialog[open]')?.id ?? null);

    it('follow the keys of the page', () =>
      visit(playerUrl(), async (page, problems) => {
        await loaded(page);
        const seconds = await page.$eval('video', ({ duration }) => duration);
        const press = async (...keys: string[]) => {
          for (const key of keys) await page.keyboard.press(key as 'k');
        };
        await press('m', 'ArrowDown');
        assert.deepEqual(await state(page), {
          paused: true,
          muted: false,
          volume: 0,
          time: 0,
          rate: 1,
        });
        await press('ArrowUp', 'ArrowUp', '>', '>', '<', '5');
        const { volume, rate, time } = await state(page);
        assert.deepEqual([volume, rate], [10, 1.25]);
        assert.ok(Math.abs(time - seconds / 2) < 0.2, String(time));
        await press('j');
        assert.equal((await state(page)).time, 0);
        await press('l');
        assert.ok((await state(page)).time > seconds - 0.2);
        await press('ArrowLeft');
        assert.equal((await state(page)).time, 0);
        await press('m');
        assert.equal((await state(page)).muted, true);
        await press('k');
        await page.waitForFunction(() => !document.querySelector('video')!.paused);
        await press('Space');
        assert.equal((await state(page)).paused, true);
        await press('f');
        await page.waitForFunction(() => document.fullscreenElement?.className === 'stage');
        await press('f');
        await page.waitForFunction(() => !document.fullscreenElement);
        await press('?');
        assert.equal(await open(page), 'help');
        // Keys belong to the dialog.
        await press('m');
        assert.equal((await state(page)).muted, true);
        await press('Escape');
        assert.equal(await open(page), null);
        assert.deepEqual(problems, []);
      }));

    it('say what they do, and show the time under the pointer', () =>
      visit(playerUrl(), async (page) => {
        await loaded(page);
        const label = (selector: string) => page.$eval(selector, (one) => one.ariaLabel);
        assert.equal(await label('.bar [data-action=toggle]'), 'Play');
        assert.equal(await label('[data-action=mute]'), 'Mute');
        await page.click('[data-action=mute]');
        await page.waitForFunction(
          () => document.querySelector('[data-action=mute]')!.ariaLabel === 'Unmute',
        );
        const box = (await (await page.$('.seek'))!.boundingBox())!;
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        assert.match(await page.$eval('.seek-time', (one) => one.textContent!.trim()), /^0:0[12]$/);
        const picture = await page.$eval('.seek-picture', (one) => {
          const { backgroundImage, backgroundPositionX } = getComputedStyle(one);
          const { width, height } = one.getBoundingClientRect();
          return { backgroundImage, backgroundPositionX, width, height };
        });
        assert.ok(picture.width >= 16 && picture.height >= 16, 'a picture of that second');
        assert.match(picture.backgroundPositionX, /^-\d/);
        const url = /^url\("(.+)"\)$/.exec(picture.backgroundImage)![1]!;
        assert.equal((await fetch(url)).headers.get('content-type'), 'image/jpeg');
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        assert.ok((await state(page)).time > 1);
        assert.match(await page.$eval('.seek', (one) => one.ariaValueText!), /^0:0\d of 0:0\d$/);
        await page.mouse.click(box.x + box.width / 2, 200);
        // The media event that sets the label comes after the property that it is about.
        await page.waitForFunction(
          () => document.querySelector('.bar [data-action=toggle]')!.ariaLabel === 'Pause',
        );
        assert.equal(await page.$eval('video', (video) => video.paused), false);
      }));

    it('have speed, a link to the clip and the shortcuts behind one button', () =>
      visit(embedUrl('token'), async (page) => {
        await loaded(page);
        await page.click('[data-action=more]');
        await page.select('.speed', '1.5');
        assert.equal((await state(page)).rate, 1.5);
        await page.evaluate(() => {
          Object.defineProperty(navigator, 'canShare', { value: undefined });
          Object.defineProperty(navigator, 'clipboard', {
            value: { writeText: () => Promise.reject(new Error('not allowed here')) },
          });
        });
        await page.click('[data-action=share]');
        await page.waitForSelector('.link:not([hidden])');
        // The page for everybody, without a token.
        assert.equal(await page.$eval('.link input', (one) => one.value), playerUrl());
        await page.click('[data-action=help]');
        assert.equal(await open(page), 'help');
        await page.click('#help [data-action=close]');
        assert.equal(await open(page), null);
      }));

    it('save the files of the clip for other programs, with the token', () =>
      visit(embedUrl('token'), async (page) => {
        await loaded(page);
        await page.click('[data-action=more]');
        await page.click('.files summary');
        const names = await page.$$eval('.files button', (all) => all.map((one) => one.innerText));
        assert.ok(names.includes('edit.json') && names.includes('storyboard.vtt'), names.join());
        const saved = await page.evaluate(
          (at) =>
            new Promise<{ name: string; text: string }>((resolve) => {
              let text: Promise<string>;
              URL.createObjectURL = (file) => {
                text = (file as Blob).text();
                return 'blob:saved';
              };
              HTMLAnchorElement.prototype.click = async function () {
                resolve({ name: this.download, text: await text });
              };
              document.querySelectorAll<HTMLElement>('.files button')[at]!.click();
            }),
          names.indexOf('edit.json'),
        );
        assert.match(saved.name, /\.edit\.json$/);
        assert.equal(JSON.parse(saved.text).version, 1);
      }));

    it('offer the newest export that is ready, on the embed page only', async () => {
      const look = async (url: string): Promise<string | null> => {
        let href: string | null = null;
        await visit(url, async (page) => {
          await loaded(page);
          href = await page.evaluate(
            () =>
              document.querySelector<HTMLAnchorElement>('.download:not([hidden])')?.href ?? null,
          );
        });
        return href;
      };
      assert.equal(await look(embedUrl('token')), null);
      server.embedded.download_url = 'files/exports/one/a.mp4';
      assert.equal(await look(embedUrl('token')), `${server.url}/files/exports/one/a.mp4`);
      assert.equal(await look(playerUrl()), null);
      server.embedded.download_url = null;
    });

    it('draw captions that the pictures do not carry, and write a transcript', () =>
      visit('about:blank', async (page, problems) => {
        await page.setRequestInterception(true);
        page.on('request', (request) => {
          if (!request.url().endsWith('/words.vtt')) return void request.continue();
          const cues = [
            '00:00.000 --> 00:09.000\nHello <b>you</b>',
            '00:09.000 --> 00:10.000\nBye',
          ];
          void request.respond({
            contentType: 'text/vtt',
            body: `WEBVTT\n\n${cues.join('\n\n')}\n`,
          });
        });
        for (const burnedIn of [false, true]) {
          await page.evaluateOnNewDocument((isBurnedIn) => {
            addEventListener(
              'readystatechange',
              () => {
                const { dataset } = document.body;
                const captions = { url: 'words.vtt', burnedIn: isBurnedIn, language: 'en' };
                dataset['view'] = JSON.stringify({ ...JSON.parse(dataset['view']!), captions });
              },
              { once: true, capture: true },
            );
          }, burnedIn);
          await page.goto(playerUrl());
          const lines = (selector: string) =>
            page.$$eval(selector, (all) => all.map((one) => one.textContent));
          await page.waitForSelector('.transcript:not([hidden])');
          assert.deepEqual(await lines('.transcript p'), ['Hello you', 'Bye']);
          const pressed = () =>
            page.$eval('[data-action=captions]', (one) => [
              (one as HTMLElement).hidden,
              one.ariaPressed,
            ]);
          assert.deepEqual(await pressed(), [false, String(!burnedIn)]);
          assert.deepEqual(await lines('.cues span'), []);
          await page.keyboard.press('k');
          await page.waitForFunction(
            () => document.querySelector('video')!.textTracks[0]!.activeCues!.length > 0,
          );
          await page.keyboard.press('k');
          if (!burnedIn) await page.waitForSelector('.cues span');
          await page.keyboard.press('c');
          assert.deepEqual(await pressed(), [false, String(burnedIn)]);
          assert.deepEqual(await lines('.cues span'), burnedIn ? ['Hello you'] : []);
        }
        assert.deepEqual(problems, []);
      }));

    it('hide while the clip plays and nothing is done', () =>
      visit('about:blank', async (page) => {
        await holdTimers(page);
        await page.goto(server.player('?autoplay=1&loop=1'));
        await page.waitForSelector('.stage[data-playing]');
        for (const _ of ['at first', 'again']) {
          await passTime(page, 2400);
          assert.equal(await page.$('.stage[data-idle]'), null);
          await passTime(page, 100);
          await page.waitForSelector('.stage[data-idle]');
          await page.mouse.move(100, 100);
          await page.mouse.move(120, 120);
          await page.waitForSelector('.stage:not([data-idle])');
        }
      }));
  });

  describe('languages', () => {
    const words = (page: Page) =>
      page.evaluate(() => ({
        lang: document.documentElement.lang,
        dir: document.documentElement.dir,
        more: document.querySelector('[data-action=more]')!.ariaLabel,
        retry: document.querySelector('.action')!.textContent,
      }));

    it('are that of ?lang, or of the reader, or English', async () => {
      const { page, close } = await openPage(browser);
      try {
        await page.setExtraHTTPHeaders({ 'Accept-Language': 'fi, ja;q=0.8, de;q=0.9' });
        for (const [query, lang, dir, more, retry] of [
          ['', 'de', 'ltr', 'Weitere Optionen', 'Erneut versuchen'],
          ['?lang=ar-EG', 'ar', 'rtl', 'خيارات أخرى', 'إعادة المحاولة'],
          ['?lang=he', 'he', 'rtl', 'אפשרויות נוספות', 'ניסיון חוזר'],
          ['?lang=xx', 'en', 'ltr', 'More options', 'Try again'],
        ] as const) {
          await page.goto(playerUrl() + query);
          await page.waitForSelector('.player:not([hidden])');
          assert.deepEqual(await words(page), { lang, dir, more, retry });
        }
      } finally {
        await close();
      }
    });
  });

  describe('every page', () => {
    it('runs only scripts of its own files, may be framed, and sends no referrer', async () => {
      for (const url of [playerUrl(), playerUrl('nothing'), embedUrl()]) {
        const response = await fetch(url);
        const policy = response.headers.get('content-security-policy') ?? '';
        assert.match(policy, /default-src 'none'/);
        // Only a page with the editor runs WebAssembly.
        const editor = url === embedUrl() ? / 'wasm-unsafe-eval'/ : /(?:)/;
        const scripts = new RegExp(`script-src 'self' http:[^ ;]+${editor.source};`);
        assert.match(policy, scripts);
        assert.doesNotMatch(policy, /frame-ancestors/);
        assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
        assert.equal(response.headers.get('x-frame-options'), null);
        assert.doesNotMatch(await response.text(), /<script(?![^>]*\bsrc=)|\son\w+=/);
      }
    });

    const faultsIn = (page: Page): Promise<string[]> =>
      page.evaluate(async () => {
        type Found = { violations: { id: string; nodes: { html: string }[] }[] };
        const { violations } = await (
          window as never as { axe: { run(options: object): Promise<Found> } }
        ).axe.run({ rules: { 'label-content-name-mismatch': { enabled: true } } });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
      });

    it('has no accessibility problem that axe can find, in any state', async () => {
      const axe = await readFile(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
      const shown = '.player:not([hidden])';
      const states: readonly (readonly [string, string, ((page: Page) => Promise<unknown>)?])[] = [
        [`${playerUrl()}?lang=ar`, shown, (page) => page.keyboard.press('?')],
        [playerUrl('nothing'), '.notice:not([hidden])'],
        [embedUrl('token'), shown, (page) => page.click('[data-action=more]')],
        [
          embedUrl('token'),
          shown,
          (page) => page.$eval('.about-toggle', (one) => (one as HTMLElement).click()),
        ],
        [embedUrl(), '.notice[data-for=refused]:not([hidden])'],
        [playerUrl('waiting'), '.poster:not([hidden])'],
      ];
      const views = [
        [216, 384, 'light'],
        [1200, 700, 'dark'],
      ] as const;
      for (const [at, [url, selector, use]] of states.entries()) {
        await visit(url, async (page) => {
          await page.waitForSelector(selector);
          await use?.(page);
          await page.evaluate(axe);
          for (const [width, height, scheme] of longRun ? views : [views[at % 2]!]) {
            await page.setViewport({ width, height });
            await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
            assert.deepEqual(await faultsIn(page), [], `${url} ${width} ${scheme}`);
          }
        });
      }
    });

    it('cuts no text and keeps every control within small frames, in the longest languages', async () => {
      for (const [language, open] of [
        ['de', '[data-action=more]'],
        ['ja', null],
      ] as const) {
        await visit(embedUrl('token').replace('#', `?lang=${language}#`), async (page) => {
          await page.waitForSelector('.player:not([hidden])');
          if (open) await page.click(open);
          for (const [width, height] of [
            [216, 384],
            [320, 180],
            [390, 844],
            [1280, 720],
          ] as const) {
            await page.setViewport({ width, height });
            const cut = await page.$$eval('button, a, h1, h2, p, label, dt, dd, .time', (all) =>
              all
                .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden, .toast'))
                .filter((one) => {
                  const { left, right } = one.getBoundingClientRect();
                  const isHidden = getComputedStyle(one).clipPath !== 'none';
                  return (
                    !isHidden &&
                    (one.scrollWidth > one.clientWidth + 1 || left < -1 || right > innerWidth + 1)
                  );
                })
                .map((one) => one.outerHTML.slice(0, 120)),
            );
            assert.deepEqual(cut, [], `${language} ${width}`);
          }
        });
      }
    });

    it('do not move when the clip appears', () =>
      visit('about:blank', async (page) => {
        await page.evaluateOnNewDocument(() => {
          const shifts: number[] = [];
          Object.assign(window, { shifts });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              shifts.push((entry as unknown as { value: number }).value);
            }
          }).observe({ type: 'layout-shift', buffered: true });
        });
        for (const url of [playerUrl(), embedUrl('token')]) {
          await page.goto(url);
          await page.waitForFunction(() => document.querySelector('video')?.readyState === 4);
          // A frame after the last change.
          await page.evaluate(
            () =>
              new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
          );
          assert.deepEqual(
            await page.evaluate(() => (window as never as { shifts: number[] }).shifts),
            [],
            url,
          );
        }
      }));
  });
});
