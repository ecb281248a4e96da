import type { Dimensions } from '../edit.ts';
import { rateFraction } from '../source/frame-rate.ts';
import { videoEncoder, type ExportQuality } from './encoding.ts';
import { quietStart } from '../program/input-guard.ts';
import type { Edit } from '../edit.ts';
import type { OpenedSource } from '../source/open-source.ts';

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
const soundCoder = (quality: 'export' | 'preview'): string[] =>
  quality === 'export' ? [] : ['-aac_coder', 'fast'];

export const soundBitRate = (quality: 'export' | 'preview'): string =>
  quality === 'export' ? '160k' : '96k';

/** The number of frames in the output. */
export const frameCount = (edit: Edit): number => Math.round(edit.duration * edit.frameRate);

/**
 * The arguments of a render: one ffmpeg, one encode. The filter graph is in `graph.txt` and the
 * captions in `c.ass`, both in the working directory. `images` are PNG files that the engine wrote.
 * @param graphFile the option that reads the graph
 */
export function renderArguments(
  edit: Edit,
  files: { opened: OpenedSource; output: string; images: readonly string[] },
  graphFile: string,
  quality: 'export' | 'preview',
  exportQuality: ExportQuality = 'standard',
): string[] {
  const kind = quality === 'export' ? exportQuality : quality;
  // prettier-ignore
  return [
    ...quietStart, '-benchmark', '-progress', 'pipe:1',
    ...files.opened.input,
    ...files.images.flatMap((path) => ['-f', 'image2', '-pattern_type', 'none', '-c:v', 'png', '-i', path]),
    graphFile, 'graph.txt', '-map', '[v]', '-map', '[a]',
    '-map_metadata', '-1', '-map_chapters', '-1',
    ...videoEncoder(kind, renderSize(edit, quality), edit.frameRate),
    '-pix_fmt', 'yuv420p', '-r', rateFraction(edit.frameRate), '-fps_mode', 'cfr',
    '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709',
    '-color_range', 'tv',
    '-g', String(Math.round(edit.frameRate * 4)),
    '-c:a', 'aac', ...soundCoder(quality), '-b:a', soundBitRate(quality), '-t', edit.duration.toFixed(6),
    '-movflags', '+faststart', '-f', 'mp4', '-y', files.output,
  ];
}
