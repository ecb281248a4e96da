import { parserOf } from '#phrase-parsers';
import type { PhraseModel } from './phrase-parser.ts';
import { joinWords, glue } from './word-text.ts';

/** The model for a text's script; null if its words are phrases. */
function modelFor(text: string, language: string | null): PhraseModel | null {
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

/** How bad it is to begin a line with a word inside a phrase: 0 is no worse than with any other. */
export function beginsBadly(word: string): number {
  if (cannotBegin.test(word)) return 4;
  return particle.test(word) ? 1.5 : 0;
}

/**
 * For each word, whether a line may begin with it: at the phrases of Japanese, Chinese and Thai,
 * which are longer than their words, and everywhere in other languages.
 */
export function phraseStarts(words: readonly string[], language: string | null = null): boolean[] {
  const text = joinWords(words);
  const model = modelFor(text, language);
  if (!model) return words.map(() => true);
  const boundaries = new Set(parserOf(model).parseBoundaries(text));
  let at = 0;
  return words.map((word, index) => {
    const space = index > 0 ? glue(words[index - 1]!, word) : '';
    const start = at + space.length;
    at = start + word.length;
    if (index === 0 || space) return true;
    return boundaries.has(start) && beginsBadly(word) === 0;
  });
}
