import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type OwnFont, type Edit, render } from 'clip-engine';
import { groupLines } from '../../../engine/src/captions/caption-lines.ts';
import { renderProxy } from '../../../engine/src/render/proxy.ts';
import { defaultStyle } from 'clip-engine/drawing';
import { brandFont } from 'clip-testkit/brand-font';
import { sharedBrowser } from '../support/shared-browser.ts';
import { LivePage } from 'clip-testkit/live-page';

const facts: Edit['source'] = { width: 320, height: 180, frameRate: 25, hasAudio: true };
const dimensions = { width: 432, height: 768 };
const { signal } = new AbortController();
/** The picture that is compared, of the output. */
const frame = 20;

const texts = { latin: 'Quality gardens', arabic: 'مرحبا بالعالم' };

/** White words in a font on black, without a mark. */
function editIn(font: string, text: string): Edit {
  const words = text.split(' ').map((word, at) => ({ text: word, start: at / 2, end: 2 }));
  const none = { colour: '#000000', width: 0 };
  const { captions, title } = defaultStyle;
  const spoken = { mark: 'none', colour: '#ffffff' } as const;
  const plain = { animation: 'none', colour: '#ffffff', box: null, shadow: 0 } as const;
  return {
    version: 1,
    source: facts,
    ranges: [{ start: 0, end: 2 }],
    duration: 2,
    frameRate: 25,
    dimensions,
    framing: { mode: 'crop', x: 20, y: 0, width: 101, height: 180 },
    captions: groupLines(words, { dimensions, duration: 2 }),
    emojis: [],
    title: null,
    style: {
      title,
      captions: {
        ...captions,
        ...plain,
        font,
        spoken,
        outline: none,
        size: 0.12,
        weight: 'regular',
      },
    },
  };
}

/** The share of the letters' pixels that two pictures have in common. */
function likeness(one: Uint8Array, other: Uint8Array): number {
  let [both, either] = [0, 0];
  for (const [at, value] of one.entries()) {
    const [a, b] = [value > 127, other[at]! > 127];
    both += Number(a && b);
    either += Number(a || b);
  }
  assert.ok(either > 500, 'there are letters');
  return both / either;
}

describe('the page and the exported file', () => {
  let directory: string;
  let source: string;
  let live: LivePage;
  let proxy: { url: string; offset: number };
  let own: OwnFont[];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-fonts-'));
    source = join(directory, 'source.mp4');
    // prettier-ignore
    await promisify(execFile)('ffmpeg', [
      '-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'color=black:s=320x180:r=25:d=3',
      '-f', 'lavfi', '-i', 'sine=d=3', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', source,
    ]);
    const output = join(directory, 'proxy.mp4');
    await renderProxy(facts, { start: 0, end: 3 }, { source, output, signal });
    live = await LivePage.open(await sharedBrowser());
    proxy = { url: await live.serve('proxy.mp4', output), offset: 0 };
    const path = join(directory, 'brand');
    await writeFile(path, await brandFont());
    own = [{ family: 'Marken Serif', weight: 'regular', path }];
  });
  after(async () => {
    await live?.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function pictureOfPage(edit: Edit): Promise<Uint8Array> {
    await live.draw(edit, proxy, dimensions, own);
    const text = await live.page.evaluate(async (frame) => {
      await window.live.seek(frame);
      const canvas = document.querySelector('canvas')!;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const grey = Array.from({ length: data.length / 4 }, (_, at) => data[4 * at]!);
      return grey.map((value) => String.fromCharCode(value)).join('');
    }, frame);
    assert.equal(await live.page.evaluate(() => window.live.isApproximate), false);
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  }

  async function pictureOfFile(edit: Edit): Promise<Uint8Array> {
    const output = join(directory, 'clip.mp4');
    const fonts = own.map(({ path }) => path);
    await render(edit, { source, output, quality: 'export', fonts, signal });
    // prettier-ignore
    const { stdout } = await promisify(execFile)('ffmpeg', [
      '-v', 'error', '-nostdin', '-i', output, '-vf', `select=eq(n\\,${frame}),format=gray`,
      '-frames:v', '1', '-f', 'rawvideo', 'pipe:1',
    ], { encoding: 'buffer', maxBuffer: 1e8 });
    return stdout;
  }

  for (const [font, other, script] of [
    ['Noto Sans', 'Marken Serif', 'latin'],
    ['Marken Serif', 'DejaVu Sans', 'latin'],
    ['Noto Naskh Arabic', 'Noto Kufi Arabic', 'arabic'],
    ['Noto Kufi Arabic', 'Noto Sans Arabic', 'arabic'],
  ] as const) {
    it(`are set in ${font}, and a file in ${other} is told from it`, async () => {
      const page = await pictureOfPage(editIn(font, texts[script]));
      const same = likeness(page, await pictureOfFile(editIn(font, texts[script])));
      const wrong = likeness(page, await pictureOfFile(editIn(other, texts[script])));
      assert.ok(same > 0.9, `${font}: ${same.toFixed(2)} of the letters are the same`);
      assert.ok(wrong < 0.7, `${other}: ${wrong.toFixed(2)} of the letters are the same`);
    });
  }

  it('is told from a file that lacks the organization’s font', async () => {
    const edit = editIn('Marken Serif', texts.latin);
    const page = await pictureOfPage(edit);
    const path = own.pop()!;
    const without = likeness(page, await pictureOfFile(edit));
    own.push(path);
    assert.ok(without < 0.7, `${without.toFixed(2)} of the letters are the same`);
  });
});
