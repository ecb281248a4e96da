import { run } from '../program/ffmpeg-process.ts';
import type { Analysis, MediaInfo, PicturePart, SourceFile, Span, Transcript } from '../facts.ts';
import { quietStart } from '../program/input-guard.ts';
import { parseLanguage } from '../words/language-code.ts';
import { KeyframeReader, makeScanFilter } from './picture-scan.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { loudnessStep, minLoudnessDb, SoundReader } from './sound-scan.ts';
import {
  type OpenedSource,
  openSource,
  makePictureClock,
  computeSizeWithoutBars,
} from '../source/open-source.ts';
import { streamSamples } from '../source/sound-samples.ts';
import { SourceError, makeTooMuchWorkError } from '../source/source-error.ts';
import {
  type SpeechJob,
  subtitleFile,
  transcribe,
  type Transcription,
  type TranscriptionResult,
} from '../transcribers/transcriber.ts';
import { mergeSpans } from '../spans.ts';
import { makeTranscript } from '../words/transcript.ts';
import { readSpeakers } from '../transcribers/voice-reader.ts';

export interface AnalyseOptions {
  /** The part of the source to scan, in source seconds. All of it if omitted. */
  range?: Span;
  /** Language of the speech (BCP 47). If omitted, the transcriber decides. */
  language?: string;
  /** Names and words that the speech probably contains. They help a transcriber to spell them. */
  context?: string;
  /** Turns speech into words. If omitted, only the source's subtitles are used. */
  transcribe?: (job: SpeechJob) => Promise<TranscriptionResult>;
  /**
   * `onKnown` is called once the words of the first `seconds` are known, or of a little more, while
   * the rest is still transcribed. Not called if the source, or `range`, is shorter.
   */
  first?: { seconds: number; onKnown: (analysis: Analysis) => void };
  /**
   * Tells the speakers of the words by their voices. `onFailed` is called if that fails: the words
   * then have none. If omitted, no voices are listened to.
   */
  voices?: { onFailed: (error: unknown) => void };
  signal: AbortSignal;
  /** Called with the progress, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** Progress of `analyse` (0 to 1) from which on only the speech is missing. */
export const transcriptFrom = 0.6;

/** The sound's part of the scan. */
const soundShare = 0.4;

type Report = (share: number) => void;

/** Scans `duration` seconds of sound from the wanted time on, which is 0 in the result. */
async function scanSound(
  source: SourceFile,
  { opened, duration }: { opened: OpenedSource; duration: number },
  signal: AbortSignal,
  report: Report,
) {
  const sound = new SoundReader();
  if (!source.media.hasAudio) {
    return { silences: [], loudness: { step: loudnessStep, values: [] }, reactions: [] };
  }
  await streamSamples(opened, {
    source: source.media,
    seconds: duration,
    signal,
    onStdout: (chunk) => {
      sound.read(chunk);
      report(Math.min(1, sound.seconds / duration));
    },
  });
  return sound.end(duration);
}

/** Scans the keyframes of `duration` seconds from the wanted time on, which is 0 in the result. */
async function scanPicture(
  source: SourceFile,
  { opened, duration }: { opened: OpenedSource; duration: number },
  signal: AbortSignal,
  report: Report,
) {
  const keyframes = new KeyframeReader();
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      // Threads are handed every frame, also those that are skipped: with one, it takes a third.
      ...quietStart, '-an', '-sn', '-dn', '-threads', '1', '-skip_frame', 'nokey',
      // Otherwise ffmpeg returns each MPEG-2 keyframe with the time of the next one.
      '-flags', 'low_delay',
      ...opened.input, '-map', `0:${source.media.videoStream ?? 'v:0'}`,
      '-vf', `${makePictureClock(opened)},trim=end=${duration.toFixed(6)},${makeScanFilter(source.media)}`,
      '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1',
    ],
    {
      signal,
      deadlineSeconds: 120 + duration * 2,
      onStderrLine: (line) => {
        keyframes.line(line);
        report(Math.min(1, keyframes.seconds / duration));
      },
      onStdout: (chunk) => keyframes.read(chunk),
    },
  );
  const { cuts, focus, content, interlaced } = keyframes.end();
  return { cuts, focus, media: updateMedia(source.media, { content, interlaced }) };
}

/** Updates the facts of the pictures after all of them were read. */
function updateMedia(
  { firstField, ...media }: MediaInfo,
  { content, interlaced }: { content: PicturePart | null; interlaced: boolean },
): MediaInfo {
  return {
    ...media,
    ...(firstField && interlaced && { firstField }),
    ...(content && !media.soundAlone && { content, ...computeSizeWithoutBars(media, content) }),
  };
}

