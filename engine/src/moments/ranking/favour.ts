import type { Span } from '../../facts.ts';

/** A stretch that the model chose, and how much it favours it, above 0 to 1. */
export interface Favoured extends Span {
  favour: number;
}

/** What a place in a list of picks is worth: 1 for the first, towards 0.5 for the last. */
export const favourOfPlace = (place: number, count: number): number =>
  1 - (0.5 * place) / Math.max(1, count);

/** How much a clip is favoured, 0 to 1: the share that it has in common with the chosen stretch that it is most like. */
export function favourOf(chosen: readonly Favoured[], span: Span): number {
  let most = 0;
  for (const { start, end, favour } of chosen) {
    const common = Math.min(end, span.end) - Math.max(start, span.start);
    if (common <= 0) continue;
    const together = Math.max(end, span.end) - Math.min(start, span.start);
    most = Math.max(most, (favour * common) / together);
  }
  return most;
}

/** How far the model's favour can lift a score towards 1. */
const weight = 0.6;

/** The engine's own score with the model's favour added: rises with both, and is the own score where there is no favour. */
export const withFavour = (own: number, favour: number): number =>
  own + (1 - own) * weight * Math.min(1, Math.max(0, favour));
