import type { Span } from '../facts.ts';
import { joinWords, splitWords, measureTextWidth } from '../words/word-text.ts';
import { maxTitleWidth } from './title.ts';

/** A part that the model chose, in source seconds. */
export interface Favoured extends Span {
  /** The model's favour: above 0, up to 1. */
  favour: number;
  /** The texts that the model proposes, unchanged; the best title first. */
  titles?: string[];
  explanation?: string;
  tags?: string[];
  /** The sentences that describe it, as the model says. */
  describedBy?: Span[];
  /** The topic of the request that the model found it to be about. */
  topic?: string;
}

/** The favour of a place in the model's list: 1 for the first, towards 0.5 for the last. */
export const rateRank = (place: number, count: number): number =>
  1 - (0.5 * place) / Math.max(1, count);

/**
 * Returns the model's favour for a clip, 0 to 1. It depends on how much the clip overlaps a chosen
 * part.
 */
export function rateFavour(chosen: readonly Favoured[], span: Span): number {
  let highest = 0;
  for (const { start, end, favour } of chosen) {
    const common = Math.min(end, span.end) - Math.max(start, span.start);
    if (common <= 0) continue;
    const together = Math.max(end, span.end) - Math.min(start, span.start);
    highest = Math.max(highest, (favour * common) / together);
  }
  return highest;
}

/** The chosen part that shares at least half of its time with a clip, and half of the clip's. */
export const findChosen = (chosen: readonly Favoured[], span: Span): Favoured | undefined =>
  chosen.find(({ start, end }) => {
    const common = Math.min(end, span.end) - Math.max(start, span.start);
    return common >= 0.5 * Math.max(end - start, span.end - span.start);
  });

/** The share of the gap to 1 that the model's favour can close. */
const favourWeight = 0.6;

/**
 * Adds the model's favour to the engine's own score. It rises with both; without favour it is the
 * own score.
 */
export const withFavour = (own: number, favour: number): number =>
  own + (1 - own) * favourWeight * Math.min(1, Math.max(0, favour));

function cleanLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

const makeWordKey = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * A proposed title, if it is made of the clip's words only, in any order, and fits.
 * @returns null if it is not
 */
export function checkTitle(proposed: string | undefined, clipText: string): string | null {
  const title = cleanLine(proposed ?? '').replace(/(?<![.,;:])[.,;:]+$/u, '');
  const said = new Set(splitWords(clipText).map(makeWordKey));
  const words = splitWords(title);
  const fits = words.length >= 2 && measureTextWidth(title) <= maxTitleWidth;
  return fits && words.every((word) => said.has(makeWordKey(word))) ? title : null;
}

/** A tag is a word or a short phrase. */
const maxTagWords = 3;

/**
 * The proposed tags that are made of the clip's words only: at most `count`, in small letters, each
 * one once.
 */
export function checkTags(proposed: readonly string[], clipText: string, count: number): string[] {
  const said = new Set(splitWords(clipText).map(makeWordKey));
  const tags = proposed.flatMap((one) => {
    const words = splitWords(
      cleanLine(one)
        .toLowerCase()
        .replace(/[#,;:.!?]+/gu, ' '),
    );
    const fits = /\p{L}/u.test(one) && words.length <= maxTagWords;
    return fits && words.every((word) => said.has(makeWordKey(word))) ? [joinWords(words)] : [];
  });
  return [...new Set(tags)].slice(0, count);
}

const maxExplanationCharacters = 240;

/**
 * A proposed explanation, if it is one short line of prose: no address, no markup.
 * @returns null if it is not
 */
export function checkExplanation(proposed: string | undefined): string | null {
  const text = cleanLine(proposed ?? '');
  if (splitWords(text).length < 4 || text.length > maxExplanationCharacters) return null;
  return /[<>{}[\]@#\\`|]|:\/\/|www\.|\p{L}\.\p{L}{2}/u.test(text) ? null : text;
}
