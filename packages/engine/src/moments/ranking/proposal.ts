/**
 * What a language model may write for viewers. It has read the talk, which may tell it what to
 * write.
 */
import { maxTitleWidth } from '../title.ts';
import { splitWords, textWidth } from '../../words/word-text.ts';

function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

const key = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * A proposed title, if it is made of the clip's words only, in any order, and fits.
 * @returns null if it is not
 */
export function checkedTitle(proposed: string | undefined, clipText: string): string | null {
  const title = plainLine(proposed ?? '').replace(/[.,;:]+$/u, '');
  const said = new Set(splitWords(clipText).map(key));
  const words = splitWords(title);
  const fits = words.length >= 2 && textWidth(title) <= maxTitleWidth;
  return fits && words.every((word) => said.has(key(word))) ? title : null;
}

const maxExplanationCharacters = 240;

/**
 * A proposed explanation, if it is one short line of prose: no address, no markup.
 * @returns null if it is not
 */
export function checkedExplanation(proposed: string | undefined): string | null {
  const text = plainLine(proposed ?? '');
  if (splitWords(text).length < 4 || text.length > maxExplanationCharacters) return null;
  return /[<>{}[\]@#\\`|]|:\/\/|www\.|\p{L}\.\p{L}{2}/u.test(text) ? null : text;
}
