import type { Span } from '../../facts.ts';

/** A part that the model chose (source seconds), and how much it favours it: above 0, up to 1. */
export interface Favoured extends Span {
  favour: number;
}

/** The favour of a place in the model's list: 1 for the first, towards 0.5 for the last. */
export const favourOfPlace = (place: number, count: number): number =>
  1 - (0.5 * place) / Math.max(1, count);

/**
 * How much the model favours a clip, 0 to 1. It depends on how much the clip overlaps a chosen
 * part.
 */
export function favourOf(chosen: readonly Favoured[], span: Span): number {
  let highest = 0;
  for (const { start, end, favour } of chosen) {
    const common = Math.min(end, span.end) - Math.max(start, span.start);
    if (common <= 0) continue;
    const together = Math.max(end, span.end) - Math.min(start, span.start);
    highest = Math.max(highest, (favour * common) / together);
  }
  return highest;
}

/** How much of the gap to 1 the model's favour can close. */
const favourWeight = 0.6;

/**
 * Adds the model's favour to the engine's own score. It rises with both; without favour it is the
 * own score.
 */
export const withFavour = (own: number, favour: number): number =>
  own + (1 - own) * favourWeight * Math.min(1, Math.max(0, favour));
