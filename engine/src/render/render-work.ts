import type { Edit } from '../edit.ts';

/** What is known of a render before it begins. */
export interface RenderWish {
  edit: Edit;
  /** Pixels of the render. */
  size: { width: number; height: number };
  watermark: boolean;
  /** Bits a second of the source's file, over all its streams. */
  sourceBitRate: number;
}

/**
 * Processor seconds of a plain two-core machine, by measurement (`bench/render.ts` has its like). They need to be right among
 * each other only: what a machine makes of them is learned from its own renders.
 */
const costs = {
  /** Two processes and an index. */
  start: 0.15,
  /** A second of sound: decoded, resampled, encoded. */
  sound: 0.03,
  /** A million source pixels decoded and read by the scaler. */
  sourcePixels: 0.0025,
  /** A million source bits decoded. */
  sourceBits: 0.0095,
  /** A million output pixels scaled and encoded, of the flattest picture there is. */
  outputPixels: 0.0075,
  /** A million output pixels looked through for captions, title or emoji. */
  text: 0.0004,
  /** A million output pixels of blurred ground. */
  ground: 0.0012,
  /** A million output pixels under a watermark's overlay. */
  watermark: 0.0004,
} as const;

/**
 * How much dearer the picture is to encode than a flat one. Detail and noise show in the bits that the source spends on a
 * pixel: hardly any in drawings, 0.1 to 0.2 in films, more than one under grain.
 */
const detail = (bitsPerPixel: number): number => 1 + (5 * bitsPerPixel) / (bitsPerPixel + 0.8);

/**
 * The work of a render, in processor seconds of a plain machine. It grows with each of: the stretch of source that is
 * read, its pixels and bits, the output's length, rate and pixels, and what is laid over them.
 */
export function renderWork({ edit, size, watermark, sourceBitRate }: RenderWish): number {
  const { source, ranges } = edit;
  // One stretch is decoded, removed silences too, and up to its start from the keyframe before.
  const read = Math.max(0, (ranges.at(-1)?.end ?? 0) - (ranges[0]?.start ?? 0)) + 2;
  const sourceRate = Math.max(1, source.frameRate);
  const sourcePixels = (source.width * source.height * sourceRate) / 1e6;
  const outputPixels = (size.width * size.height * edit.frameRate * edit.duration) / 1e6;
  const text = edit.captions.length > 0 || edit.title !== null || edit.emojis.length > 0;
  const perOutputPixel =
    costs.outputPixels * detail(sourceBitRate / 1e6 / sourcePixels) +
    (text ? costs.text : 0) +
    (edit.framing.mode === 'fit' ? costs.ground : 0) +
    (watermark ? costs.watermark : 0);
  return (
    costs.start +
    read * (sourcePixels * costs.sourcePixels + (sourceBitRate / 1e6) * costs.sourceBits) +
    outputPixels * perOutputPixel +
    edit.duration * costs.sound
  );
}

/** The work of looking at a clip's pictures for its framing (a few of them a second); none where that has been done. Same unit. */
export function lookWork({ unseen, ranges, source }: Edit, sourceBitRate: number): number {
  if (!unseen) return 0;
  const seconds = Math.max(0, (ranges.at(-1)?.end ?? 0) - (ranges[0]?.start ?? 0)) + 2;
  const pixels = (source.width * source.height * Math.max(1, source.frameRate)) / 1e6;
  return (
    costs.start +
    seconds * (pixels * costs.sourcePixels * 0.7 + (sourceBitRate / 1e6) * costs.sourceBits + 0.03)
  );
}

/** The work of scanning a source: its sound whole, its picture by keyframes. Same unit. */
export const scanWork = (media: {
  duration: number;
  width: number;
  height: number;
  frameRate: number;
}): number =>
  0.2 + media.duration * (0.0025 + ((media.width * media.height * media.frameRate) / 1e6) * 0.0002);
