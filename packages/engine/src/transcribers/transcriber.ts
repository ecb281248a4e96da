import type { SoundFacts, Span } from '../facts.ts';
import { formatError } from '../program/ffmpeg-process.ts';
import { findMachineFault } from '../program/process-error.ts';
import { readSubtitles } from '../source/subtitle-source.ts';
import type { Cue } from '../words/subtitles.ts';

/** The speech to transcribe. Times are in seconds. */
export interface SpeechJob extends SoundFacts {
  /** Path of the source file. */
  path: string;
  /**
   * Directory for segments of sound.
   * @default os.tmpdir()
   */
  workDirectory?: string;
  /** Path of a subtitle file that belongs to the source, or null. */
  subtitles: string | null;
  duration: number;
  /** Sorted by time. */
  silences: readonly Span[];
  /** The language that the request names (BCP 47); null if it names none. */
  language: string | null;
  /** Names and words that the speech probably contains; can be empty. */
  context: string;
  signal: AbortSignal;
  /** Called with the progress, 0 to 1. */
  onProgress: (share: number) => void;
  /** Called while a speech model is downloaded. */
  onDownload?: (download: ModelDownload) => void;
  /** Called with all words up to `until` (seconds) each time that more are known. */
  onWords?: (words: Transcription, until: number) => void;
}

/** Progress of the download of a speech model. */
export interface ModelDownload {
  /** Name of the model, such as `base`. */
  model: string;
  /** Bytes that are here, of all files of the model. */
  bytes: number;
  totalBytes: number;
}

/**
 * The result of a transcriber. In cues that are not `timed`, the times of the words are estimated.
 */
export interface Transcription {
  /** BCP 47 code; null if it is not known. */
  language: string | null;
  cues: Cue[];
}

/** One way to get the words of a source. */
export interface Transcriber {
  /** Short and stable, because it is written into logs. */
  name: string;
  /**
   * Returns null if this way does not apply to the source; that is not an error.
   * Throws if it applies but failed. The message is for the operator, without secrets.
   */
  transcribe(job: SpeechJob): Promise<Transcription | null>;
}

/** A transcriber that failed, and why. */
export interface ProviderFailure {
  provider: string;
  /** Name of the error, such as `SpeechModelError`. */
  error?: string;
  reason: string;
}

/** The result of {@link transcribe}. */
export interface TranscriptionResult {
  transcription: Transcription | null;
  /** Name of the transcriber that gave the words; null if none did. */
  provider: string | null;
  failures: ProviderFailure[];
}

/** Maximum words per second. People say two to six. Short sources get some extra words. */
const maxWordsPerSecond = 10;
const extraWords = 500;

/**
 * A killed program only affects one transcriber. A full disk affects all of them, and the clips.
 */
function isForAll(error: unknown): boolean {
  const code = findMachineFault(error)?.code;
  return code !== undefined && code !== 'program-killed';
}

/**
 * Asks the transcribers in order until one returns words. A transcriber that returns impossibly
 * many words has failed.
 * @throws the signal's reason, or an error of the machine that affects all transcribers (a full
 * disk, a missing program)
 */
export async function transcribe(
  transcribers: readonly Transcriber[],
  job: SpeechJob,
): Promise<TranscriptionResult> {
  const failures: ProviderFailure[] = [];
  for (const { name, transcribe: ask } of transcribers) {
    try {
      const transcription = await ask(job);
      if (!transcription || transcription.cues.length === 0) continue;
      const words = transcription.cues.reduce((sum, cue) => sum + cue.words.length, 0);
      if (words <= maxWordsPerSecond * job.duration + extraWords)
        return { transcription, provider: name, failures };
      const seconds = Math.round(job.duration);
      const reason = `${words} words in ${seconds} seconds are more than anyone can say, so they are not used.`;
      failures.push({ provider: name, reason });
    } catch (error) {
      job.signal.throwIfAborted();
      if (isForAll(error)) throw error;
      failures.push({
        provider: name,
        ...(error instanceof Error && { error: error.name }),
        reason: formatError(error),
      });
    }
  }
  return { transcription: null, provider: null, failures };
}

/** Reads the words from subtitles beside the source or inside it. Throws if a file has none. */
export const subtitleFile: Transcriber = {
  name: 'subtitles',
  async transcribe({ subtitles, language, signal }) {
    if (subtitles === null) return null;
    const read = await readSubtitles(subtitles, { language, signal });
    if (read.cues.length === 0) {
      throw new Error(
        'The file has no words with times that can be read. Use an SRT, WebVTT, ASS, SBV or TTML file.',
      );
    }
    return read;
  },
};
