import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { blurAndDarken } from '../../src/editor/picture.ts';

const [width, height, sigma, darker] = [40, 60, 4, 0.12] as const;

function picture(colourAt: (x: number, y: number) => readonly [number, number, number]): ImageData {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let at = 0; at < width * height; at++) {
    data.set([...colourAt(at % width, Math.floor(at / width)), 255], 4 * at);
  }
  return { data, width, height } as ImageData;
}

test('one colour stays one colour, only darker', () => {
  const plain = picture(() => [200, 150, 100]);
  blurAndDarken(plain, sigma, darker);
  // 0.12 of the range of luma, which is smaller than that of red, green and blue.
  const dark = 0.12 * 256 * (255 / 219);
  for (let at = 0; at < plain.data.length; at += 4) {
    const colour = [...plain.data.subarray(at, at + 3)];
    colour.forEach((value, channel) => {
      assert.ok(Math.abs(value - ([200, 150, 100][channel]! - dark)) <= 1, `${at}: ${colour}`);
    });
  }
});

test('it blurs as ffmpeg does with the filters of a render', () => {
  const drawn = picture((x, y) => [
    x < 20 ? 180 : 90,
    y < 25 ? 170 : 100,
    (x >> 3) % 2 ? 110 : 160,
  ]);
  // prettier-ignore
  const theirs = execFileSync('ffmpeg', [
    '-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${width}x${height}`, '-i', 'pipe:0',
    '-vf', [
      'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p',
      `gblur=sigma=${sigma},eq=brightness=-${darker}`,
      'scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int,format=rgba',
    ].join(','),
    '-f', 'rawvideo', 'pipe:1',
  ], { input: Buffer.from(drawn.data) });
  blurAndDarken(drawn, sigma, darker);
  const errors = drawn.data.map((value, at) => Math.abs(value - theirs[at]!));
  assert.ok(Math.max(...errors) <= 16, `${Math.max(...errors)}`);
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  assert.ok(mean < 3, `${mean}`);
});
