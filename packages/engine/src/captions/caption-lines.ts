import type { CaptionLine, Dimensions, Edit } from '../edit.ts';
import type { Word } from '../facts.ts';
import { defaultStyle, type Style } from '../style/style.ts';
import {
  rateBadStart,
  splitWord,
  isContinued,
  findPhraseStarts,
  softHyphen,
} from '../words/line-breaks.ts';
import { getSeparator, joinWords, spreadWords, measureTextWidth } from '../words/word-text.ts';
import { countCharactersPerLine } from './caption-layout.ts';
import { placeText } from './caption-place.ts';

/** A new line begins after a pause of this length. */
const pauseSeconds = 0.6;
/** Maximum time that a line stays after its last word. */
const lingerSeconds = 0.5;

/**
 * The factor by which two words may be wider than a line, so that no word stands alone. Their
 * letters get smaller.
 */
export const maxSqueeze = 1.5;

/** A single word may be this much wider than a line. Longer ones are broken. */
const maxWordSqueeze = 1.2;

const isSentenceEnd = (text: string): boolean => /[.!?…。！？؟]["”’)]*$/u.test(text);
interface LineOptions {
  maxLength: number;
  maxWords: number;
  language: string | null;
}

const isClauseEnd = (text: string): boolean => /[,;:—、，]["”’)]*$/u.test(text);

/** Groups words without a pause or the end of a sentence between them. */
function splitAtPauses(words: readonly Word[]): Word[][] {
  const groups: Word[][] = [];
  words.forEach((word, index) => {
    const before = words[index - 1];
    const fresh = !before || word.start - before.end >= pauseSeconds || isSentenceEnd(before.text);
    if (fresh) groups.push([]);
    groups.at(-1)?.push(word);
  });
  return groups;
}

/** The words with those as one that were broken for another width. */
function joinBrokenWords(words: readonly Word[]): Word[] {
  const whole: Word[] = [];
  for (const word of words) {
    const last = whole.at(-1);
    if (last && isContinued(last.text)) {
      whole[whole.length - 1] = {
        text: last.text.slice(0, -softHyphen.length) + word.text,
        start: last.start,
        end: word.end,
      };
    } else whole.push(word);
  }
  return whole;
}

/** The words with those in parts that are longer than a line. Parts share the time by length. */
function splitLongWords(words: readonly Word[], maxLength: number): Word[] {
  return words.flatMap((word) => {
    if (measureTextWidth(word.text) <= maxLength * maxWordSqueeze) return [word];
    const parts = splitWord(word.text, maxLength);
    return spreadWords(parts, word.start, word.end);
  });
}

/**
 * Breaks a group into lines of one to `maxWords` words, at most `maxLength` wide (a longer word
 * gets its own line). Lines are as even as possible, break after commas if possible, and avoid
 * single words: two words may be wider by `maxSqueeze`. Phrases stay together if they fit, also if
 * they have more words.
 */
function splitEvenly(
  words: readonly Word[],
  { maxLength, maxWords, language }: LineOptions,
): Word[][] {
  const texts = words.map(({ text }) => text);
  const starts = findPhraseStarts(texts, language);
  /** Each with what separates it from the next one. */
  const spaced = texts.map((text, index) => text + getSeparator(text, texts[index + 1] ?? ''));
  const cost: number[] = [0];
  const from: number[] = [0];
  for (let end = 1; end <= words.length; end++) {
    cost[end] = Infinity;
    let line = '';
    for (let start = end - 1; start >= 0; start--) {
      const count = end - start;
      line = (count === 1 ? texts : spaced)[start]! + line;
      const length = measureTextWidth(line);
      if (length > maxLength * (count === 2 ? maxSqueeze : 1) && count > 1) break;
      // A part of a word ends its line.
      if (count > 1 && isContinued(words[start]!.text)) break;
      if (count > maxWords) {
        const phrase = !starts.slice(start + 1, end).includes(true);
        if (!phrase) break;
        if (!starts[start]) continue;
      }
      const ragged = (1 - length / maxLength) ** 2;
      const squeezed = count > 1 && length > maxLength ? 0.35 : 0;
      const alone = count === 1 && words.length > 1 ? 0.6 : 0;
      const clause = end < words.length && isClauseEnd(words[end - 1]!.text) ? -0.25 : 0;
      const next = end < words.length && !starts[end] ? words[end]!.text : null;
      const inPhrase = next === null ? 0 : 1.5 + rateBadStart(next);
      const sum = cost[start]! + ragged + squeezed + alone + clause + inPhrase + 0.15;
      if (sum < (cost[end] ?? Infinity)) {
        cost[end] = sum;
        from[end] = start;
      }
    }
  }
  const lines: Word[][] = [];
  for (let end = words.length; end > 0; end = from[end]!) {
    lines.push(words.slice(from[end], end));
  }
  return lines.reverse();
}

/**
 * Groups words of the output into short lines: up to `maxWords` words and `maxLength` letters of
 * usual width, never across a pause or the end of a sentence. Two words may be half as wide again
 * if one of them would be alone. A word that is longer than a line is hyphenated. Lines never
 * overlap.
 */
export function captionLines(
  words: readonly Word[],
  maxLength: number,
  maxWords = 5,
  language: string | null = null,
): CaptionLine[] {
  const options = { maxLength, maxWords, language };
  const groups = splitAtPauses(joinBrokenWords(words)).flatMap((breath) =>
    splitEvenly(splitLongWords(breath, maxLength), options),
  );
  return groups.map((held, index) => {
    const start = held[0]?.start ?? 0;
    const end = held.at(-1)?.end ?? start;
    const next = groups[index + 1]?.[0]?.start ?? Infinity;
    return { start, end: Math.min(end + lingerSeconds, next), words: held };
  });
}

/** Groups words into caption lines that fit the style's font size. */
export function groupLines(
  words: readonly Word[],
  {
    dimensions,
    duration,
    style = defaultStyle,
    language = null,
  }: {
    dimensions: Dimensions;
    duration: number;
    style?: Style | undefined;
    language?: string | null;
  },
): CaptionLine[] {
  const fits = countCharactersPerLine(dimensions, style);
  const lines = captionLines(words, fits, style.captions.words, language);
  return lines.map((line) => ({ ...line, end: Math.min(line.end, duration) }));
}

/** The same edit with other words as captions, in output time. */
export const replaceCaptionWords = (edit: Edit, words: readonly Word[]): Edit =>
  placeText({ ...edit, captions: groupLines(words, edit) });

/** The text of a line, without marks. */
export const captionText = ({ words }: CaptionLine): string =>
  joinWords(words.map(({ text }) => text));
