import { dirname, join } from 'node:path';
import type { Edit } from '../edit.ts';
import type { MediaInfo } from '../facts.ts';
import { makeEncodable } from '../framing/framing.ts';
import { readFirstBytes } from '../source/check-file.ts';
import { makeEditSource } from '../source/edit-source.ts';
import { chooseOutputRate } from '../source/frame-rate.ts';
import { checkSource, encodeStill } from '../source/sound-alone.ts';
import { SourceError } from '../source/source-error.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { render } from './render.ts';
import { readImageKind, readWatermark } from './watermark.ts';

/** Largest file of a bumper, in bytes. */
export const maxBumperBytes = 50 * 1024 ** 2;
/** Length of a bumper in seconds. */
const [minSeconds, maxSeconds] = [0.5, 15];
/** The time that a picture is shown, in seconds, if the caller names none. */
const usualPictureSeconds = 4;
/** The longer side of a stored bumper, in pixels. */
const maxSidePixels = 1920;
const minSidePixels = 64;

/** Faults of a source whose message is as true of a bumper. */
const namedFaults: readonly string[] = [
  ...['source-encrypted', 'source-truncated', 'source-too-large', 'source-unsupported'],
];

/** A file of a bumper cannot be used. The message is for users. */
export class BumperError extends Error {
  override name = 'BumperError';
}

/** Makes the edit that changes nothing of a video but its size. */
function makePlainEdit(media: MediaInfo, seconds: number): Edit {
  const { width, height } = media;
  const factor = Math.min(1, maxSidePixels / Math.max(width, height));
  const frameRate = chooseOutputRate(media.frameRate);
  const duration = Math.floor(seconds * frameRate + 1e-3) / frameRate;
  return {
    version: 1,
    source: makeEditSource(media),
    ranges: [{ start: 0, end: duration }],
    ...{ duration, frameRate },
    dimensions: makeEncodable({ width: width * factor, height: height * factor }),
    framing: { mode: 'crop', x: 0, y: 0, width, height },
    ...{ captions: [], emojis: [], title: null },
  };
}

/** Makes a video of a picture. What is transparent is black. */
async function encodePicture(path: string, directory: string, signal: AbortSignal) {
  const picture = await readWatermark(path, { directory, signal });
  const video = join(directory, 'picture.mp4');
  await encodeStill(['-i', picture], video, { signal, maxSide: maxSidePixels });
  return video;
}

async function openFile(
  given: string,
  {
    seconds,
    directory,
    signal,
  }: { seconds: number | undefined; directory: string; signal: AbortSignal },
): Promise<{ path: string; edit: Edit }> {
  const isStill = readImageKind(await readFirstBytes(given)) !== null;
  if (!isStill && seconds !== undefined)
    throw new BumperError('Leave out `seconds`: a video has a length of its own.');
  const path = isStill ? await encodePicture(given, directory, signal) : given;
  const { media } = await checkSource(path, { directory, maxSeconds: Infinity, signal });
  if (media.soundAlone) throw new BumperError('The file has no picture. Send a video.');
  if (Math.min(media.width, media.height) < minSidePixels)
    throw new BumperError(`Each side must have at least ${minSidePixels} pixels.`);
  const edit = makePlainEdit(media, isStill ? (seconds ?? usualPictureSeconds) : media.duration);
  if (edit.duration >= minSeconds && edit.duration <= maxSeconds) return { path, edit };
  throw new BumperError(`The video must be ${minSeconds} to ${maxSeconds} seconds long.`);
}

/**
 * Checks a file of a bumper, a video or a picture, and writes it as MP4 to `output`: at -14 LUFS,
 * with a longer side of at most 1920 pixels. Temporary files are beside it.
 * @param options.seconds the time that a picture is shown, up to 10 seconds
 * @throws {@link BumperError} which says why it cannot be used, or the signal's reason
 */
export async function readBumperFile(
  path: string,
  {
    output,
    seconds,
    signal,
  }: { output: string; seconds?: number | undefined; signal: AbortSignal },
): Promise<{ seconds: number; bytes: number }> {
  try {
    const opened = await openFile(path, { seconds, directory: dirname(output), signal });
    const source = { source: opened.path, output, signal };
    const exported = { quality: 'export', exportQuality: 'high' } as const;
    const made = await render(opened.edit, { ...source, ...exported });
    return { seconds: made.duration, bytes: made.bytes };
  } catch (error) {
    signal.throwIfAborted();
    const isOfFile =
      error instanceof SourceError || (error instanceof ProcessError && isOfTheInput(error));
    if (!isOfFile) throw error;
    const isNamed = error instanceof SourceError && namedFaults.includes(error.code);
    const unknown =
      'The file cannot be read as a video or a picture. Send MP4, MOV, WebM, PNG, JPEG or WebP.';
    throw new BumperError(isNamed ? error.message : unknown, { cause: error });
  }
}
