import { mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MediaInfo } from '../facts.ts';
import { placeFile, run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import {
  deinterlaced,
  eightBits,
  openSource,
  toneMapped,
  withoutBars,
} from '../source/open-source.ts';

/** The longer side of the picture in pixels, if the video is not smaller. */
const sidePixels = 480;

/** So many keyframes are looked at for one with more to see than the others. */
const looks = 8;

/**
 * Writes a small JPEG of a source: a keyframe from a tenth into it, the one that shows most.
 * @returns whether there is one: some videos have no picture that can be read there
 * @throws {@link ProcessError} if the machine is the cause, or the signal's reason
 */
export async function renderSourcePicture(
  media: MediaInfo,
  { source, output, signal }: { source: string; output: string; signal: AbortSignal },
): Promise<boolean> {
  const work = await mkdtemp(join(dirname(output), '.picture-'));
  const part = join(work, 'picture.jpg');
  const filters =
    deinterlaced(media) +
    withoutBars(media.content) +
    eightBits(media) +
    `thumbnail=${looks},${toneMapped(media)}` +
    `scale=iw*sar:ih,setsar=1,scale=w='min(iw,${sidePixels})':h='min(ih,${sidePixels})'` +
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
