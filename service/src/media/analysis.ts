import { readFile } from 'node:fs/promises';
import { ProcessError, run } from './ffmpeg-process.ts';
import type { IngestedSource, MediaInfo } from './ingest.ts';
import { decodeGuard, quietStart } from './input-guard.ts';
import { KeyframeReader, pictureScanFilter } from './picture-scan.ts';
import { LoudnessReader, loudnessStep, SilenceReader, soundScanFilter } from './sound-scan.ts';
import { SourceError } from './source-error.ts';
import { parseSubtitles } from './subtitles.ts';
import { transcriptOf } from './transcript.ts';

/** A stretch of time, in seconds; `start` < `end`. */
export interface Span {
  start: number;
  end: number;
}

export interface Word extends Span {
  text: string;
}

/** Words from `firstWord` to `lastWord`, both included. */
export interface Sentence extends Span {
  text: string;
  firstWord: number;
  lastWord: number;
}

export interface Transcript {
  /** BCP 47 code, null where it is not known. */
  language: string | null;
  words: Word[];
  sentences: Sentence[];
}

/** Loudness windows: `values[i]` is the level in dBFS (RMS, -70 at the least) from `i * step` seconds on. */
export interface Loudness {
  step: number;
  values: number[];
}

/** Where a keyframe draws the eye, as shares (0 to 1) of width and height. */
export interface Focus {
  time: number;
  x: number;
  y: number;
}

/** All that is known of a source after it has been scanned: plain JSON, times in seconds. */
export interface Analysis {
  duration: number;
  media: MediaInfo;
  silences: Span[];
  /** Times at which the picture changes to another scene. */
  cuts: number[];
  loudness: Loudness;
  focus: Focus[];
  transcript: Transcript | null;
}

export interface AnalyseOptions {
  language?: string;
  signal: AbortSignal;
  onProgress?: (share: number) => void;
}

type Report = (share: number) => void;

async function scanSound(source: IngestedSource, signal: AbortSignal, report: Report) {
  const silences = new SilenceReader();
  const levels = new LoudnessReader();
  const { duration } = source.media;
  if (!source.media.hasAudio) {
    return { silences: [], loudness: { step: loudnessStep, values: [] } };
  }
  await run(
    'ffmpeg',
    [
      ...[...quietStart, ...decodeGuard, '-vn', '-sn', '-dn', '-i', source.path],
      ...['-map', '0:a:0', '-af', soundScanFilter, '-f', 'null', '-'],
    ],
    {
      signal,
      deadline: 60 + duration,
      onStderrLine: (line) => silences.line(line),
      onStdout: (piece) => {
        levels.piece(piece.toString('latin1'));
        report(Math.min(1, levels.seconds / duration));
      },
    },
  );
  return { silences: silences.end(duration), loudness: levels.end() };
}

async function scanPicture(source: IngestedSource, signal: AbortSignal, report: Report) {
  const keyframes = new KeyframeReader();
  const { duration } = source.media;
  await run(
    'ffmpeg',
    [
      ...[...quietStart, ...decodeGuard, '-an', '-sn', '-dn', '-skip_frame', 'nokey'],
      ...['-i', source.path, '-map', '0:v:0', '-vf', pictureScanFilter],
      ...['-vsync', 'passthrough', '-f', 'rawvideo', 'pipe:1'],
    ],
    {
      signal,
      deadline: 120 + duration * 2,
      onStderrLine: (line) => {
        keyframes.line(line);
        report(Math.min(1, keyframes.seconds / duration));
      },
      onStdout: (piece) => keyframes.piece(piece),
    },
  );
  return keyframes.end();
}

async function readCues(path: string | null) {
  return path ? parseSubtitles(await readFile(path, 'utf8')) : [];
}

/**
 * Scans a source: its sound whole, its picture by keyframes, its subtitles. `language` is what the request says.
 * Throws SourceError where the file's streams cannot be decoded, or the signal's reason.
 */
export async function analyse(source: IngestedSource, options: AnalyseOptions): Promise<Analysis> {
  const report: Report = options.onProgress ?? (() => {});
  const { duration } = source.media;
  try {
    const sound = await scanSound(source, options.signal, (share) => report(share * 0.3));
    const picture = await scanPicture(source, options.signal, (s) => report(0.3 + s * 0.65));
    const cues = await readCues(source.transcriptPath);
    const { silences } = sound;
    const language = options.language ?? null;
    const transcript = transcriptOf(cues, { silences, duration, language });
    report(1);
    return { duration, media: source.media, ...sound, ...picture, transcript };
  } catch (error) {
    if (!(error instanceof ProcessError) || error.exitCode === null) throw error;
    throw new SourceError(
      'source-unsupported',
      `The video cannot be decoded: its codec (${source.media.videoCodec}` +
        `${source.media.audioCodec ? `, ${source.media.audioCodec}` : ''}) is not taken, or the file is damaged. ` +
        'Convert it to H.264 and AAC in MP4 and send a new request.',
      { cause: error },
    );
  }
}
