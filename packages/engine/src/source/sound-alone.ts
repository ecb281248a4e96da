import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaInfo } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { decodeGuard, quietStart } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { checkDuration, checkHead, checkMedia, openProbed } from './check-file.ts';
import { type Probed, findSoundStream, findVideoStream } from './probe.ts';
import { SourceError } from './source-error.ts';

/** Side of a picture in pixels, if the cover is not smaller. */
const sidePixels = 1080;
/** A smaller cover, in pixels, is an icon. */
const minCoverPixels = 100;
/** Captions are drawn live at each picture, so a word is at most this late: a tenth of a second. */
const storedRate = 10;
/** Distance of keyframes in seconds: less takes more room, more makes a search slow. */
const keyframeSeconds = 10;
/** Frames per second of clips: a still has no rate, but a wave moves. */
const shownRate = 30;

interface Limits {
  directory: string;
  maxSeconds: number;
  signal: AbortSignal;
}

/** The first cover picture in a file of sound; undefined if it has none. */
const findCover = ({ streams = [] }: Probed) =>
  streams.find(
    ({ codec_type, width = 0, height = 0 }) =>
      codec_type === 'video' && Math.min(width, height) >= minCoverPixels,
  );

/**
 * Encodes a picture as a video of ten seconds: it is repeated until the next keyframe. What is
 * transparent becomes black.
 */
export async function encodeStill(
  input: readonly string[],
  output: string,
  { signal, maxSide = sidePixels }: { signal: AbortSignal; maxSide?: number },
): Promise<void> {
  const filters = [
    'format=gbrap,premultiply=inplace=1,format=gbrp',
    `scale='min(iw,${maxSide})':'min(ih,${maxSide})':force_original_aspect_ratio=decrease:force_divisible_by=2:out_color_matrix=bt709:out_range=tv`,
    'setsar=1,format=yuv420p',
    `loop=loop=-1:size=1,setpts=N/${storedRate}/TB`,
  ];
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-v', 'error', ...input, '-vf', filters.join(','), '-an', '-r', String(storedRate),
      '-frames:v', String(storedRate * keyframeSeconds),
      '-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'stillimage', '-crf', '18', '-bf', '0',
      '-g', String(storedRate * keyframeSeconds),
      '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv',
      // Otherwise it stays a cover.
      '-disposition:v', '0', '-f', 'mp4', '-y', output,
    ],
    { signal, deadlineSeconds: 120 },
  );
}

/** Encodes the cover of a file. Returns false if it has none that can be read. */
async function encodeCover(
  path: string,
  probed: Probed,
  output: string,
  signal: AbortSignal,
): Promise<boolean> {
  const cover = findCover(probed);
  if (cover?.index === undefined) return false;
  try {
    const input = [...decodeGuard, '-i', path, '-map', `0:${cover.index}`];
    await encodeStill(input, output, { signal });
    return true;
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    return false;
  }
}

/**
 * Gives sound a picture, so that all that follows has a video: its cover, or a plain ground, on
 * which clips draw a wave. One still is encoded and copied again and again beside the sound, which
 * is copied too: an hour takes a second.
 */
async function addPicture(
  path: string,
  probed: Probed,
  { directory, maxSeconds, signal }: Limits,
): Promise<{ path: string; media: MediaInfo }> {
  const { duration, endsEarly } = await checkDuration(path, probed, { maxSeconds, signal });
  const still = join(directory, 'still.mp4');
  const hasCover = await encodeCover(path, probed, still, signal);
  if (!hasCover) {
    const plain = `color=c=0x15171c:s=${sidePixels}x${sidePixels}`;
    await encodeStill(['-f', 'lavfi', '-i', plain], still, { signal });
  }
  const output = join(directory, 'sound-alone.mkv');
  try {
    await run(
      'ffmpeg',
      // prettier-ignore
      [
        ...quietStart, '-v', 'error', '-stream_loop', '-1', '-i', still, ...decodeGuard, '-i', path,
        '-map', '0:v', '-map', '1:a', '-map_chapters', '-1', '-c', 'copy',
        '-t', duration.toFixed(3), '-f', 'matroska', '-y', output,
      ],
      { signal, deadlineSeconds: 600 },
    );
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    throw new SourceError(
      'source-unsupported',
      `The sound cannot be read. Its codec (${findSoundStream(probed)?.codec_name ?? 'unknown'}) is not supported, or the file is damaged. ` +
        'Convert it to MP3 or M4A, then send a new request.',
      { cause: error },
    );
  }
  await rm(still);
  const made = await openProbed(output, signal);
  // The last picture may end after the sound.
  const media = await checkMedia(output, made, { maxSeconds: Infinity, signal });
  return {
    path: output,
    media: {
      ...media,
      duration: Math.min(duration, media.duration),
      frameRate: shownRate,
      soundAlone: hasCover ? 'cover' : 'wave',
      ...(endsEarly && { endsEarly }),
    },
  };
}

/**
 * Checks a file. Sound alone gets a picture in a file of its own, in `directory`.
 * @returns the file to use, and the headers of the given one
 * @throws {@link SourceError} if the file cannot be used, {@link ProcessError} if the machine is
 * the cause, or the signal's reason
 */
export async function checkSource(
  path: string,
  limits: Limits,
): Promise<{ path: string; probed: Probed; media: MediaInfo }> {
  await checkHead(path);
  const probed = await openProbed(path, limits.signal);
  if (!findVideoStream(probed) && findSoundStream(probed)) {
    return { probed, ...(await addPicture(path, probed, limits)) };
  }
  return { path, probed, media: await checkMedia(path, probed, limits) };
}
