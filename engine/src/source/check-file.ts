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
  statedDuration,
  type Probed,
} from './probe.ts';
import { sniff } from './sniff.ts';
import { SourceError, tooMuchWork } from './source-error.ts';

const notVideo = (what: string) =>
  new SourceError(
    'source-not-video',
    `${what} Give the address of a video file itself (MP4, MOV, MKV, WebM, MPEG-TS, AVI, FLV or Ogg).`,
  );

/** Refuses by its first bytes what is no video file. Throws SourceError. */
export async function checkHead(path: string): Promise<void> {
  const file = await open(path);
  const { buffer, bytesRead } = await file
    .read({ buffer: Buffer.alloc(8192) })
    .finally(() => file.close());
  const found = sniff(buffer.subarray(0, bytesRead));
  if (found.kind === 'video') return;
  if (found.kind === 'playlist') {
    throw new SourceError(
      'source-playlist',
      'The address gives a playlist or manifest, which names other files, and no video. Give the address of the video file itself.',
    );
  }
  if (found.kind === 'empty') throw notVideo('The address gives an empty file.');
  if (found.kind === 'page') throw notVideo('The address gives a web page, not a video file.');
  throw notVideo('The file is no video in a format that is taken.');
}

const tooManyPixels = (width: number, height: number) =>
  new SourceError(
    'source-too-large',
    `The picture is ${width} by ${height} pixels; at most ${maxPixels / 1e6} million pixels are taken.`,
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
        'The video file ends early: its index is missing. Upload the whole file again and send a new request.',
      );
    }
    throw notVideo('The file begins like a video, but it cannot be read.');
  }
}

/** Seconds as a person says them: `4 h 2 min`, `12 min`, `45 s`. */
const spoken = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** The duration that the file really has: its headers' word is checked against its last packets. */
async function realDuration(path: string, probed: Probed, signal: AbortSignal): Promise<number> {
  const stated = statedDuration(probed);
  const startTime = Number(probed.format?.start_time ?? 0) || 0;
  const real = await packetEnd(path, { from: stated - 10, startTime, signal }).catch((error) => {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    if (error.end !== 'failed' && error.end !== 'crashed') throw tooMuchWork('video', error);
    return 0;
  });
  const tolerance = Math.max(2, stated * 0.02);
  if (stated - real > tolerance) {
    throw new SourceError(
      'source-truncated',
      `The video file ends early: its header promises ${spoken(stated)}, and the data stops before that. ` +
        'Upload the whole file again and send a new request.',
    );
  }
  return real > 0 ? real : stated;
}

/** Pixels of real films are at most twice as wide as high (anamorphic), or nearly as much higher. */
const mostStretched = 4;

/** What a video file holds. Throws SourceError if it is damaged, too long or too large, or the signal's reason. */
export async function checkMedia(
  path: string,
  options: { maxSeconds: number; signal: AbortSignal },
): Promise<{ probed: Probed; media: MediaInfo }> {
  const probed = await openProbed(path, options.signal);
  const film = filmStream(probed);
  if (!film) {
    const sound = probed.streams?.some((stream) => stream.codec_type === 'audio');
    throw notVideo(sound ? 'The file has sound but no moving picture.' : 'The file has no video.');
  }
  const { width = 0, height = 0 } = film;
  const shape = pixelShape(film);
  if (width * height * Math.max(1, shape) > maxPixels) throw tooManyPixels(width, height);
  if (shape > mostStretched || shape < 1 / mostStretched) {
    throw new SourceError(
      'source-unsupported',
      `The video's pixels are said to be ${film.sample_aspect_ratio} in shape, which no camera and no screen has. ` +
        'Convert it to square pixels and send a new request.',
    );
  }
  const duration = await realDuration(path, probed, options.signal);
  const media = mediaInfoOf(probed, duration);
  if (!media || duration <= 0) throw notVideo('The file has no moving picture.');
  if (duration > options.maxSeconds) {
    throw new SourceError(
      'source-too-long',
      `The video runs ${spoken(duration)}; at most ${spoken(options.maxSeconds)} are taken. Cut it, or send a shorter one.`,
    );
  }
  return { probed, media };
}
