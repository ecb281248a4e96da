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
  /** Language of the speech (BCP 47). If omitted, the transcriber decides. */
  language?: string;
  /** Names and words that the speech probably contains. They help a transcriber to spell them. */
  context?: string;
  /** Turns speech into words. If omitted, only the source's subtitles are used. */
  transcribe?: (job: SpeechJob) => Promise<Transcribed>;
  signal: AbortSignal;
  /** Called with the progress, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** Progress of `analyse` (0 to 1) at which it begins to read the speech. */
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
    // prettier-ignore
    [
      ...quietStart, ...decodeGuard, '-vn', '-sn', '-dn', '-i', source.path,
      '-map', '0:a:0', '-af', soundScanFilter, '-f', 'null', '-',
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
    // prettier-ignore
    [
      ...quietStart, ...decodeGuard, '-an', '-sn', '-dn', '-skip_frame', 'nokey',
      '-i', source.path, '-map', '0:v:0', '-vf', pictureScanFilter,
      '-vsync', 'passthrough', '-f', 'rawvideo', 'pipe:1',
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
  const stated = languageCode(options.language);
  const { heard } = await ask({
    path: source.path,
    subtitles: source.transcriptPath,
    hasAudio,
    duration,
    silences,
    language: stated,
    context: options.context ?? '',
    signal: options.signal,
    onProgress: report,
  });
  return (
    heard && transcriptOf(heard.cues, { silences, duration, language: heard.language ?? stated })
  );
}

/**
 * Scans a source: all of its sound, the keyframes of its picture, and its speech.
 * @throws {@link SourceError} with the code `source-unsupported` if the streams cannot be decoded,
 * {@link ProcessError} if the machine is the cause, or the signal's reason
 * @example
 * ```ts
 * const source = await ingest(url, { directory, allowPrivate: false, maxSeconds: 3600, signal });
 * const analysis = await analyse(source, { language: 'en', signal });
 * ```
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
      `The video cannot be decoded. Its codec (${source.media.videoCodec}` +
        `${source.media.audioCodec ? `, ${source.media.audioCodec}` : ''}) is not supported, or the file is damaged. ` +
        'Convert it to MP4 with H.264 and AAC, then send a new request.',
      { cause: error },
    );
  }
}
