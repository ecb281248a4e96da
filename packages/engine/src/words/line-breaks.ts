import { getParser } from '#phrase-parsers';
import type { PhraseModel } from './phrase-parsers.browser.ts';
import { getSeparator, joinWords, measureTextWidth } from './word-text.ts';

/** Ends a part of a word that continues on the next line. It is drawn as a hyphen. */
export const softHyphen = '\u00ad';

/** Scripts that are hyphenated. In others a long word is made smaller. */
const hyphenated =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{M}\p{N}\p{P}]+$/u;
const vowels = 'aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿаеёиоуыэюяіїєαεηιουωάέήίόύώ';
/** A syllable mostly begins with one consonant, or letters that are spoken as one. */
const onset = new RegExp(`^(?:sch|[cgkprstw]h|qu|[^${vowels}])[${vowels}]`, 'iu');
const inside = /^(?:sch|[cgkprstw]h|qu|ck)/i;

/** A part of a word has at least this many letters. */
const minPartLetters = 3;

/** Rates a break before a letter, in letters of distance from the best place. */
function rateBreak(letters: readonly string[], at: number): number {
  if (letters[at - 1] === '-') return -4;
  if (/\p{M}/u.test(letters[at] ?? '')) return Infinity;
  const from = (index: number) => letters.slice(Math.max(0, index), index + 4).join('');
  if (inside.test(from(at - 1)) || /^sch/i.test(from(at - 2))) return 6;
  return onset.test(from(at)) ? 0 : 3;
}

/**
 * A word that is wider than `maxWidth` letters, in parts that fit. They break between syllables, as
 * far as letters show them.
 * @param maxWidth width of a line, in letters of usual width
 */
export function splitWord(text: string, maxWidth: number): string[] {
  const width = measureTextWidth(text);
  if (width <= maxWidth || !hyphenated.test(text)) return [text];
  const letters = [...text];
  const fits = Math.max(minPartLetters, Math.floor(maxWidth) - 1);
  const count = Math.ceil(letters.length / fits);
  const parts: string[] = [];
  let from = 0;
  for (let part = 1; part < count; part++) {
    const ideal = from + (letters.length - from) / (count - part + 1);
    let best = { at: Math.round(ideal), cost: Infinity };
    const last = Math.min(from + fits, letters.length - minPartLetters);
    for (let at = from + minPartLetters; at <= last; at++) {
      const rest = Math.ceil((letters.length - at) / fits);
      if (rest > count - part) continue;
      const cost = Math.abs(at - ideal) + rateBreak(letters, at);
      if (cost < best.cost) best = { at, cost };
    }
    const piece = letters.slice(from, best.at).join('');
    parts.push(piece.endsWith('-') ? piece : piece + softHyphen);
    from = best.at;
  }
  return [...parts, letters.slice(from).join('')];
}

/** Whether a word continues on the next line. */
export const isContinued = (text: string): boolean => text.endsWith(softHyphen);

/** The model for a text's script; null if its words are phrases. */
function chooseModel(text: string, language: string | null): PhraseModel | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Thai}/u.test(text)) return 'th';
  if (!/\p{Script=Han}/u.test(text)) return null;
  if (/^ja\b/i.test(language ?? '')) return 'ja';
  return /hant|tw|hk|mo\b|^yue/i.test(language ?? '') ? 'zh-hant' : 'zh-hans';
}

/** Letters and marks that may not begin a line in East Asian texts. */
const cannotBegin =
  /^[ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶーゝゞヽヾ々〻、。，．・：；？！‐〜～\p{Pe}\p{Pf}]/u;

/** A Japanese particle or ending of one letter: it belongs to the word before. */
const particle = /^\p{Script=Hiragana}\P{L}*$/u;

/** Rates a word inside a phrase as the beginning of a line: 0 is no worse than with any other. */
export function rateBadStart(word: string): number {
  if (cannotBegin.test(word)) return 4;
  return particle.test(word) ? 1.5 : 0;
}

/**
 * For each word, whether a line may begin with it: at the phrases of Japanese, Chinese and Thai,
 * which are longer than their words, and everywhere in other languages.
 */
export function findPhraseStarts(
  words: readonly string[],
  language: string | null = null,
): boolean[] {
  const text = joinWords(words);
  const model = chooseModel(text, language);
  if (!model) return words.map(() => true);
  const boundaries = new Set(getParser(model).parseBoundaries(text));
  let at = 0;
  return words.map((word, index) => {
    const space = index > 0 ? getSeparator(words[index - 1]!, word) : '';
    const start = at + space.length;
    at = start + word.length;
    if (index === 0 || space) return true;
    return boundaries.has(start) && rateBadStart(word) === 0;
  });
}
