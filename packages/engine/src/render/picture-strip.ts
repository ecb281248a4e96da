import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Dimensions } from '../edit.ts';
import { placeFile, run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';

/** Small pictures of a film at even distances, in rows of one large one. Sizes are in pixels. */
export interface PictureStrip extends Dimensions {
  columns: number;
  rows: number;
  count: number;
  stepSeconds: number;
}

/** One for each second of the longest clip with what is usually kept beside it. */
const maxPictures = 240;
const columns = 12;

/** Where the pictures of a film are, of which each is as high as `heightPixels`. */
export function pictureStrip(
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
 * Writes the pictures of a film as one JPEG. `output` is complete or does not exist.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export async function renderStrip(
  { width, height, columns, rows, stepSeconds }: PictureStrip,
  {
    film,
    output,
    signal,
    keyframesOnly = true,
  }: { film: string; output: string; signal: AbortSignal; keyframesOnly?: boolean },
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
        '-i', film, '-an',
        '-vf', filters.join(','), '-frames:v', '1', '-q:v', '5', '-f', 'image2', '-y', part,
      ],
      { signal, deadlineSeconds: 600 },
    );
    await placeFile(part, output);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
