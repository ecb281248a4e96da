import type { Edit } from '../edit.ts';
import { encodeWork, type ExportQuality } from './encoding.ts';

/** A render, as far as it is known before it begins. */
export interface RenderRequest {
  edit: Edit;
  /** Size of the render in pixels. */
  size: { width: number; height: number };
  /**
   * Length of its bumpers together.
   * @default 0
   */
  bumperSeconds?: number;
  /** Whether a watermark is drawn. */
  watermark: boolean;
  /** Bits per second of the source file, all streams together. */
  sourceBitRate: number;
  /** Quality of an export; omitted for a preview. */
  exportQuality?: ExportQuality;
}

/**
 * Processor seconds on a simple two-core machine, measured (`bench/render.ts` measures something
 * similar). Only the ratios matter: the speed of a machine is learned from its own
 * renders.
 */
const cpuSeconds = {
  /** Starting two processes, and writing the index. */
  start: 0.15,
  /** Per second of sound: decode, resample, encode. */
  sound: 0.03,
  /** Per million source pixels: decode and scale. */
  sourcePixels: 0.0025,
  /** Per million source bits: decode. */
  sourceBits: 0.0095,
  /** Per million output pixels: scale and encode a completely flat picture. */
  outputPixels: 0.0075,
  /** Per million output pixels: draw captions, title or emoji. */
  text: 0.0004,
  /** Per million output pixels: blurred background. */
  ground: 0.0012,
  /** Per million output pixels: watermark. */
  watermark: 0.0004,
} as const;

/**
 * Returns the cost of encoding a picture relative to a flat one. The source's bits per pixel show
 * its detail and noise: almost none in drawings, 0.1 to 0.2 in filmed video, more than one with
 * film grain.
 */
const weighDetail = (bitsPerPixel: number): number => 1 + (5 * bitsPerPixel) / (bitsPerPixel + 0.8);

/**
 * The work of a render, in processor seconds on a simple machine. It grows with the source's
 * length, pixels and bits, the output's length, frame rate and pixels, and what is drawn over them.
 */
export function renderWork({
  edit,
  size,
  bumperSeconds = 0,
  watermark,
  sourceBitRate,
  exportQuality,
}: RenderRequest): number {
  const { source, ranges } = edit;
  // Everything from the keyframe before the start is decoded, including removed silences.
  const read = Math.max(0, (ranges.at(-1)?.end ?? 0) - (ranges[0]?.start ?? 0)) + 2;
  const sourceRate = Math.max(1, source.frameRate);
  const seconds = edit.duration + bumperSeconds;
  const sourcePixels = (source.width * source.height * sourceRate) / 1e6;
  const outputPixels = (size.width * size.height * edit.frameRate * seconds) / 1e6;
  const text = edit.captions.length > 0 || edit.title !== null || edit.emojis.length > 0;
  const perOutputPixel =
    cpuSeconds.outputPixels *
      encodeWork[exportQuality ?? 'preview'] *
      weighDetail(sourceBitRate / 1e6 / sourcePixels) +
    (text ? cpuSeconds.text : 0) +
    (edit.framing.mode === 'fit' ? cpuSeconds.ground : 0) +
    (watermark ? cpuSeconds.watermark : 0);
  return (
    cpuSeconds.start +
    read *
      (sourcePixels * cpuSeconds.sourcePixels + (sourceBitRate / 1e6) * cpuSeconds.sourceBits) +
    outputPixels * perOutputPixel +
    seconds * cpuSeconds.sound * (edit.music ? 2 : 1)
  );
}

/**
 * The work of `analyseAndFrame`, in the same unit as `renderWork`; 0 if the edit is already framed.
 * @param sourceBitRate bits per second of the source file, all streams together
 */
export function estimateFramingWork(
  { needsAnalysis, ranges, source }: Edit,
  sourceBitRate: number,
): number {
  if (!needsAnalysis) return 0;
  const seconds = Math.max(0, (ranges.at(-1)?.end ?? 0) - (ranges[0]?.start ?? 0)) + 2;
  const pixels = (source.width * source.height * Math.max(1, source.frameRate)) / 1e6;
  return (
    cpuSeconds.start +
    seconds *
      (pixels * cpuSeconds.sourcePixels * 0.7 +
        (sourceBitRate / 1e6) * cpuSeconds.sourceBits +
        0.03)
  );
}
