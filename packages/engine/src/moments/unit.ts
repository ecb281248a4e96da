import type { Span } from '../facts.ts';

/** A part of the source between two places where a clip may begin or end. */
export interface Unit extends Span {
  /** Its words as text; empty if they are not known. */
  text: string;
  /** Number of its words. */
  words: number;
  /**
   * True if another person begins to speak with it.
   * @default false
   */
  opensTurn?: boolean;
  /**
   * How likely a sentence ends with it, 0 to 1, if the text has no stops.
   * @default 1
   */
  endLikelihood?: number;
}
