import type { Shape } from '../sample/drawing.ts';

interface Line {
  text: string;
  /** The text for the voice if it cannot read the original. */
  said?: string;
  voice: 'slt' | 'rms' | 'kal' | 'awb';
  /** Seconds that an audience claps, instead of the voice. */
  applause?: number;
  /** Seconds of silence after it. */
  pause: number;
}

/** A line with its times, in seconds from the start of the video. */
export interface Heard extends Line {
  start: number;
  end: number;
}

/** The state of the video at one time. */
export interface Instant {
  time: number;
  /** Seconds since the cut. */
  inShot: number;
  /** Volume of the voice, 0 to 1. */
  loudness: number;
  /** The current line; in a pause, the last one. */
  line: number;
  duration: number;
}

export interface Shot {
  /** Seconds from the start of the video; the first one is at 0. */
  from: number;
  colours: readonly [string, string];
  still: readonly Shape[];
  moving: (now: Instant) => readonly Shape[];
  /** Texts that are shown in the shot, over everything. */
  texts?: readonly {
    text: string;
    x: number;
    y: number;
    size: number;
    colour: string;
    /** Whether `x` is the middle of the line, not its beginning. */
    centred?: boolean;
  }[];
}

/** A short video of the gallery with speech and drawings, made by `make-video.ts`. */
export interface Video {
  lines: readonly Line[];
  /** How the pictures are stored, if not as usual. */
  encoding?: 'high-dynamic-range' | 'interlaced' | 'sparse' | 'ten-bits';
  shots: (heard: readonly Heard[]) => readonly Shot[];
}
