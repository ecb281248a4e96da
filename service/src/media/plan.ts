import type { Dimensions, EditingOptions } from 'clip-kit/contract';
import type { Analysis, Span, Word } from './analysis.ts';
import type { Candidate } from './candidates.ts';

/** Words shown together, in output time. */
export interface CaptionLine extends Span {
  words: Word[];
}

/** An emoji beside the captions, in output time. */
export interface EmojiCue extends Span {
  emoji: string;
}

/** How the source's picture meets the output's: cut to fill it, or shown whole on a blurred ground. */
export type Framing =
  { mode: 'crop'; x: number; y: number; width: number; height: number } | { mode: 'fit' };

/** The edit, and the only truth of it: preview and export are renders of it. Plain JSON. */
export interface Plan {
  version: 1;
  source: { width: number; height: number; frameRate: number; hasAudio: boolean };
  /** Kept stretches in source time, in order. */
  ranges: Span[];
  /** Output seconds, a whole number of output frames. */
  duration: number;
  /** Output frames a second. */
  frameRate: number;
  dimensions: Dimensions;
  framing: Framing;
  /** Output time; empty where there are none. */
  captions: CaptionLine[];
  emojis: EmojiCue[];
  /** The hook title, shown from 0 to `end`; null where there is none. */
  title: { text: string; end: number } | null;
}

export function planShort(
  _analysis: Analysis,
  _candidate: Candidate,
  _wanted: { editing: EditingOptions; dimensions: Dimensions },
): Plan {
  throw new Error('being built');
}

/** The plan of a whole video (video-to-video). */
export function planWhole(
  _analysis: Analysis,
  _wanted: { editing: EditingOptions; dimensions: Dimensions; title: string },
): Plan {
  throw new Error('being built');
}
