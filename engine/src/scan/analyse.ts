import { run } from '../program/ffmpeg-process.ts';
import type { SourceFile, Analysis, Span, Transcript } from '../facts.ts';
import { decodeGuard, quietStart } from '../program/input-guard.ts';
import { languageCode } from '../words/language-code.ts';
import { KeyframeReader, pictureScanFilter } from './picture-scan.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { LoudnessReader, loudnessStep, SilenceReader, soundScanFilter } from './sound-scan.ts';
import { SourceError, tooMuchWork } from '../source/source-error.ts';
import { subtitleFile } from '../words/transcribers/subtitle-file.ts';
import { transcribe, type SpeechJob, type Transcribed } from '../words/transcribers/transcriber.ts';
import { transcriptOf } from '../words/transcript.ts';

export interface AnalyseOptions {
  language?: string;
  /** Names and words that are likely to be said. */
  context?: string;
  /** How speech becomes words; from the source's subtitles alone where left out. */
  transcribe?: (job: SpeechJob) => Promise<Transcribed>;
  signal: AbortSignal;
  onProgress?: (share: number) => void;
}

/** The share of an analysis after which its speech is read. */
export const transcriptFrom = 0.6;

type Report = (share: number) => void;

async function scanSound(source: SourceFile, signal: AbortSignal, report: Report) {
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
      deadlineSeconds: 60 + duration,
      onStderrLine: (line) => silences.line(line),
      onStdout: (piece) => {
        levels.piece(piece.toString('latin1'));
        report(Math.min(1, levels.seconds / duration));
      },
    },
  );
  return { silences: silences.end(duration), loudness: levels.end() };
}

async function scanPicture(source: SourceFile, signal: AbortSignal, report: Report) {
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
      deadlineSeconds: 120 + duration * 2,
      onStderrLine: (line) => {
        keyframes.line(line);
        report(Math.min(1, keyframes.seconds / duration));
      },
      onStdout: (piece) => keyframes.piece(piece),
    },
  );
  return keyframes.end();
}

async function readTranscript(
  source: SourceFile,
  silences: readonly Span[],
  options: AnalyseOptions,
  report: Report,
): Promise<Transcript | null> {
  const { duration, hasAudio } = source.media;
  const ask = options.transcribe ?? ((job: SpeechJob) => transcribe([subtitleFile], job));
  const told = languageCode(options.language);
  const { heard } = await ask({
    path: source.path,
    subtitles: source.transcriptPath,
    hasAudio,
    duration,
    silences,
    language: told,
    context: options.context ?? '',
    signal: options.signal,
    onProgress: report,
  });
  return (
    heard && transcriptOf(heard.cues, { silences, duration, language: heard.language ?? told })
  );
}

/**
 * Scans a source: its sound whole, its picture by keyframes, its speech. `language` is what the request says.
 * Throws SourceError where the file's streams cannot be decoded, or the signal's reason.
 */
export async function analyse(source: SourceFile, options: AnalyseOptions): Promise<Analysis> {
  const report: Report = options.onProgress ?? (() => {});
  const { duration } = source.media;
  try {
    const sound = await scanSound(source, options.signal, (share) => report(share * 0.2));
    const picture = await scanPicture(source, options.signal, (s) =>
      report(0.2 + s * (transcriptFrom - 0.2)),
    );
    const transcript = await readTranscript(source, sound.silences, options, (share) =>
      report(transcriptFrom + share * (1 - transcriptFrom)),
    );
    report(1);
    return { duration, media: source.media, ...sound, ...picture, transcript };
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    if (error.end !== 'failed' && error.end !== 'crashed') throw tooMuchWork('video', error);
    throw new SourceError(
      'source-unsupported',
      `The video cannot be decoded: its codec (${source.media.videoCodec}` +
        `${source.media.audioCodec ? `, ${source.media.audioCodec}` : ''}) is not taken, or the file is damaged. ` +
        'Convert it to H.264 and AAC in MP4 and send a new request.',
      { cause: error },
    );
  }
}
