import type { Dimensions } from '../edit.ts';

/** How much work and how many bits an export gets. */
export type ExportQuality = 'draft' | 'standard' | 'high';

/** Settings of x264. */
interface Encoding {
  preset: string;
  crf: number;
  /** Highest bit rate of 1080 by 1920 at 30 frames per second, in bits per second. */
  maxBitRate: number;
}

/**
 * Chosen by the curve of `bench/quality.ts`: more bits at the fastest useful preset cost less time
 * than slower presets. Platforms want 4 to 8 Mb/s.
 */
const encodings: Readonly<Record<ExportQuality, Encoding>> = {
  draft: { preset: 'veryfast', crf: 23, maxBitRate: 4e6 },
  standard: { preset: 'veryfast', crf: 19, maxBitRate: 8e6 },
  high: { preset: 'veryfast', crf: 17, maxBitRate: 8e6 },
};

const preview: Encoding = { preset: 'veryfast', crf: 26, maxBitRate: 8e6 };

export const exportQualities = Object.keys(encodings) as readonly ExportQuality[];

/** Small pictures need more bits per pixel. */
const minBitRate = 1e6;

function encoderArguments(
  { preset, crf, maxBitRate }: Encoding,
  { width, height }: Dimensions,
  frameRate: number,
): string[] {
  const share = (width * height * frameRate) / (1080 * 1920 * 30);
  const kilobits = Math.round(Math.max(minBitRate, maxBitRate * share) / 1000);
  return [
    ...['-c:v', 'libx264', '-preset', preset, '-crf', String(crf)],
    ...['-maxrate', `${kilobits}k`, '-bufsize', `${2 * kilobits}k`],
  ];
}

/** The arguments of the video encoder for a size in pixels and a frame rate. */
export const videoEncoder = (
  kind: ExportQuality | 'preview',
  size: Dimensions,
  frameRate: number,
): string[] => encoderArguments(kind === 'preview' ? preview : encodings[kind], size, frameRate);

/** The work of encoding a picture, relative to a preview's. Measured by `bench/quality.ts`. */
export const encodeWork: Readonly<Record<ExportQuality, number>> = {
  draft: 1,
  standard: 1.3,
  high: 1.45,
};
