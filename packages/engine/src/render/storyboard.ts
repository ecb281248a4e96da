import type { Edit } from '../edit.ts';
import { pictureStrip, renderStrip, type PictureStrip } from './picture-strip.ts';

/** The shorter side of a picture, in pixels. */
const sidePixels = 90;

/**
 * Writes small pictures of a rendered clip as one JPEG, for a time line.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export async function renderStoryboard(
  { dimensions, duration }: Edit,
  { clip, output, signal }: { clip: string; output: string; signal: AbortSignal },
): Promise<PictureStrip> {
  const { width, height } = dimensions;
  const heightPixels = 2 * Math.round((sidePixels * height) / Math.min(width, height) / 2);
  const strip = pictureStrip(dimensions, duration, Math.min(heightPixels, 4 * sidePixels));
  await renderStrip(strip, { film: clip, output, signal, keyframesOnly: false });
  return strip;
}

const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23);

/**
 * The pictures of a storyboard as WebVTT, as players read them for their time line.
 * @param url address of the picture, as seen from the file
 */
export function storyboardVtt(
  { width, height, columns, count, stepSeconds }: PictureStrip,
  url: string,
): string {
  const cues = Array.from({ length: count }, (_, at) => {
    const [x, y] = [(at % columns) * width, Math.floor(at / columns) * height];
    const time = `${clock(at * stepSeconds)} --> ${clock((at + 1) * stepSeconds)}`;
    return `${time}\n${url}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}
