import { machineFault } from '../../program/machine-fault.ts';
import type { Span } from '../../facts.ts';
import { errorText } from '../../program/error-text.ts';
import type { Cue } from '../subtitles.ts';

/** What is to be put into words. Times in seconds. */
export interface SpeechJob {
  /** The source's file. */
  path: string;
  /** Directory for pieces of sound; the system's own for such files where left out. */
  workDirectory?: string;
  /** A subtitle file that came with it; null where there is none. */
  subtitles: string | null;
  hasAudio: boolean;
  duration: number;
  /** In order. */
  silences: readonly Span[];
  /** What the request says the language is, as a BCP 47 code. */
  language: string | null;
  /** Names and words that are likely to be said; empty where none were given. */
  context: string;
  signal: AbortSignal;
  /** What waits for another machine goes through here: it keeps no processor of this one busy. */
  elsewhere?: <T>(wait: () => Promise<T>) => Promise<T>;
  /** Called with the share done, 0 to 1. */
  onProgress: (share: number) => void;
}

/** What was heard. Cues that are not `timed` have words whose times are estimated. */
export interface Heard {
  /** BCP 47 code; null where it is not known. */
  language: string | null;
  cues: Cue[];
}

/** One way to the words of a source. */
export interface Transcriber {
  /** Short and the same for ever: it goes into the log. */
  name: string;
  /**
   * Null where this way does not lead to words for this source, which is no failure.
   * Throws where it should have and did not; the message is a sentence for the operator, without secrets.
   */
  transcribe(job: SpeechJob): Promise<Heard | null>;
}

/** A way that failed, and why. */
interface Setback {
  provider: string;
  reason: string;
}

export interface Transcribed {
  heard: Heard | null;
  /** Name of the one that gave the words; null where none did. */
  provider: string | null;
  setbacks: Setback[];
}

/** Most words a second of a source, and how many more a short one may have. People say two to six. */
const mostPace = 20;
const spare = 500;

/** A program that was killed is a setback; a full disk is one for every provider, and for the clips as well. */
const stays = (error: unknown): boolean => {
  const code = machineFault(error)?.code;
  return code !== undefined && code !== 'program-killed';
};

/**
 * Asks one after another until there are words. One that gives more words than anybody can say has failed.
 * Throws the signal's reason, and what the machine lacks for all of them (a full disk, a missing program).
 */
export async function transcribe(
  transcribers: readonly Transcriber[],
  job: SpeechJob,
): Promise<Transcribed> {
  const setbacks: Setback[] = [];
  for (const { name, transcribe: ask } of transcribers) {
    try {
      const heard = await ask(job);
      if (!heard || heard.cues.length === 0) continue;
      const words = heard.cues.reduce((sum, cue) => sum + cue.words.length, 0);
      if (words <= mostPace * job.duration + spare) return { heard, provider: name, setbacks };
      const seconds = Math.round(job.duration);
      const reason = `${words} words in ${seconds} seconds are more than anybody says, so they are not used.`;
      setbacks.push({ provider: name, reason });
    } catch (error) {
      job.signal.throwIfAborted();
      if (stays(error)) throw error;
      setbacks.push({
        provider: name,
        reason: errorText(error),
      });
    }
  }
  return { heard: null, provider: null, setbacks };
}