/** The words of a range; null if there are none. */
const makeRangeTranscript = (
  { cues, language }: Transcription,
  { range, ...facts }: { range: Span; silences: readonly Span[]; duration: number },
  stated: string | null,
): Transcript | null =>
  makeTranscript(cues.filter(isWithin(range)), { ...facts, language: language ?? stated });

/** `onWords`: called with the words up to a time, each time that more are known. */
async function readTranscript(
  source: SourceFile,
  { silences, range }: { silences: readonly Span[]; range: Span },
  options: Omit<AnalyseOptions, 'onProgress'>,
  report: Report,
  onWords: (words: Transcription, until: number) => void,
): Promise<Transcript | null> {
  const { duration, hasAudio, audioStream, mixedAudioStreams } = source.media;
  const ask = options.transcribe ?? ((job: SpeechJob) => transcribe([subtitleFile], job));
  const stated = parseLanguage(options.language);
  const { transcription } = await ask({
    path: source.path,
    subtitles: source.transcriptPath,
    hasAudio,
    ...(audioStream !== undefined && { audioStream }),
    ...(mixedAudioStreams && { mixedAudioStreams }),
    duration,
    silences,
    language: stated,
    context: options.context ?? '',
    signal: options.signal,
    onProgress: report,
    onWords,
  });
  return transcription && makeRangeTranscript(transcription, { range, silences, duration }, stated);
}

/** Progress of the words (0 to 1) from which on only their speakers are missing. */
const speakersFrom = 0.85;

/** Returns words with their speakers, if voices are listened to and the source has sound. */
async function addSpeakers(
  transcript: Transcript | null,
  source: Parameters<typeof readSpeakers>[1],
  { voices, signal }: Pick<AnalyseOptions, 'voices' | 'signal'>,
  onProgress: Report = () => {},
): Promise<Transcript | null> {
  if (!transcript || !voices || !source.media.hasAudio) return transcript;
  try {
    return await readSpeakers(transcript, source, { signal, onProgress });
  } catch (error) {
    signal.throwIfAborted();
    voices.onFailed(error);
    return transcript;
  }
}

/** Runs two tasks. If one fails, the other is aborted, and both have ended. */
async function runTogether<A, B>(
  signal: AbortSignal,
  one: (signal: AbortSignal) => Promise<A>,
  other: (signal: AbortSignal) => Promise<B>,
): Promise<[A, B]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const work = [one(either), other(either)] as const;
  for (const chunk of work) chunk.catch((error: unknown) => failed.abort(error));
  await Promise.allSettled(work);
  signal.throwIfAborted();
  failed.signal.throwIfAborted();
  return Promise.all(work);
}

/** Returns the reporter of each scan, by which the progress of all is reported. */
function combineProgress(report: AnalyseOptions['onProgress']) {
  const done = { sound: 0, picture: 0, words: 0 };
  return (what: keyof typeof done) => (share: number) => {
    done[what] = share;
    const { sound, picture, words } = done;
    const scanned = soundShare * sound + (1 - soundShare) * picture;
    report?.(
      scanned < 1 ? scanned * transcriptFrom : transcriptFrom + words * (1 - transcriptFrom),
    );
  };
}

type SeenFacts = Pick<Analysis, 'cuts' | 'focus' | 'media'>;

/** Reads the words of a source and their speakers, and reports what is known first. */
async function readSpeech(
  source: SourceFile,
  {
    opened,
    range,
    heard,
    silences,
    getSeen,
  }: {
    opened: OpenedSource;
    range: Span;
    heard: Awaited<ReturnType<typeof scanSound>>;
    silences: readonly Span[];
    getSeen: () => SeenFacts | null;
  },
  options: AnalyseOptions,
  report: Report,
): Promise<Transcript | null> {
  const { duration } = source.media;
  const sound = { media: source.media, opened, from: range.start };
  let { first } = options;
  const firstWords: Promise<void>[] = [];
  const onWords = (words: Transcription, until: number): void => {
    const seen = getSeen();
    // The pictures are usually read long before.
    if (!first || !seen || until < range.start + first.seconds || until >= range.end) return;
    const scanned = { start: range.start, end: until };
    const facts = { ...shiftSound(heard, scanned, duration), duration };
    const stated = parseLanguage(options.language);
    const transcript = makeRangeTranscript(words, { ...facts, range: scanned }, stated);
    if (!transcript) return;
    const { onKnown } = first;
    first = undefined;
    const known = addSpeakers(transcript, sound, options).then((spoken) =>
      onKnown({ ...seen, ...facts, scanned, transcript: spoken }),
    );
    known.catch(() => {});
    firstWords.push(known);
  };
  const wordsShare = options.voices ? speakersFrom : 1;
  const facts = { silences, range };
  const reportWords = (share: number) => report(wordsShare * share);
  const words = await readTranscript(source, facts, options, reportWords, onWords);
  await Promise.all(firstWords);
  return addSpeakers(words, sound, options, (share) =>
    report(wordsShare + (1 - wordsShare) * share),
  );
}

