import type { Dimensions } from '../edit.ts';
import { rateFraction } from '../source/frame-rate.ts';
import { decodeGuard, quietStart } from '../program/input-guard.ts';
import type { Edit } from '../edit.ts';

/** Width in pixels of a preview. */
const previewWidth = 360;

/** The size of a render: the edit's, or for a preview about 360 pixels wide (never larger than the edit's). */
export function renderSize(edit: Edit, quality: 'export' | 'preview'): Dimensions {
  const { width, height } = edit.dimensions;
  if (quality === 'export' || width <= previewWidth) return edit.dimensions;
  const even = (side: number) => Math.max(16, Math.round(side / 2) * 2);
  return { width: previewWidth, height: even((height * previewWidth) / width) };
}

/** Frames of a whole output. */
export const frameCount = (edit: Edit): number => Math.round(edit.duration * edit.frameRate);

/** Opens the source at the edit's first range, for as long as its ranges go; `-ss` before `-i` seeks. */
export function sourceInput(edit: Edit, source: string): string[] {
  const start = edit.ranges[0]?.start ?? 0;
  const end = edit.ranges.at(-1)?.end ?? 0;
  // A second more than is wanted: sound and picture of a second are not always side by side in the file.
  return [
    ...decodeGuard,
    ...['-ss', start.toFixed(6), '-t', (end - start + 1).toFixed(6), '-i', source],
  ];
}

/**
 * The arguments of one render: one ffmpeg, one encode. The filter graph is read from `graph.txt` and the captions from
 * `c.ass`, both in the working directory. `images` are our own PNG files.
 */
export function renderArguments(
  edit: Edit,
  files: { source: string; output: string; images: readonly string[] },
  quality: 'export' | 'preview',
): string[] {
  const sound = quality === 'export' ? '160k' : '96k';
  return [
    ...[...quietStart, '-benchmark', '-progress', 'pipe:1'],
    ...sourceInput(edit, files.source),
    ...files.images.flatMap((path) => [
      '-f',
      'image2',
      '-pattern_type',
      'none',
      '-c:v',
      'png',
      '-i',
      path,
    ]),
    ...['-filter_complex_script', 'graph.txt', '-map', '[v]', '-map', '[a]'],
    ...['-map_metadata', '-1', '-map_chapters', '-1'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', quality === 'export' ? '23' : '26'],
    ...['-pix_fmt', 'yuv420p', '-r', rateFraction(edit.frameRate), '-vsync', 'cfr'],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
    ...['-color_range', 'tv'],
    ...['-g', String(Math.round(edit.frameRate * 4))],
    ...['-c:a', 'aac', '-b:a', sound, '-t', edit.duration.toFixed(6)],
    ...['-movflags', '+faststart', '-f', 'mp4', '-y', files.output],
  ];
}
