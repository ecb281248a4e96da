import type { Shape } from '../sample/drawing.ts';

export interface Line {
  text: string;
  /** What the voice is given where it cannot read the text. */
  said?: string;
  voice: 'slt' | 'rms' | 'kal' | 'awb';
  /** Seconds of quiet after it. */
  pause: number;
}

/** A line with its times, in seconds from the start of the film. */
export interface Heard extends Line {
  start: number;
  end: number;
}

/** What is to be known at one instant. */
export interface Instant {
  time: number;
  /** Seconds since the cut. */
  inShot: number;
  /** How loud the voice is, 0 to 1. */
  loudness: number;
  /** The line that is being said; the last one in a pause. */
  line: number;
  duration: number;
}

export interface Shot {
  /** Seconds from the start of the film; the first one is at 0. */
  from: number;
  colours: readonly [string, string];
  still: readonly Shape[];
  moving: (now: Instant) => readonly Shape[];
  /** Texts that stand in the shot. */
  texts?: readonly { text: string; x: number; y: number; size: number; colour: string }[];
}

/** A short film of the gallery, spoken and drawn; made by `make-film.ts`. */
export interface Film {
  lines: readonly Line[];
  shots: (heard: readonly Heard[]) => readonly Shot[];
}
