import type { Word } from '../facts.ts';

/** Scripts that do not put spaces between words. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Splits text without spaces. Opening marks stay with the word after them, other punctuation with
 * the word before.
 */
function splitSpaceless(token: string): string[] {
  const words: string[] = [];
  let opening = '';
  for (const { segment, isWordLike } of segmenter.segment(token)) {
    if (isWordLike) {
      words.push(opening + segment);
      opening = '';
    } else if (words.length === 0 || /^[\p{Ps}\p{Pi}]$/u.test(segment)) opening += segment;
    else words[words.length - 1] += opening + segment;
  }
  if (opening) words.push((words.pop() ?? '') + opening);
  return words;
}

/** Longer words are cut off, because no caption line could show them. */
const maxWordCharacters = 200;

const cutOff = (word: string): string =>
  word.length <= maxWordCharacters
    ? word
    : [...word.slice(0, 2 * maxWordCharacters)].slice(0, maxWordCharacters).join('');

/** The words of a text, with their punctuation, at most 200 characters each. */
export const splitWords = (text: string): string[] =>
  text
    .split(/\s+/u)
    .filter((token) => /[\p{L}\p{N}]/u.test(token))
    .flatMap((token) => (spaceless.test(token) ? splitSpaceless(token) : [token]))
    .map(cutOff);

/**
 * The parts of a text between which a line may break. Unlike `splitWords`, it keeps marks without a
 * word.
 */
export const breakable = (text: string): string[] =>
  text
    .split(/\s+/u)
    .filter(Boolean)
    .flatMap((token) => (spaceless.test(token) ? splitSpaceless(token) : [token]));

/** The first letter of those scripts, in the order of Unicode. */
const firstSpaceless = '\u0e01';

const isSpaceless = (letter: string): boolean => letter >= firstSpaceless && spaceless.test(letter);

/** The separator between two words: a space, or nothing if the script has none. */
export const glue = (left: string, right: string): string =>
  isSpaceless(left.slice(-1)) || isSpaceless(right[0] ?? '') ? '' : ' ';

/** Joins words, with spaces if their script has them. */
export const joinWords = (words: readonly string[]): string =>
  words.map((word, index) => (index > 0 ? glue(words[index - 1] ?? '', word) : '') + word).join('');

/** Letters that are about as wide as high. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;

/**
 * Width of a text, in letters of usual width. Combining marks have no width, East Asian letters are
 * wide.
 */
export function textWidth(text: string): number {
  // Nearly all that is measured, and a change of an edit measures all its words.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const letter of text) {
    if (!/\p{M}|\p{Cf}/u.test(letter)) width += wide.test(letter) ? 1.8 : 1;
  }
  return width;
}

/** Divides a time range among words by their length. */
export function spreadWords(texts: string[], start: number, end: number): Word[] {
  // A short word takes more time than its letters suggest, so each word gets a constant on top.
  const weights = texts.map((text) => text.length + 1.5);
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let passed = 0;
  return texts.map((text, index) => {
    const from = start + ((end - start) * passed) / whole;
    passed += weights[index] ?? 0;
    return { text, start: from, end: start + ((end - start) * passed) / whole };
  });
}
