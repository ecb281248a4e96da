import { open } from 'node:fs/promises';
import type { MediaInfo } from '../facts.ts';
import { maxPixels } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import {
  filmStream,
  mediaInfoOf,
  packetEnd,
  pictureSize,
  pixelShape,
  probe,
  startOf,
  statedDuration,
  type Probed,
} from './probe.ts';
import { sniff } from './sniff.ts';
import { SourceError, tooMuchWork } from './source-error.ts';

const notVideo = (what: string) =>
  new SourceError(
    'source-not-video',
    `${what} Use a video file (MP4, MOV, MKV, WebM, MPEG-TS, AVI, FLV, WMV, DV or Ogg) or its direct address.`,
  );

/** So many first bytes of a file show what it is. */
export const headBytes = 4096;

/**
 * Checks the first bytes of a file: {@link headBytes}, or all that it has. Throws SourceError if it
 * is not a video.
 */
export function requireVideo(head: Uint8Array): void {
  const found = sniff(head);
  if (found.kind === 'video') return;
  if (found.kind === 'playlist') {
    throw new SourceError(
      'source-playlist',
      'The file is a playlist, which only lists other files. Use a video file or its direct address.',
    );
  }
  if (found.kind === 'empty') throw notVideo('The file is empty.');
  if (found.kind === 'page') throw notVideo('The file is a web page, not a video.');
  throw notVideo('The file is not a video in a supported format.');
}

/** Reads the first bytes of a file. Throws SourceError if it is not a video. */
export async function checkHead(path: string): Promise<void> {
  const file = await open(path);
  const { buffer, bytesRead } = await file
    .read({ buffer: Buffer.alloc(headBytes) })
    .finally(() => file.close());
  requireVideo(buffer.subarray(0, bytesRead));
}

const tooManyPixels = (width: number, height: number) =>
  new SourceError(
    'source-too-large',
    `The picture has ${width} by ${height} pixels. The limit is ${maxPixels / 1e6} million pixels. Use a smaller version of the video.`,
  );

async function openProbed(path: string, signal: AbortSignal): Promise<Probed> {
  try {
    return await probe(path, signal);
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    if (error.end !== 'failed' && error.end !== 'crashed') throw tooMuchWork('video', error);
    const size = pictureSize.exec(error.stderrTail);
    if (size) throw tooManyPixels(Number(size[1]), Number(size[2]));
    if (/moov atom not found|truncat|end of file/i.test(error.stderrTail)) {
      throw new SourceError(
        'source-truncated',
        'The video file is incomplete: its index is missing. Upload the whole file again, then send a new request.',
      );
    }
    throw notVideo('The file looks like a video, but it cannot be read.');
  }
}

/** Seconds in a readable form: `4 h 2 min`, `12 min`, `45 s`. */
function readable(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * The real duration of the file. The duration in its header is checked against its last packets.
 */
async function realDuration(path: string, probed: Probed, signal: AbortSignal): Promise<number> {
  const stated = statedDuration(probed);
  const range = { from: stated - 10, startTime: startOf(probed), signal };
  const real = await packetEnd(path, range).catch((error) => {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    if (error.end !== 'failed' && error.end !== 'crashed') throw tooMuchWork('video', error);
    return 0;
  });
  const tolerance = Math.max(2, stated * 0.02);
  if (stated - real > tolerance) {
    throw new SourceError(
      'source-truncated',
      `The video file is incomplete: its header says ${readable(stated)}, but the data ends before that. ` +
        'Upload the whole file again, then send a new request.',
    );
  }
  return real > 0 ? real : stated;
}

/** Maximum ratio of a pixel's sides. Pixels of real (anamorphic) films are at most about 2:1. */
const maxPixelStretch = 4;

/**
 * Reads what a video file contains. Throws SourceError if the file is damaged, too long or too
 * large, or the signal's reason.
 */
export async function checkMedia(
  path: string,
  options: { maxSeconds: number; signal: AbortSignal },
): Promise<{ probed: Probed; media: MediaInfo }> {
  const probed = await openProbed(path, options.signal);
  const film = filmStream(probed);
  if (!film) {
    const sound = probed.streams?.some((stream) => stream.codec_type === 'audio');
    throw notVideo(sound ? 'The file has sound but no video.' : 'The file has no video.');
  }
  const { width = 0, height = 0 } = film;
  const shape = pixelShape(film);
  if (width * height * Math.max(1, shape) > maxPixels) throw tooManyPixels(width, height);
  if (shape > maxPixelStretch || shape < 1 / maxPixelStretch) {
    throw new SourceError(
      'source-unsupported',
      `The file says that the video's pixels have the shape ${film.sample_aspect_ratio}, which no camera or screen uses. ` +
        'Convert the video to square pixels, then send a new request.',
    );
  }
  const duration = await realDuration(path, probed, options.signal);
  const media = mediaInfoOf(probed, duration);
  if (!media || duration <= 0) throw notVideo('The file has no video.');
  if (duration > options.maxSeconds) {
    throw new SourceError(
      'source-too-long',
      `The video is ${readable(duration)} long. The limit is ${readable(options.maxSeconds)}. Use a shorter video.`,
    );
  }
  return { probed, media };
}
