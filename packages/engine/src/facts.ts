/** Something that a person should know of the result. `message` is for that person. */
export interface Note {
  code: string;
  message: string;
}

/** A time range in seconds; `start` is less than `end`. */
export interface Span {
  start: number;
  end: number;
}

export interface Word extends Span {
  text: string;
  /**
   * True if another person begins to speak with this word, as the subtitles or the voices say.
   * @default false
   */
  opensTurn?: boolean;
  /** The number of its speaker, from 1. Omitted where the voices do not say who it is. */
  speaker?: number;
}

/** The words from index `firstWord` to `lastWord`, both included. */
export interface Sentence extends Span {
  text: string;
  firstWord: number;
  lastWord: number;
  /**
   * The probability that the sentence ends there, 0 to 1. Less than 1 only if the text has no
   * stops: `text` then has a capital letter and a stop that its words do not have.
   * @default 1
   */
  likelihood?: number;
}

export interface Transcript {
  /** BCP 47 code; null if it is not known. */
  language: string | null;
  words: Word[];
  sentences: Sentence[];
  /** Times of laughter and applause that the subtitles mark, in source seconds. */
  reactions?: number[];
  /**
   * True if the times of some words are estimated: they share the time of a longer cue.
   * @default false
   */
  estimated?: boolean;
  /**
   * True if voices say where turns begin. Otherwise the subtitles do, if they mark any.
   * @default false
   */
  turnsHeard?: boolean;
}

export type ColourMatrix = 'bt601' | 'bt709' | 'bt2020';

/** A part of a picture, in shares (0 to 1) of its width and height, from its top left corner. */
export interface PicturePart {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Facts for reading the pictures of a video track. */
export interface PictureFacts {
  /**
   * Index of the video track in the file.
   * @default the first one
   */
  videoStream?: number;
  /** The transfer function of high dynamic range. Omitted for standard dynamic range. */
  transfer?: 'pq' | 'hlg';
  /** The field of an interlaced picture that comes first. Omitted if pictures are progressive. */
  firstField?: 'top' | 'bottom';
  /** The part of the stored picture without black bars. Omitted if it has none. */
  content?: PicturePart;
  /**
   * The picture of a source of sound alone: its cover, or a wave of its sound. Omitted if it has a
   * video.
   */
  soundAlone?: 'cover' | 'wave';
}

/** Which sound of a file is heard. */
export interface SoundFacts {
  hasAudio: boolean;
  /**
   * Index of the sound track in the file.
   * @default the first one
   */
  audioStream?: number;
  /** Indices of the sound tracks that are mixed with it, because other people speak there. */
  mixedAudioStreams?: number[];
}

/**
 * The contents of a video file. Durations are in seconds; sizes are in pixels, after rotation and
 * without black bars, as far as they are known.
 */
export interface MediaInfo extends PictureFacts, SoundFacts {
  duration: number;
  /**
   * True if the end of the file is missing.
   * @default false
   */
  endsEarly?: boolean;
  width: number;
  height: number;
  /** Frames per second; of a variable rate, the most common one. */
  frameRate: number;
  /**
   * The start of the first track by the clock of the file, in seconds.
   * @default 0
   */
  startTime?: number;
  /**
   * The time code of the first picture, such as `01:00:00:00`, and the rate in which it counts. A
   * semicolon before the frames says that it drops numbers. Omitted if the file has none.
   */
  timecode?: { start: string; frameRate: number };
  /** Codec name as ffmpeg writes it, such as `h264`. */
  videoCodec: string;
  audioCodec: string | null;
  /**
   * The coding of the colours. Guessed from the size if the file does not say.
   * @default 'bt709'
   */
  colourMatrix?: ColourMatrix;
}

/** A video file that was checked and that the engine can read. */
export interface SourceFile {
  path: string;
  /** Path of a subtitle file found beside the source or inside it, or null. */
  transcriptPath: string | null;
  media: MediaInfo;
}

/** A source that was downloaded. */
export interface IngestedSource extends SourceFile {
  /** SHA-256 of the file's bytes, in hexadecimal. */
  sha256: string;
  bytes: number;
}

/**
 * Loudness over time: `values[i]` is the RMS level in dBFS from `i * step` seconds on, -70 or more.
 */
export interface Loudness {
  step: number;
  values: number[];
}

/**
 * The point of a keyframe that draws the eye. `x` and `y` are shares (0 to 1) of width and height.
 */
export interface Focus {
  time: number;
  x: number;
  y: number;
}

/** The results of a scan of a source. Plain JSON; times are in seconds. */
export interface Analysis {
  duration: number;
  media: MediaInfo;
  silences: Span[];
  /** Times at which a new scene begins. */
  cuts: number[];
  loudness: Loudness;
  /** Where an audience laughs, claps or cheers. Omitted if it was not listened for. */
  reactions?: Span[];
  focus: Focus[];
  transcript: Transcript | null;
  /** True if the transcript is a translation of the speech. */
  translated?: boolean;
  /** The words as they are spoken, if the transcript is a translation. */
  spoken?: Word[];
  /** The part of the source that was scanned; nothing is known of the rest. Omitted for all. */
  scanned?: Span;
}
