import smartcrop from 'smartcrop';
import type { Looking, Subject, SubjectFinder } from './subject-finder.ts';

/** A picture as smartcrop takes it: four bytes a pixel. */
interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** As much of smartcrop as is used here; its own types know the browser's pictures only. */
interface Smartcrop {
  crop(
    image: Pixels,
    options: {
      width: number;
      height: number;
      /** Between the windows that it tries. */
      step: number;
      prescale: false;
      /** Gives the maps. */
      debug: true;
      imageOperations: {
        open(image: Pixels): Promise<Pixels>;
        resample(image: Pixels): Pixels;
        getData(image: Pixels): Promise<Pixels>;
      };
    },
  ): Promise<{ debugOutput?: Pixels }>;
}

const { crop } = smartcrop as unknown as Smartcrop;

const imageOperations = {
  open: (image: Pixels) => Promise.resolve(image),
  resample: (image: Pixels) => image,
  getData: (image: Pixels) => Promise.resolve(image),
};

/** smartcrop's maps of a picture, 0 to 255 a pixel each: skin, edges, strong colours. */
async function mapsOf(pixels: Pixels): Promise<Pixels | null> {
  // Its own choice of a window is not asked for: one is tried, and the maps are taken.
  const all = { width: pixels.width, height: pixels.height, step: 1e6 };
  const result = await crop(pixels, { ...all, prescale: false, debug: true, imageOperations });
  return result.debugOutput ?? null;
}

/** Every second pixel of every second row: as much as smartcrop needs. */
function halved(picture: Uint8Array, { width, height }: { width: number; height: number }): Pixels {
  const half = { width: width >> 1, height: height >> 1 };
  const from = new Uint32Array(picture.buffer, picture.byteOffset, width * height);
  const to = new Uint32Array(half.width * half.height);
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) to[y * half.width + x] = from[2 * y * width + 2 * x]!;
  }
  return { ...half, data: new Uint8ClampedArray(to.buffer) };
}

/** How far the green of a pixel must have changed to have moved, of 255. */
const change = 24;
/** Shares of the picture that a subject covers when it moves: less is noise, more is the camera or another scene. */
const moving = { least: 0.002, most: 0.3 } as const;
/** How much movement counts beside what stands out while it is still. */
const movementWeight = 1.5;
/** What draws the eye must lie in the window by this share, and by this much more than if it lay everywhere. */
const gathered = { share: 0.55, more: 0.2 } as const;

/** Sums over the lines of a picture that cross an axis: its columns for `x`, its rows for `y`. The border is left out. */
function lines(
  { width, height }: { width: number; height: number },
  axis: 'x' | 'y',
  value: (at: number) => number,
): Float64Array {
  const sums = new Float64Array(axis === 'x' ? width : height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) sums[axis === 'x' ? x : y]! += value(y * width + x);
  }
  return sums;
}

/** What stands out of the usual, as shares of the whole; all nothing where nothing does. */
function standingOut(sums: Float64Array): Float64Array {
  const usual = sums.toSorted()[sums.length >> 1] ?? 0;
  const over = sums.map((sum) => Math.max(0, sum - usual));
  const all = over.reduce((sum, value) => sum + value, 0);
  return all > 0 ? over.map((value) => value / all) : over;
}

/** How many pixels of each line have moved since the picture before; null where hardly any have, or nearly all. */
export function movement(now: Pixels, before: Pixels, axis: 'x' | 'y'): Float64Array | null {
  const moved = (at: number) =>
    Math.abs(now.data[at * 4 + 1]! - before.data[at * 4 + 1]!) >= change ? 1 : 0;
  const sums = lines(now, axis, moved);
  const share = sums.reduce((sum, value) => sum + value, 0) / (now.width * now.height);
  return share >= moving.least && share <= moving.most ? sums : null;
}

/** How much a pixel draws the eye: edges, strong colours, and skin, which counts most where it is not one plain surface. */
function attraction({ data }: Pixels): (at: number) => number {
  return (at) => {
    const skin = data[at * 4]! / 255;
    const detail = data[at * 4 + 1]! / 255;
    const colour = data[at * 4 + 2]! / 255;
    return 0.2 * detail + skin * (detail + 0.1) + 0.1 * colour * (detail + 0.2);
  };
}

/**
 * The stretch of a length in which most lies, and the middle of what lies in it; null where it lies about everywhere.
 * @param weights of each line
 */
export function gatheredIn(
  weights: Float64Array,
  length: number,
): { start: number; middle: number } | null {
  const all = weights.reduce((sum, value) => sum + value, 0);
  if (all <= 0) return null;
  let inside = weights.subarray(0, length).reduce((sum, value) => sum + value, 0);
  let [most, start] = [inside, 0];
  for (let end = length; end < weights.length; end++) {
    inside += weights[end]! - weights[end - length]!;
    if (inside > most + 1e-12) [most, start] = [inside, end - length + 1];
  }
  const least = Math.max(gathered.share, length / weights.length + gathered.more);
  if (most < least * all) return null;
  const moment = weights
    .subarray(start, start + length)
    .reduce((sum, value, index) => sum + value * (start + index + 0.5), 0);
  return { start, middle: moment / most };
}

/**
 * The part of a picture that draws the eye, by smartcrop's maps (skin, edges, strong colours) and by what moves, in a window of
 * the wanted shape. None where the picture draws it everywhere alike: what lies outside the window would be missed as much.
 */
export function saliencyFinder({ size, shape }: Looking): SubjectFinder {
  let before: Pixels | null = null;
  const axis = size.width / size.height > shape ? 'x' : 'y';
  const look = async (picture: Uint8Array): Promise<Subject[]> => {
    const pixels = halved(picture, size);
    const maps = await mapsOf(pixels);
    const weights = standingOut(maps ? lines(maps, axis, attraction(maps)) : new Float64Array());
    const moved = before && movement(pixels, before, axis);
    before = pixels;
    if (moved) {
      const shares = standingOut(moved);
      weights.forEach((weight, at) => (weights[at] = weight + movementWeight * shares[at]!));
    }
    const { width, height } = pixels;
    const window = axis === 'x' ? height * shape : width / shape;
    const found = gatheredIn(weights, Math.min(weights.length, Math.round(window)));
    if (!found) return [];
    const part = window / weights.length;
    const start = found.middle / weights.length - part / 2;
    const box =
      axis === 'x'
        ? { x: start, y: 0, width: part, height: 1 }
        : { x: 0, y: start, width: 1, height: part };
    return [{ kind: 'salient', box }];
  };
  return { look, close: () => Promise.resolve() };
}
