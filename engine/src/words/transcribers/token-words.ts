import type { Word } from '../../facts.ts';
import { glue, splitWords } from '../word-text.ts';

/** A word, or a part of one, as a server gives it. Times in seconds, null where they are missing. */
export interface Token {
  text: string;
  start: number | null;
  end: number | null;
}

const spoken = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Whether a token goes on with the word before it. In lists where some begin with a space, those without do. */
function continues(before: string, text: string, marked: boolean): boolean {
  if (!spoken(text)) return true;
  if (/^['’]\p{L}/u.test(text)) return true;
  return marked && !/^\s/.test(text) && glue(before, text) === ' ';
}

/** Gives tokens without times a place between their neighbours. */
function withTimes(tokens: readonly Token[], end: number): Word[] {
  const words: Word[] = [];
  /** The next token behind one that has a start; their number where none has. */
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

/** Letters of a word behind which no more parts are put to it. */
const longest = 1000;

/** Whole words of a list of words or tokens; `end` is where the list's stretch of time ends. */
export function wordsOfTokens(tokens: readonly Token[], end: number): Word[] {
  const marked = tokens.some(({ text }, index) => index > 0 && /^\s/.test(text));
  const words: Word[] = [];
  for (const token of withTimes(tokens, end)) {
    const last = words.at(-1);
    if (last && continues(last.text, token.text, marked)) {
      // Joined piece by piece it would be copied each time.
      if (last.text.length < longest) last.text += token.text.trim();
      if (spoken(token.text)) last.end = Math.max(last.end, token.end);
    } else if (spoken(token.text)) {
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

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** How far a word is looked for when text and words part ways. */
const lookAhead = 6;

/** Words spelt as in the text that they are of: servers leave the marks out of their words, and sentences need them. */
export function spelledAs(text: string, words: readonly Word[]): Word[] {
  const written = splitWords(text);
  const keys = written.map(bare);
  let at = 0;
  return words.map((word) => {
    const key = bare(word.text);
    const near = keys.slice(at, at + lookAhead + 1).indexOf(key);
    if (key === '' || near < 0) return { ...word };
    const found = at + near;
    at = found + 1;
    return { ...word, text: written[found] ?? word.text };
  });
}
