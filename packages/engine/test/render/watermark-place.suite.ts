import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { filterGraph, placeImage } from '../../src/render/filter-graph.ts';
import { ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';

// Frames from the graph, before any encoder: every pixel must be as requested.
const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
after(() => directory.remove());
before(async () => {
  await makeVideo(at('grey.mp4'), {
    seconds: 0.2,
    sound: false,
    video: 'color=0x404040:s=160x120:r=25',
  });
});

const output = { width: 160, height: 120 };
const edit = plainEdit({
  source: { ...output, frameRate: 25, hasAudio: false, colourMatrix: 'bt601' },
  ranges: [{ start: 0, end: 0.04 }],
  dimensions: output,
  framing: { mode: 'crop', x: 0, y: 0, ...output },
});

/** A white image with a visible inner rectangle; the rest is transparent. */
async function markWith(
  image: { width: number; height: number },
  shown: { x: number; y: number; width: number; height: number },
  alpha = 255,
) {
  const { x, y, width, height } = shown;
  const inside = `gte(X,${x})*lt(X,${x + width})*gte(Y,${y})*lt(Y,${y + height})`;
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', `color=white:s=${image.width}x${image.height},format=rgba`,
    '-vf', `geq=r=255:g=255:b=255:a='${alpha}*${inside}'`, '-frames:v', '1', at('mark.png'),
  ]);
}

const opened = { input: [], clockSeconds: 0 };

/** Brightness of each pixel in the single frame of the graph. */
async function lightOf(place: ReturnType<typeof placeImage>): Promise<Buffer> {
  const graph = filterGraph(edit, opened, output, {
    captions: false,
    overlays: [{ input: 1, ...place }],
  });
  // prettier-ignore
  return ffmpeg([
    '-i', at('grey.mp4'), '-i', at('mark.png'), '-filter_complex', `${graph};[a]anullsink`,
    '-map', '[v]', '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1',
  ]);
}

/**
 * The smallest rectangle around all pixels that are brighter than the background, and whether it
 * has no others.
 */
function litBox(light: Buffer, over = 100) {
  const lit = [...light.keys()].filter((index) => light[index]! > over);
  const xs = lit.map((index) => index % output.width);
  const ys = lit.map((index) => Math.floor(index / output.width));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - x + 1, Math.max(...ys) - y + 1];
  return { x, y, width, height, full: lit.length === width * height };
}

const corners = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [0.5, 0.5],
  [0.33, 0.71],
] as const;

const images = [
  { width: 41, height: 27 },
  { width: 40, height: 26 },
  { width: 33, height: 40 },
];
for (const image of images) {
  test(`an image of ${image.width} by ${image.height} is at its exact pixels, at each corner and between; what is transparent in it counts`, async () => {
    const shown = { x: 7, y: 5, width: 21, height: 13 };
    await markWith(image, shown);
    for (const [pos_x, pos_y] of corners) {
      const place = placeImage(image, { pos_x, pos_y, scale: 1 }, output);
      const light = await lightOf(place);
      const [x, y] = [place.x + shown.x, place.y + shown.y];
      assert.deepEqual(litBox(light), { ...shown, x, y, full: true });
      const ground = light[x < 80 ? light.length - 1 : 0]!;
      const around = light.filter((_, index) => {
        const [px, py] = [index % output.width, Math.floor(index / output.width)];
        return px < x || px >= x + shown.width || py < y || py >= y + shown.height;
      });
      assert.ok(
        around.every((level) => Math.abs(level - ground) <= 2),
        `at ${pos_x},${pos_y}`,
      );
    }
  });
}

test('half transparent is half as bright', async () => {
  const image = { width: 30, height: 30 };
  await markWith(image, { x: 0, y: 0, ...image }, 128);
  const light = await lightOf(placeImage(image, { pos_x: 0.5, pos_y: 0.5, scale: 1 }, output));
  const [ground, middle] = [light[0]!, light[60 * output.width + 80]!];
  assert.ok(Math.abs(middle - (ground + 255) / 2) < 6, `${middle} over ${ground}`);
});

test('scaled by half and by two: the size is the image’s own times the scale', async () => {
  const image = { width: 30, height: 22 };
  await markWith(image, { x: 0, y: 0, ...image });
  for (const scale of [0.5, 1.5, 2]) {
    const place = placeImage(image, { pos_x: 1, pos_y: 0.5, scale }, output);
    assert.deepEqual([place.width, place.height], [30 * scale, 22 * scale]);
    assert.deepEqual(litBox(await lightOf(place)), { ...place, full: true });
  }
});
