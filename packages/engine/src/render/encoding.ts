import type { Dimensions } from '../edit.ts';

/** How much work and how many bits an export gets. */
export type ExportQuality = 'draft' | 'standard' | 'high';

/** Settings of x264. */
interface Encoding {
  preset: string;
  crf: number;
  /** Highest bit rate of 1080 by 1920 at 30 frames per second, in bits per second. */
  maxBitRate: number;
  /** Further settings of x264, as its own options. */
  tuning?: string;
}

/**
 * Chosen by the curve of `research/bench/quality.ts`: more bits at the fastest useful preset cost
 * less time than slower presets. Platforms want 4 to 8 Mb/s.
 */
const encodings: Readonly<Record<ExportQuality, Encoding>> = {
  draft: { preset: 'veryfast', crf: 23, maxBitRate: 4e6 },
  standard: { preset: 'veryfast', crf: 19, maxBitRate: 8e6 },
  high: { preset: 'veryfast', crf: 17, maxBitRate: 8e6 },
};

/**
 * As good as `veryfast` at 26 for a third of its time, with twice its bits. The two settings are
 * nearly free, and save an eighth of the bits of `ultrafast`.
 */
const preview: Encoding = {
  preset: 'ultrafast',
  crf: 28,
  maxBitRate: 8e6,
  tuning: 'cabac=1:no-deblock=0',
};

export const exportQualities = Object.keys(encodings) as readonly ExportQuality[];

/** Small pictures need more bits per pixel. */
const minBitRate = 1e6;

function encoderArguments(
  { preset, crf, maxBitRate, tuning }: Encoding,
  { width, height }: Dimensions,
  frameRate: number,
): string[] {
  const share = (width * height * frameRate) / (1080 * 1920 * 30);
  const kilobits = Math.round(Math.max(minBitRate, maxBitRate * share) / 1000);
  return [
    ...['-c:v', 'libx264', '-preset', preset, '-crf', String(crf)],
    ...(tuning ? ['-x264-params', tuning] : []),
    ...['-maxrate', `${kilobits}k`, '-bufsize', `${2 * kilobits}k`],
  ];
}

/** The arguments of the video encoder for a size in pixels and a frame rate. */
export const videoEncoder = (
  kind: ExportQuality | 'preview',
  size: Dimensions,
  frameRate: number,
): string[] => encoderArguments(kind === 'preview' ? preview : encodings[kind], size, frameRate);

/** The work of scaling and encoding a picture, relative to a draft's. */
export const encodeWork: Readonly<Record<ExportQuality | 'preview', number>> = {
  preview: 0.6,
  draft: 1,
  standard: 1.3,
  high: 1.45,
};
