import type { Dimensions, Edit } from '../edit.ts';
import { quietStart } from '../program/input-guard.ts';
import { formatRate } from '../source/frame-rate.ts';
import type { OpenedSource } from '../source/open-source.ts';

/** The effort and bits of an export. */
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
 * Chosen by the curve in docs/engine-rendering.md: more bits at the fastest useful preset cost
 * less time than slower presets. Platforms want 4 to 8 Mb/s.
 */
const encodings: Readonly<Record<ExportQuality, Encoding>> = {
  draft: { preset: 'veryfast', crf: 23, maxBitRate: 4e6 },
  standard: { preset: 'veryfast', crf: 19, maxBitRate: 8e6 },
  high: { preset: 'veryfast', crf: 17, maxBitRate: 8e6 },
};

/**
 * The quality of `veryfast` at 26 for a third of its time, with twice its bits. The two settings
 * are nearly free, and save an eighth of the bits of `ultrafast`.
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

function listEncoderArguments(
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
export const listVideoArguments = (
  kind: ExportQuality | 'preview',
  size: Dimensions,
  frameRate: number,
): string[] =>
  listEncoderArguments(kind === 'preview' ? preview : encodings[kind], size, frameRate);

/** The work of scaling and encoding a picture, relative to a draft's. */
export const encodeWork: Readonly<Record<ExportQuality | 'preview', number>> = {
  preview: 0.6,
  draft: 1,
  standard: 1.3,
  high: 1.45,
};

/** Width of a preview in pixels. */
const previewWidthPixels = 360;

/**
 * The size of a render in pixels: the size of the edit or, for a preview, about 360 pixels wide
 * (never wider than the edit).
 */
export function renderSize(edit: Edit, quality: 'export' | 'preview'): Dimensions {
  const { width, height } = edit.dimensions;
  if (quality === 'export' || width <= previewWidthPixels) return edit.dimensions;
  const even = (side: number) => Math.max(16, Math.round(side / 2) * 2);
  return { width: previewWidthPixels, height: even((height * previewWidthPixels) / width) };
}

/** A preview's sound is encoded in half of the time, a little worse. */
const listSoundArguments = (quality: 'export' | 'preview'): string[] =>
  quality === 'export' ? [] : ['-aac_coder', 'fast'];

export const getSoundBitRate = (quality: 'export' | 'preview'): string =>
  quality === 'export' ? '160k' : '96k';

/** The number of frames in the output. */
export const frameCount = (edit: Edit): number => Math.round(edit.duration * edit.frameRate);

/** The playlist of a render's segments, in the working directory. */
export const segmentPlaylist = 'segments.m3u8';

const segmentSeconds = 1;

/** The muxers of one encode: the complete file, and its segments while it is made. */
// prettier-ignore
const listSegmentArguments = (file: string): string[] => [
  '-flags:v', '+global_header', '-flags:a', '+global_header', '-f', 'tee', '-y',
  `[f=mp4:movflags=+faststart]${file}|[${[
    'f=hls', `hls_time=${segmentSeconds}`, 'hls_playlist_type=event', 'hls_segment_type=fmp4',
    'hls_flags=temp_file', 'hls_fmp4_init_filename=segment-init.mp4',
    'hls_segment_filename=segment-%d.m4s',
  ].join(':')}]${segmentPlaylist}`,
];

/**
 * The arguments of a render: one ffmpeg, one encode. The filter graph is in `graph.txt` and the
 * captions in `c.ass`, both in the working directory. `images` are PNG files that the engine wrote.
 * `inSegments`: the file is also written in segments, and its name is plain letters.
 * @param graphFile the option that reads the graph
 */
export function renderArguments(
  edit: Edit,
  files: {
    opened: OpenedSource;
    output: string;
    images: readonly string[];
    bumpers?: readonly string[];
    inSegments?: boolean;
    /** Length of the output. */
    seconds?: number;
  },
  graphFile: string,
  quality: 'export' | 'preview',
  exportQuality: ExportQuality = 'standard',
): string[] {
  const kind = quality === 'export' ? exportQuality : quality;
  // prettier-ignore
  return [
    ...quietStart, '-benchmark', '-progress', 'pipe:1',
    // Each report is also a look for segments.
    ...(files.inSegments ? ['-stats_period', '0.1'] : []),
    ...files.opened.input,
    ...files.images.flatMap((path) => ['-f', 'image2', '-pattern_type', 'none', '-c:v', 'png', '-i', path]),
    ...(files.bumpers ?? []),
    graphFile, 'graph.txt', '-map', '[v]', '-map', '[a]',
    '-map_metadata', '-1', '-map_chapters', '-1',
    ...listVideoArguments(kind, renderSize(edit, quality), edit.frameRate),
    '-pix_fmt', 'yuv420p', '-r', formatRate(edit.frameRate), '-fps_mode', 'cfr',
    '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709',
    '-color_range', 'tv',
    '-g', String(Math.round(edit.frameRate * (files.inSegments ? segmentSeconds : 4))),
    '-c:a', 'aac', ...listSoundArguments(quality), '-b:a', getSoundBitRate(quality), '-t', (files.seconds ?? edit.duration).toFixed(6),
    ...(files.inSegments
      ? listSegmentArguments(files.output)
      : ['-movflags', '+faststart', '-f', 'mp4', '-y', files.output]),
  ];
}
