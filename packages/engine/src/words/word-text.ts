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

/** Whether a mark is a bullet, a rule or similar, which is not read. */
const isIdle = (mark: string): boolean =>
  /^[*_#~|•·^\\<>=-]*[*_#~|•·^\\<>]$|^[-–—]{3,}$/u.test(mark);
const isMoney = (mark: string): boolean => /^[$€£¥]$/u.test(mark);

/**
 * The words of a text, with their punctuation, at most 200 characters each. Marks that stand alone
 * belong to a word and keep their space: “tu pars ?”, “20 %”, “Johnson & Johnson”.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  /** The marks before the next word. */
  let opening = '';
  /** Whether a quotation mark that is the same at both ends is open. */
  let isQuoted = false;
  for (const { 0: token, index } of text.matchAll(/\S+/gu)) {
    const space = text[index - 1] ?? '';
    const gap = space && (/[\u00a0\u202f]/u.test(space) ? space : ' ');
    const last = words.at(-1);
    if (/[\p{L}\p{N}]/u.test(token)) {
      const whole = opening && opening + gap + token;
      const parts = spaceless.test(token) ? splitSpaceless(whole || token) : [whole || token];
      for (const part of parts) words.push(cutOff(part));
      opening = '';
      if (token.includes('"') && token.split('"').length % 2 === 0) isQuoted = !isQuoted;
    } else if (token === '"' ? !isQuoted : isOpening(token) || (isMoney(token) && !last)) {
      opening = opening ? cutOff(opening + gap + token) : token;
      if (token === '"') isQuoted = true;
    } else {
      if (token === '"') isQuoted = false;
      if (last && !isIdle(token)) words[words.length - 1] = cutOff(last + gap + token);
    }
  }
  return words;
}

const isOpening = (mark: string): boolean => /^[\p{Ps}\p{Pi}¿¡„‚]+$/u.test(mark);

/**
 * The parts of a text between which a line may break. Unlike `splitWords`, it keeps marks without a
 * word; those that close stay with the word before them.
 */
export function splitBreakable(text: string): string[] {
  const starts: number[] = [];
  let isOpen = false;
  for (const { 0: token, index } of text.matchAll(/\S+/gu)) {
    const isBound = isOpen || /^[?!:;»›%€…]+$/u.test(token);
    if (!isBound || starts.length === 0) starts.push(index);
    isOpen = '«‹„¿¡'.includes(token.at(-1)!);
  }
  return starts.flatMap((start, at) => {
    const part = text.slice(start, starts[at + 1]).trimEnd();
    return spaceless.test(part) ? splitSpaceless(part) : [part];
  });
}

/** The first letter of those scripts, in the order of Unicode. */
const firstSpaceless = '\u0e01';

const isSpaceless = (letter: string): boolean => letter >= firstSpaceless && spaceless.test(letter);

/** The separator between two words: a space, or nothing if the script has none. */
export const getSeparator = (left: string, right: string): string =>
  isSpaceless(left.slice(-1)) || isSpaceless(right[0] ?? '') ? '' : ' ';

/** Joins words, with spaces if their script has them. */
export const joinWords = (words: readonly string[]): string =>
  words
    .map((word, index) => (index > 0 ? getSeparator(words[index - 1] ?? '', word) : '') + word)
    .join('');

/** Letters that are about as wide as high. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;

/**
 * Width of a text, in letters of usual width. Combining marks have no width, East Asian letters are
 * wide.
 */
export function measureTextWidth(text: string): number {
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
