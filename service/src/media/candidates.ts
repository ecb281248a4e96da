import type { Analysis } from './analysis.ts';

/** A stretch of the source that would make a short. */
export interface Candidate {
  start: number;
  end: number;
  title: string;
  /** 0 to 1. */
  score: number;
  /** Sentences that say which features made the score. */
  explanation: string;
  /** Each feature's value, 0 to 1. */
  features: Record<string, number>;
}

/** How many candidates, and how long, in seconds. */
export interface Wanted {
  count: number;
  min: number;
  max: number;
  target: number;
}

/** Best first, no overlaps. */
export function pickCandidates(_analysis: Analysis, _wanted: Wanted): Candidate[] {
  throw new Error('being built');
}
