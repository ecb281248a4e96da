import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Browser } from 'puppeteer-core';
import { groupLines, replaceCaptionWords } from '../../../engine/src/captions/caption-lines.ts';
import type { Edit } from 'clip-engine';
import { renderProxy } from '../../../engine/src/render/proxy.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { editingPolicy, LivePage } from 'clip-testkit/live-page';

const facts: Edit['source'] = { width: 320, height: 180, frameRate: 25, hasAudio: true };
/** The proxy begins here in the source. */
const offset = 1;
const dimensions = { width: 216, height: 384 };

const words = ['Nobody', 'tells', 'you', 'this'].map((text, index) => ({
  text,
  start: index / 2,
  end: index / 2 + 0.4,
}));

const plain: Edit = {
  version: 1,
  source: facts,
  ranges: [{ start: 1.2, end: 2.8 }],
  duration: 1.6,
  frameRate: 25,
  dimensions,
  framing: { mode: 'crop', x: 20, y: 0, width: 101, height: 180 },
  captions: [],
  emojis: [],
  title: null,
};
const captioned: Edit = { ...plain, captions: groupLines(words, { dimensions, duration: 1.6 }) };

/** Red, green and blue of the canvas at a place, in shares of its sides. */
const colourAt = (live: LivePage, x: number, y: number): Promise<number[]> =>
  live.page.evaluate(
    (x, y) => {
      const canvas = document.querySelector('canvas')!;
      const place = [Math.floor(x * canvas.width), Math.floor(y * canvas.height)] as const;
      const { data } = canvas.getContext('2d')!.getImageData(...place, 1, 1);
      return [data[0]!, data[1]!, data[2]!];
    },
    x,
    y,
  );

const names = { red: [255, 0, 0], green: [0, 255, 0], blue: [0, 0, 255], black: [0, 0, 0] };

/** The colour of the proxy that a pixel is nearest to. */
const nameOf = (pixel: readonly number[]): string =>
  Object.entries(names).toSorted(([, one], [, two]) => {
    const far = (colour: readonly number[]) => Math.hypot(...colour.map((c, at) => c - pixel[at]!));
    return far(one) - far(two);
  })[0]![0];

const seek = (live: LivePage, frame: number): Promise<void> =>
  live.page.evaluate((frame) => window.live.seek(frame), frame);

const change = (live: LivePage, edit: Edit): Promise<void> =>
  live.page.evaluate((edit) => window.live.change(edit), edit);

/** The number of pixels that are about white: letters. */
const whitePixels = (live: LivePage): Promise<number> =>
  live.page.evaluate(() => {
    const { width, height } = document.querySelector('canvas')!;
    const context = document.querySelector('canvas')!.getContext('2d')!;
    const { data } = context.getImageData(0, 0, width, height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (Math.min(data[at]!, data[at + 1]!, data[at + 2]!) > 230) count++;
    }
    return count;
  });

