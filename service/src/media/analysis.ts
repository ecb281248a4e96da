import type { IngestedSource, MediaInfo } from './ingest.ts';

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

export function analyse(_source: IngestedSource, _options: AnalyseOptions): Promise<Analysis> {
  throw new Error('being built');
}
