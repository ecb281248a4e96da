import type { Word } from '../facts.ts';
import { getSeparator, splitWords } from '../words/word-text.ts';

/** A word, or a part of a word, from a server. Times are in seconds, null if they are missing. */
export interface Token {
  text: string;
  start: number | null;
  end: number | null;
}

const isSpoken = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Marks that stand before a word: of an amount, a question, a quotation. */
const isOpening = (text: string): boolean => /^\s{1,4}[\p{Ps}\p{Pi}\p{Sc}"¿¡#]{1,4}$/u.test(text);

/**
 * Whether a token continues the word before it. In a list where some tokens begin with a space,
 * those without one do.
 */
function isContinuing(before: string, text: string, marked: boolean): boolean {
  if (!isSpoken(text)) return !marked || !isOpening(text);
  if (/^['’]\p{L}/u.test(text)) return true;
  return marked && !/^\s/.test(text) && getSeparator(before, text) === ' ';
}

/** Places tokens without times between their neighbours. */
function withTimes(tokens: readonly Token[], end: number): Word[] {
  const words: Word[] = [];
  // The index of the next token with a start; the number of tokens if no other has one.
  let later = 0;
  tokens.forEach((token, index) => {
    const before = words.at(-1)?.end ?? 0;
    const start = token.start ?? before;
    let stop = token.end;
    if (stop === null) {
      later = Math.max(later, index + 1);
      while (later < tokens.length && tokens[later]!.start === null) later += 1;
      const until = tokens[later]?.start ?? end;
      stop = start + Math.max(0, until - start) / (later - index);
    }
    words.push({ text: token.text, start, end: Math.max(start, stop) });
  });
  return words;
}

/** No more parts are added to a word of this length. */
const maxJoinedCharacters = 1000;

/**
 * Joins words or tokens to whole words.
 * @param end end of the list's time range, in seconds
 */
export function joinTokens(tokens: readonly Token[], end: number): Word[] {
  const marked = tokens.some(({ text }, index) => index > 0 && /^\s/.test(text));
  const words: Word[] = [];
  for (const token of withTimes(tokens, end)) {
    const last = words.at(-1);
    if (last && isContinuing(last.text, token.text, marked)) {
      // Each append copies the word, so very long words would take quadratic time.
      if (last.text.length < maxJoinedCharacters) last.text += token.text.trim();
      if (isSpoken(token.text)) last.end = Math.max(last.end, token.end);
    } else if (isSpoken(token.text) || isOpening(token.text)) {
      words.push({ ...token, text: token.text.trim() });
    }
  }
  return words.flatMap((word) => {
    const parts = splitWords(word.text);
    const each = (word.end - word.start) / Math.max(1, parts.length);
    return parts.map((text, index) => ({
      text,
      start: word.start + index * each,
      end: word.start + (index + 1) * each,
    }));
  });
}

/** Removes case and marks, to compare words. */
export const stripMarks = (text: string): string =>
  text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** The number of words ahead that are searched if text and words differ. */
const lookAheadWords = 6;

/**
 * Gives words the spelling of their text. Servers omit punctuation in words, but sentences need it.
 */
export function spellAs(text: string, words: readonly Word[]): Word[] {
  const written = splitWords(text);
  const keys = written.map(stripMarks);
  let at = 0;
  return words.map((word) => {
    const key = stripMarks(word.text);
    const near = keys.slice(at, at + lookAheadWords + 1).indexOf(key);
    if (key === '' || near < 0) return { ...word };
    const found = at + near;
    at = found + 1;
    return { ...word, text: written[found] ?? word.text };
  });
}
