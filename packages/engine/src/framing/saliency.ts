import smartcrop from 'smartcrop';
import type { FinderOptions, Subject, SubjectFinder } from './subject-finder.ts';

/** A picture for smartcrop: four bytes per pixel. */
interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** The parts of smartcrop that are used here. Its own types only know browser images. */
interface Smartcrop {
  crop(
    image: Pixels,
    options: {
      width: number;
      height: number;
      /** Distance between the windows that it tries. */
      step: number;
      prescale: false;
      /** Makes it return its maps. */
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

/** smartcrop's maps of a picture: skin, edges and strong colours, 0 to 255 per pixel. */
async function computeMaps(pixels: Pixels): Promise<Pixels | null> {
  // Only the maps are used, so it tries a single window.
  const all = { width: pixels.width, height: pixels.height, step: 1e6 };
  const result = await crop(pixels, { ...all, prescale: false, debug: true, imageOperations });
  return result.debugOutput ?? null;
}

/** A longer side of this many pixels is enough for smartcrop. */
const maxSidePixels = 240;

/** Every second or third pixel of every second or third row. */
function thinPicture(
  picture: Uint8Array,
  { width, height }: { width: number; height: number },
): Pixels {
  const step = Math.max(1, Math.round(Math.max(width, height) / maxSidePixels));
  const thin = { width: Math.floor(width / step), height: Math.floor(height / step) };
  const from = new Uint32Array(picture.buffer, picture.byteOffset, width * height);
  const to = new Uint32Array(thin.width * thin.height);
  for (let y = 0; y < thin.height; y++) {
    for (let x = 0; x < thin.width; x++) to[y * thin.width + x] = from[step * (y * width + x)]!;
  }
  return { ...thin, data: new Uint8ClampedArray(to.buffer) };
}

/**
 * Squares of this many pixels count as moved from this change of their mean green value on, 0 to
 * 255. At a keyframe, an encoder sharpens what it had blurred: pixels change, means hardly do.
 */
const squarePixels = 4;
const minSquareChange = 12;
/**
 * Share of the picture that moves when a subject does. Less is noise; more is the camera or another
 * scene.
 */
const movingShare = { min: 0.002, max: 0.3 } as const;
/** Weight of movement, compared to the saliency of a still picture. */
const movementWeight = 1.5;
/**
 * The window must contain this share of what draws the eye, and this much more than an even spread
 * would give.
 */
const minInside = { share: 0.55, aboveEven: 0.2 } as const;

/** Sums of each column (`x`) or row (`y`) of a picture, without its border. */
function sumLines(
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

/** Returns the values above the median, as shares of their sum; all zero if nothing is. */
function subtractMedian(sums: Float64Array): Float64Array {
  const usual = sums.toSorted()[sums.length >> 1] ?? 0;
  const over = sums.map((sum) => Math.max(0, sum - usual));
  const all = over.reduce((sum, value) => sum + value, 0);
  return all > 0 ? over.map((value) => value / all) : over;
}

/**
 * The number of pixels in each line that moved since the last picture; null if almost none or
 * almost all did.
 */
export function measureMovement(now: Pixels, before: Pixels, axis: 'x' | 'y'): Float64Array | null {
  const columns = Math.ceil(now.width / squarePixels);
  const squareOf = (at: number) =>
    Math.floor(Math.floor(at / now.width) / squarePixels) * columns +
    Math.floor((at % now.width) / squarePixels);
  const changes = new Int32Array(columns * Math.ceil(now.height / squarePixels));
  for (let at = 0; at < now.width * now.height; at++) {
    changes[squareOf(at)]! += now.data[at * 4 + 1]! - before.data[at * 4 + 1]!;
  }
  const least = minSquareChange * squarePixels ** 2;
  const sums = sumLines(now, axis, (at) => (Math.abs(changes[squareOf(at)]!) >= least ? 1 : 0));
  const share = sums.reduce((sum, value) => sum + value, 0) / (now.width * now.height);
  return share >= movingShare.min && share <= movingShare.max ? sums : null;
}

/**
 * Measures the attraction of a pixel: edges, strong colours and skin. Skin counts most if it has
 * detail.
 */
function makeAttraction({ data }: Pixels): (at: number) => number {
  return (at) => {
    const skin = data[at * 4]! / 255;
    const detail = data[at * 4 + 1]! / 255;
    const colour = data[at * 4 + 2]! / 255;
    return 0.2 * detail + skin * (detail + 0.1) + 0.1 * colour * (detail + 0.2);
  };
}

/**
 * Finds the window of this length with the highest sum, and the weighted middle inside it; null if
 * the weights are spread about evenly.
 * @param weights one per line
 */
export function findDensestWindow(
  weights: Float64Array,
  length: number,
): { start: number; middle: number } | null {
  const all = weights.reduce((sum, value) => sum + value, 0);
  if (all <= 0) return null;
  let inside = weights.subarray(0, length).reduce((sum, value) => sum + value, 0);
  let [highest, start] = [inside, 0];
  for (let end = length; end < weights.length; end++) {
    inside += weights[end]! - weights[end - length]!;
    if (inside > highest + 1e-12) [highest, start] = [inside, end - length + 1];
  }
  const minShare = Math.max(minInside.share, length / weights.length + minInside.aboveEven);
  if (highest < minShare * all) return null;
  const moment = weights
    .subarray(start, start + length)
    .reduce((sum, value, index) => sum + value * (start + index + 0.5), 0);
  return { start, middle: moment / highest };
}

/**
 * Finds the part of a picture that draws the eye, with smartcrop's maps (skin, edges, strong
 * colours) and movement, in a window with the shape of the output. Finds nothing if the picture is
 * about equally interesting everywhere: every window would lose too much.
 */
export function createSaliencyFinder({ size, shape }: FinderOptions): SubjectFinder {
  let before: Pixels | null = null;
  const axis = size.width / size.height > shape ? 'x' : 'y';
  const find = async (picture: Uint8Array): Promise<Subject[]> => {
    const pixels = thinPicture(picture, size);
    const maps = await computeMaps(pixels);
    const weights = subtractMedian(
      maps ? sumLines(maps, axis, makeAttraction(maps)) : new Float64Array(),
    );
    const moved = before && measureMovement(pixels, before, axis);
    before = pixels;
    if (moved) {
      const shares = subtractMedian(moved);
      weights.forEach((weight, at) => (weights[at] = weight + movementWeight * shares[at]!));
    }
    const { width, height } = pixels;
    const window = axis === 'x' ? height * shape : width / shape;
    const found = findDensestWindow(weights, Math.min(weights.length, Math.round(window)));
    if (!found) return [];
    const part = window / weights.length;
    const start = found.middle / weights.length - part / 2;
    const box =
      axis === 'x'
        ? { x: start, y: 0, width: part, height: 1 }
        : { x: 0, y: start, width: 1, height: part };
    return [{ kind: 'salient', box }];
  };
  return { find, close: () => Promise.resolve() };
}
