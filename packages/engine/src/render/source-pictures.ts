import { mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Dimensions, Edit } from '../edit.ts';
import type { MediaInfo } from '../facts.ts';
import { placeFile, run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import {
  makeDeinterlaceFilter,
  makeEightBitFilter,
  openSource,
  makeToneMapFilter,
  withoutBars,
} from '../source/open-source.ts';

/** The longer side of the picture in pixels, if the video is not smaller. */
const longSidePixels = 480;

/** Number of keyframes of which the one with the most to see is chosen. */
const candidateCount = 8;

/**
 * Writes a small JPEG of a source: a keyframe from a tenth into it, the one that shows most.
 * @returns whether there is one: some videos have no picture that can be read there, and sound
 * without a cover has none
 * @throws {@link ProcessError} if the machine is the cause, or the signal's reason
 */
export async function renderSourcePicture(
  media: MediaInfo,
  { source, output, signal }: { source: string; output: string; signal: AbortSignal },
): Promise<boolean> {
  if (media.soundAlone === 'wave') return false;
  const work = await mkdtemp(join(dirname(output), '.picture-'));
  const part = join(work, 'picture.jpg');
  const filters =
    makeDeinterlaceFilter(media) +
    withoutBars(media.content) +
    makeEightBitFilter(media) +
    `thumbnail=${candidateCount},${makeToneMapFilter(media)}` +
    `scale=iw*sar:ih,setsar=1,scale=w='min(iw,${longSidePixels})':h='min(ih,${longSidePixels})'` +
    ':force_original_aspect_ratio=decrease:force_divisible_by=2' +
    ':out_color_matrix=bt601:out_range=pc,format=yuvj420p';
  try {
    const { input } = await openSource(source, {
      from: media.duration / 10,
      picture: null,
      startTime: media.startTime ?? 0,
      signal,
    });
    await run(
      'ffmpeg',
      // prettier-ignore
      [
        ...quietStart, '-skip_frame', 'nokey', '-an', '-sn', '-dn', '-threads', '1', ...input,
        '-map', `0:${media.videoStream ?? 'v:0'}`, '-vf', filters,
        '-frames:v', '1', '-q:v', '4', '-f', 'image2', '-update', '1', '-y', part,
      ],
      { signal, deadlineSeconds: 60 },
    );
    const found = await stat(part).catch(() => null);
    if (found?.size) await placeFile(part, output);
    return Boolean(found?.size);
  } catch (error) {
    if (error instanceof ProcessError && isOfTheInput(error)) return false;
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Small pictures of a video at even distances, in rows of one large one. Sizes are in pixels. */
export interface PictureStrip extends Dimensions {
  columns: number;
  rows: number;
  count: number;
  stepSeconds: number;
}

/** The maximum number of pictures: one for each second of the longest clip and its usual margin. */
const maxPictures = 240;
const columns = 12;

/** Where the pictures of a video are, of which each is as high as `heightPixels`. */
export function planPictureStrip(
  { width, height }: Dimensions,
  seconds: number,
  heightPixels: number,
): PictureStrip {
  const stepSeconds = Math.max(1, Math.ceil(seconds / maxPictures));
  const count = Math.max(1, Math.ceil(seconds / stepSeconds));
  return {
    width: Math.max(16, Math.round(((width / height) * heightPixels) / 2) * 2),
    height: heightPixels,
    columns: Math.min(columns, count),
    rows: Math.ceil(count / columns),
    count,
    stepSeconds,
  };
}

/**
 * Writes the pictures of a video as one JPEG. `output` is complete or does not exist.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export async function renderStrip(
  { width, height, columns, rows, stepSeconds }: PictureStrip,
  {
    video,
    output,
    signal,
    keyframesOnly = true,
  }: { video: string; output: string; signal: AbortSignal; keyframesOnly?: boolean },
): Promise<void> {
  const work = await mkdtemp(join(dirname(output), '.strip-'));
  try {
    const part = join(work, 'part.jpg');
    const filters = [
      // The last picture fills the rest of the last row.
      `fps=1/${stepSeconds}:start_time=0:eof_action=pass,tpad=stop=-1:stop_mode=clone`,
      `scale=${width}:${height}:flags=area:out_range=pc,format=yuvj420p`,
      `tile=${columns}x${rows}`,
    ];
    await run(
      'ffmpeg',
      // prettier-ignore
      [
        ...quietStart, '-v', 'error', ...(keyframesOnly ? ['-skip_frame', 'nokey'] : []),
        '-i', video, '-an',
        '-vf', filters.join(','), '-frames:v', '1', '-q:v', '5', '-f', 'image2', '-y', part,
      ],
      { signal, deadlineSeconds: 600 },
    );
    await placeFile(part, output);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The shorter side of a picture, in pixels. */
const shortSidePixels = 90;

/**
 * Writes small pictures of a rendered clip as one JPEG, for a time line.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export async function renderStoryboard(
  { dimensions, duration }: Edit,
  { clip, output, signal }: { clip: string; output: string; signal: AbortSignal },
): Promise<PictureStrip> {
  const { width, height } = dimensions;
  const heightPixels = 2 * Math.round((shortSidePixels * height) / Math.min(width, height) / 2);
  const strip = planPictureStrip(dimensions, duration, Math.min(heightPixels, 4 * shortSidePixels));
  await renderStrip(strip, { video: clip, output, signal, keyframesOnly: false });
  return strip;
}

const formatCueTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(11, 23);

/**
 * The pictures of a storyboard as WebVTT, as players read them for their time line.
 * @param url address of the picture, as seen from the file
 */
export function writeStoryboard(
  { width, height, columns, count, stepSeconds }: PictureStrip,
  url: string,
): string {
  const cues = Array.from({ length: count }, (_, at) => {
    const [x, y] = [(at % columns) * width, Math.floor(at / columns) * height];
    const time = `${formatCueTime(at * stepSeconds)} --> ${formatCueTime((at + 1) * stepSeconds)}`;
    return `${time}\n${url}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}