describe('the live drawing of an edit', () => {
  let directory: string;
  let browser: Browser;
  let live: LivePage;
  let proxy: { url: string; offset: number };

  /** A second each of red, green, blue, green and blue in the left half; the right one is black. */
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-live-'));
    const source = join(directory, 'source.mp4');
    const parts = ['red', 'lime', 'blue', 'lime', 'blue'];
    const graph = parts.map((colour, index) => `color=${colour}:s=320x180:r=25:d=1[c${index}]`);
    const joined = `${parts.map((_, index) => `[c${index}]`).join('')}concat=n=${parts.length}`;
    // prettier-ignore
    await promisify(execFile)('ffmpeg', [
      '-v', 'error', '-nostdin', '-f', 'lavfi',
      '-i', `${graph.join(';')};${joined},drawbox=x=160:w=160:h=180:color=black:t=fill`,
      '-f', 'lavfi', '-i', 'sine=d=5', '-vf', 'scale=out_color_matrix=bt709,format=yuv420p',
      '-c:v', 'libx264', '-colorspace', 'bt709', '-c:a', 'aac', source,
    ]);
    const output = join(directory, 'proxy.mp4');
    const segment = { start: offset, end: 5 };
    await renderProxy(facts, segment, { source, output, signal: new AbortController().signal });
    browser = await sharedBrowser();
    live = await LivePage.open(browser);
    proxy = { url: await live.serve('proxy.mp4', output), offset };
  });
  after(async () => {
    await live?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('shows the frame of the source that the output has there', async () => {
    await live.draw(plain, proxy);
    assert.equal(nameOf(await colourAt(live, 0.5, 0.5)), 'green');
    // 1.96 and 2 seconds of the source.
    await seek(live, 19);
    assert.equal(nameOf(await colourAt(live, 0.5, 0.5)), 'green');
    await seek(live, 20);
    assert.equal(nameOf(await colourAt(live, 0.5, 0.5)), 'blue');
    assert.deepEqual(live.problems, []);
  });

  it('draws no earlier picture for the frame that it seeks', async () => {
    await live.draw(plain, proxy);
    const seen = await live.page.evaluate(async () => {
      const seen: { frame: number; pixel: number[] }[] = [];
      window.onDrawn = () => {
        const canvas = document.querySelector('canvas')!;
        const { data } = canvas.getContext('2d')!.getImageData(108, 192, 1, 1);
        seen.push({ frame: window.drawn.at(-1)!.frame, pixel: [...data] });
      };
      // The callback of the first picture may come during the second seek.
      const [video] = document.querySelectorAll('video');
      for (let round = 0; round < 20; round++) {
        const found = new Promise((resolve) => (video!.onseeked = resolve));
        const first = window.live.seek(30);
        await found;
        await Promise.all([first, window.live.seek(10)]);
      }
      delete window.onDrawn;
      return seen;
    });
    const wrong = seen.filter(
      ({ frame, pixel }) => nameOf(pixel) !== (frame === 30 ? 'blue' : 'green'),
    );
    assert.deepEqual(wrong, []);
  });

  it('moves the window with its keys', async () => {
    const keys = [
      { frame: 0, x: 20, y: 0 },
      { frame: 10, x: 200, y: 0 },
    ];
    const window = { width: 101, height: 180, keys };
    const shots = [{ from: 0, to: 40, mode: 'crop' as const, window }];
    await live.draw({ ...plain, framing: { mode: 'shots', shots } }, proxy);
    const middles: string[] = [];
    for (const frame of [0, 4, 5, 6, 10]) {
      await seek(live, frame);
      middles.push(nameOf(await colourAt(live, 0.5, 0.5)));
    }
    // The middle of the window is over the middle of the picture in frame 5.
    assert.deepEqual(middles, ['green', 'green', 'black', 'black', 'black']);
  });

  it('shows a whole picture on its blurred, darker ground', async () => {
    await live.draw({ ...plain, framing: { mode: 'fit' } }, proxy);
    assert.equal(nameOf(await colourAt(live, 0.25, 0.5)), 'green');
    assert.equal(nameOf(await colourAt(live, 0.75, 0.5)), 'black');
    const [, ground = 0] = await colourAt(live, 0.05, 0.1);
    const [, picture = 0] = await colourAt(live, 0.25, 0.5);
    assert.ok(ground > 60 && ground < picture - 20, `${ground} of ${picture}`);
  });

  it('draws captions, and a corrected word at once', async () => {
    await live.draw(captioned, proxy);
    await seek(live, 30);
    assert.equal(await live.page.evaluate(() => window.live.isApproximate), false);
    const before = await whitePixels(live);
    assert.ok(before > 100, `${before} pixels`);
    const corrected = words.map((word) => (word.text === 'this' ? { ...word, text: 'i' } : word));
    await change(live, replaceCaptionWords(captioned, corrected));
    const corrected1 = await whitePixels(live);
    assert.ok(corrected1 < before * 0.9, `${corrected1} of ${before} pixels`);
    await change(live, plain);
    assert.equal(await whitePixels(live), 0);
  });

  it('shows the picture until another shape is drawn, with its text', async () => {
    await live.draw(captioned, proxy);
    const wide = { width: 384, height: 216 };
    const seen = await live.page.evaluate(
      async (edit, size) => {
        const canvas = document.querySelector('canvas')!;
        const seen: number[][] = [];
        let isChanged = false;
        const changed = window.live.change(edit, { size }).then(() => (isChanged = true));
        while (!isChanged) {
          const { data } = canvas.getContext('2d')!.getImageData(108, 20, 1, 1);
          seen.push([...data]);
          await new Promise((resolve) => setTimeout(resolve));
        }
        await changed;
        return seen;
      },
      { ...captioned, dimensions: wide, framing: { mode: 'fit' as const } },
      wide,
    );
    assert.deepEqual([...new Set(seen.map((pixel) => nameOf(pixel)))], ['green']);
    assert.deepEqual(
      await live.page.evaluate(() => [
        document.querySelector('canvas')!.width,
        window.live.isApproximate,
      ]),
      [wide.width, false],
    );
    assert.ok((await whitePixels(live)) > 100);
  });

  it('draws an emoji during its cue', async () => {
    await live.draw({ ...plain, emojis: [{ emoji: '⚪', start: 0.4, end: 0.8 }] }, proxy);
    const counts: number[] = [];
    for (const frame of [5, 15, 25]) {
      await seek(live, frame);
      counts.push(await whitePixels(live));
    }
    assert.deepEqual(
      counts.map((count) => count > 20),
      [false, true, false],
      `${counts}`,
    );
  });

  it('plays what is kept, in turns of both videos, and nothing of what is cut out', async () => {
    const ranges = [
      { start: 1.2, end: 1.8 },
      { start: 3.2, end: 3.8 },
    ];
    await live.draw({ ...plain, ranges, duration: 1.2 }, proxy);
    const seen = await live.page.evaluate(async () => {
      const seen: { frame: number; pixel: number[]; turn: number }[] = [];
      const [one] = document.querySelectorAll('video');
      window.onDrawn = () => {
        const canvas = document.querySelector('canvas')!;
        const { data } = canvas.getContext('2d')!.getImageData(108, 192, 1, 1);
        const { frame } = window.drawn.at(-1)!;
        seen.push({ frame, pixel: [...data], turn: one!.muted ? 2 : 1 });
      };
      await window.live.play();
      await new Promise<void>((resolve) => {
        const look = (): void =>
          window.live.isPlaying ? void requestAnimationFrame(look) : resolve();
        look();
      });
      delete window.onDrawn;
      return seen;
    });
    const frames = seen.map(({ frame }) => frame);
    assert.deepEqual(
      frames,
      frames.toSorted((a, b) => a - b),
      'in order',
    );
    assert.ok(frames[0]! < 5 && frames.at(-1)! > 25, `${frames}`);
    assert.deepEqual([...new Set(seen.map(({ pixel }) => nameOf(pixel)))], ['green']);
    assert.ok(
      seen.every(({ frame, turn }) => turn === (frame < 15 ? 1 : 2)),
      'both videos',
    );
  });

  it('mutes a word while it plays, bleeps over it, and lets it be heard again', async () => {
    const muted = { spans: [{ start: 0.4, end: 0.8 }], sound: 'bleep' as const };
    await live.draw({ ...plain, muted }, proxy);
    const listen = () =>
      live.page.evaluate(async () => {
        const gains: GainNode[] = [];
        const Gain = window.GainNode;
        window.GainNode = class extends Gain {
          constructor(...given: ConstructorParameters<typeof Gain>) {
            super(...given);
            gains.push(this);
          }
        };
        const [video] = document.querySelectorAll('video');
        const heard: { frame: number; isMuted: boolean; tone: number }[] = [];
        await window.live.seek(0);
        window.onDrawn = () => {
          const { frame } = window.drawn.at(-1)!;
          const tone = gains[0]?.gain.value ?? 0;
          heard.push({ frame, isMuted: video!.muted, tone });
        };
        await window.live.play();
        await new Promise<void>((resolve) => {
          const look = (): void =>
            window.live.isPlaying ? void requestAnimationFrame(look) : resolve();
          look();
        });
        delete window.onDrawn;
        window.GainNode = Gain;
        return { heard, left: gains[0]?.gain.value ?? 0 };
      });
    const { heard, left } = await listen();
    assert.ok(heard.length > 5, `${heard.length} frames`);
    for (const { frame, isMuted, tone } of heard) {
      // A frame earlier: the next picture may come late.
      const isInside = frame >= 9 && frame < 20;
      assert.deepEqual([isMuted, tone > 0], [isInside, isInside], `frame ${frame}`);
    }
    assert.ok(heard.some(({ isMuted }) => isMuted));
    assert.equal(left, 0, 'no tone after the end');
    await change(live, plain);
    assert.ok((await listen()).heard.every(({ isMuted }) => !isMuted));
  });

  it('plays the music of the clip while it plays, softer under speech', async () => {
    const tune = join(directory, 'tune.m4a');
    // prettier-ignore
    await promisify(execFile)('ffmpeg', [
      '-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'sine=d=0.7', '-c:a', 'aac', tune,
    ]);
    await live.serve('tune', tune);
    const music = { id: 'tune', levelDb: 20, sourceDb: -20, speech: [{ start: 0.5, end: 0.9 }] };
    await live.draw({ ...plain, music }, proxy);
    const heard = await live.page.evaluate(async () => {
      const elements: HTMLAudioElement[] = [];
      const gains: GainNode[] = [];
      const Gain = window.GainNode;
      window.GainNode = class extends Gain {
        constructor(...given: ConstructorParameters<typeof Gain>) {
          super(...given);
          gains.push(this);
        }
      };
      const Element = window.Audio;
      window.Audio = class extends Element {
        constructor(url?: string) {
          super(url);
          elements.push(this);
        }
      };
      const play = async () => {
        await window.live.play();
        const places: { frame: number; at: number; volume: number; isPaused: boolean }[] = [];
        await new Promise<void>((resolve) => {
          const look = (): void => {
            const [one] = elements;
            if (!window.live.isPlaying) return resolve();
            if (one) {
              const { currentTime: at, paused: isPaused } = one;
              const volume = gains.at(-1)!.gain.value;
              places.push({ frame: window.live.frame, at, volume, isPaused });
            }
            requestAnimationFrame(look);
          };
          look();
        });
        return places;
      };
      // A line that is lost is tried once; with the next play, the music is loaded.
      const { fetch } = window;
      let lost = 0;
      window.fetch = () => Promise.reject(new Error(`lost ${++lost}`));
      await play();
      window.fetch = fetch;
      await play();
      const places = await play();
      window.Audio = Element;
      window.GainNode = Gain;
      return { places, lost, count: elements.length, isPaused: elements[0]!.paused };
    });
    assert.deepEqual([heard.lost, heard.count], [1, 1]);
    assert.equal(heard.isPaused, true, 'it ends with the clip');
    const settled = heard.places.filter(({ frame }) => frame > 10);
    assert.ok(settled.length > 3);
    for (const { frame, at, volume, isPaused } of settled) {
      const away = Math.abs(at - ((frame / 25) % 0.7));
      assert.ok(!isPaused && Math.min(away, 0.7 - away) < 0.3, `${at} s at frame ${frame}`);
      if (frame < 13 || frame > 22) continue;
      // Speech of -20 LUFS is 6 dB below the music of the file, which is to be 20 dB below it; and
      // the last two seconds fade.
      const expected = (10 ** (-26 / 20) * (1.6 - frame / 25)) / 2;
      assert.ok(Math.abs(volume - expected) < 0.006, `${volume} of ${expected} at frame ${frame}`);
    }
  });

  it('stays at its time of the source when the cuts change', async () => {
    await live.draw(plain, proxy);
    await seek(live, 30);
    const ranges = [
      { start: 1.2, end: 1.6 },
      { start: 2, end: 2.8 },
    ];
    await change(live, { ...plain, ranges, duration: 1.2 });
    // 2.4 seconds of the source.
    assert.equal(await live.page.evaluate(() => window.live.frame), 20);
    assert.equal(nameOf(await colourAt(live, 0.5, 0.5)), 'blue');
  });

  it('draws text about as it will be where libass may not run, and says so', async () => {
    const refusing = await LivePage.open(browser, `${editingPolicy}; worker-src 'none'`);
    try {
      await refusing.serve('proxy.mp4', join(directory, 'proxy.mp4'));
      await refusing.draw(captioned, proxy);
      await seek(refusing, 30);
      assert.equal(await refusing.page.evaluate(() => window.live.isApproximate), true);
      assert.ok((await whitePixels(refusing)) > 100);
    } finally {
      await refusing.close();
    }
  });
});