/** Scans sound and pictures at the same time, and reads the speech, which often is a server's. */
async function scanAll(source: SourceFile, options: AnalyseOptions) {
  const { duration } = source.media;
  const range = { start: 0, end: duration, ...options.range };
  const opened = await openSource(source.path, {
    from: range.start,
    picture: source.media,
    startTime: source.media.startTime ?? 0,
    signal: options.signal,
  });
  const reportShare = combineProgress(options.onProgress);
  const part = { opened, duration: range.end - range.start };
  let seen: SeenFacts | null = null;
  const [picture, { sound, transcript }] = await runTogether(
    options.signal,
    async (signal) => {
      const { cuts, focus, media } = await scanPicture(
        source,
        part,
        signal,
        reportShare('picture'),
      );
      reportShare('picture')(1);
      seen = {
        cuts: cuts.map((time) => time + range.start),
        focus: focus.map((one) => ({ ...one, time: one.time + range.start })),
        media,
      };
      return seen;
    },
    async (signal) => {
      const heard = await scanSound(source, part, signal, reportShare('sound'));
      reportShare('sound')(1);
      const sound = shiftSound(heard, range, duration);
      const facts = { opened, range, heard, silences: sound.silences, getSeen: () => seen };
      const job = { ...options, signal };
      const transcript = await readSpeech(source, facts, job, reportShare('words'));
      return { sound, transcript };
    },
  );
  return { ...sound, ...picture, transcript, ...(options.range && { scanned: range }) };
}

/** Whether most of a cue is in the range. */
const isWithin =
  (range: Span) =>
  ({ start, end }: Span): boolean => {
    const middle = (start + end) / 2;
    return middle >= range.start && middle < range.end;
  };

/** Moves the results for a part of the source to source time. The rest counts as silent. */
function shiftSound(
  { silences, loudness, reactions }: Awaited<ReturnType<typeof scanSound>>,
  { start, end }: Span,
  duration: number,
): Pick<Analysis, 'silences' | 'loudness' | 'reactions'> {
  const moved = (span: Span): Span => ({ start: span.start + start, end: span.end + start });
  const silent = (seconds: number) =>
    new Array<number>(Math.round(seconds / loudnessStep)).fill(minLoudnessDb);
  return {
    silences: mergeSpans([
      ...(start > 0 ? [{ start: 0, end: start }] : []),
      ...silences.map(moved),
      ...(end < duration ? [{ start: end, end: duration }] : []),
    ]),
    loudness: { ...loudness, values: [...silent(start), ...loudness.values] },
    reactions: reactions.map(moved),
  };
}

/**
 * Scans a source: all of its sound and the keyframes of its picture at the same time, and its
 * speech as soon as the sound is known.
 * @throws {@link SourceError} with the code `source-unsupported` if the streams cannot be decoded,
 * {@link ProcessError} if the machine is the cause, or the signal's reason
 * @example
 * ```ts
 * const source = await ingest(url, { directory, allowPrivate: false, maxSeconds: 3600, signal });
 * const analysis = await analyse(source, { language: 'en', signal });
 * ```
 */
export async function analyse(source: SourceFile, options: AnalyseOptions): Promise<Analysis> {
  try {
    const scanned = await scanAll(source, options);
    options.onProgress?.(1);
    return { duration: source.media.duration, ...scanned };
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    if (error.end !== 'failed' && error.end !== 'crashed')
      throw makeTooMuchWorkError('video', error);
    throw new SourceError(
      'source-unsupported',
      `The video cannot be decoded. Its codec (${source.media.videoCodec}` +
        `${source.media.audioCodec ? `, ${source.media.audioCodec}` : ''}) is not supported, or the file is damaged. ` +
        'Convert it to MP4 with H.264 and AAC, then send a new request.',
      { cause: error },
    );
  }
}
