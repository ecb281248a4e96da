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
  /** True where words share the time of a longer stretch, as their own times are not known. Left out: false. */
  estimated?: boolean;
}

export type ColourMatrix = 'bt601' | 'bt709' | 'bt2020';

/** What a video file holds. Durations in seconds, sizes in pixels as shown (after rotation). */
export interface MediaInfo {
  duration: number;
  width: number;
  height: number;
  /** Average frames a second. */
  frameRate: number;
  hasAudio: boolean;
  /** Name of the codec as ffmpeg has it, such as `h264`. */
  videoCodec: string;
  audioCodec: string | null;
  /** How the picture's colours are coded; guessed by size where the file does not say. Left out: bt709. */
  colourMatrix?: ColourMatrix;
}

/** A video file that has been checked, and that the engine can read. */
export interface SourceFile {
  path: string;
  /** A WebVTT or SRT file found beside the source or inside it; null if there is none. */
  transcriptPath: string | null;
  media: MediaInfo;
}

/** A source that was downloaded. */
export interface IngestedSource extends SourceFile {
  /** Of the file's bytes, hexadecimal. */
  sha256: string;
  bytes: number;
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
