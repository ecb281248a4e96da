import smartcrop from 'smartcrop';
import type { Box, Looking, Subject, SubjectFinder } from './subject-finder.ts';

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
      prescale: boolean;
      imageOperations: typeof imageOperations;
      boost?: (Box & { weight: number })[];
    },
  ): Promise<{ topCrop: Box & { score?: { total: number } } }>;
}

const imageOperations = {
  open: (image: Pixels) => Promise.resolve(image),
  resample: (image: Pixels) => image,
  getData: (image: Pixels) => Promise.resolve(image),
};

const { crop } = smartcrop as unknown as Smartcrop;

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

/** The part that has moved since the picture before, in its pixels; null where nothing has, or nearly everything. */
export function movedPart(now: Pixels, before: Pixels): Box | null {
  let [count, sumX, sumY, squareX, squareY] = [0, 0, 0, 0, 0];
  for (let y = 0; y < now.height; y++) {
    for (let x = 0; x < now.width; x++) {
      const at = (y * now.width + x) * 4 + 1;
      if (Math.abs(now.data[at]! - before.data[at]!) < change) continue;
      count += 1;
      sumX += x;
      sumY += y;
      squareX += x * x;
      squareY += y * y;
    }
  }
  const share = count / (now.width * now.height);
  if (share < moving.least || share > moving.most) return null;
  const [middleX, middleY] = [sumX / count, sumY / count];
  const spread = (square: number, middle: number) =>
    4 + 1.5 * Math.sqrt(Math.max(0, square / count - middle ** 2));
  const [reachX, reachY] = [spread(squareX, middleX), spread(squareY, middleY)];
  return { x: middleX - reachX, y: middleY - reachY, width: 2 * reachX, height: 2 * reachY };
}

/** How much movement counts beside edges, skin and strong colours; those are what smartcrop looks for by itself. */
const movementWeight = 0.02;

/**
 * The window that draws the eye most, by smartcrop: skin, strong colours and edges, and what moves. None where the picture
 * draws it everywhere alike: what lies outside the best window would be missed as much as what lies within it.
 */
export function saliencyFinder({ size, shape }: Looking): SubjectFinder {
  let before: Pixels | null = null;
  const find = async (picture: Uint8Array): Promise<Subject[]> => {
    const pixels = halved(picture, size);
    const moved = before && movedPart(pixels, before);
    before = pixels;
    const clamp = (value: number, most: number) => Math.min(Math.max(Math.floor(value), 0), most);
    const boost = moved && {
      x: clamp(moved.x, pixels.width - 2),
      y: clamp(moved.y, pixels.height - 2),
      width: clamp(moved.width, pixels.width - clamp(moved.x, pixels.width - 2)),
      height: clamp(moved.height, pixels.height - clamp(moved.y, pixels.height - 2)),
      weight: movementWeight,
    };
    const { topCrop } = await crop(pixels, {
      width: shape * 1000,
      height: 1000,
      prescale: false,
      imageOperations,
      ...(boost && { boost: [boost] }),
    });
    if ((topCrop.score?.total ?? 0) <= 0) return [];
    const box = {
      x: topCrop.x / pixels.width,
      y: topCrop.y / pixels.height,
      width: topCrop.width / pixels.width,
      height: topCrop.height / pixels.height,
    };
    return [{ kind: 'salient', box }];
  };
  return { look: find, close: () => Promise.resolve() };
}
