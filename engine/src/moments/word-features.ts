/**
 * Features of a text. Punctuation, digits and length count in any language, words only in English.
 */
import {
  asksInEnglish,
  contrastsInEnglish,
  leansInEnglish,
  numbersInEnglish,
  tellingInEnglish,
} from '../words/english-words.ts';
import { splitWords } from '../words/word-text.ts';

const limit = (value: number): number => Math.min(1, Math.max(0, value));

/** Question marks of the Latin, Chinese, Arabic, Greek, Armenian and Ethiopic scripts. */
const questionMark = /[?？؟⁇⁈\u037e՞፧]/u;
const exclamation = /[!！‼⁉]/u;
const quotation = /[“„«「『"]/u;

export const asksQuestion = (text: string, english = true): boolean =>
  questionMark.test(text) || (english && asksInEnglish(text.trim()));

/** Counts numbers: digits of any script, and English number words. */
export const numbersIn = (text: string, english = true): number =>
  (text.match(/\p{Nd}[\p{Nd}.,٫٬]*/gu)?.length ?? 0) + (english ? numbersInEnglish(text) : 0);

export const contrastsIn = (text: string): number => contrastsInEnglish(text);

/**
 * Whether a text needs the words before it. A small first letter shows that in any script with
 * capitals.
 */
export const leansOnBefore = (text: string, english = true): boolean =>
  /^\p{Ll}/u.test(text.trim()) || (english && leansInEnglish(text.trim()));

function short(text: string): boolean {
  const { length } = splitWords(text);
  return length >= 3 && length <= 14;
}

/**
 * How well a sentence keeps a viewer, 0 to 1: a question, “you”, a promise, a story, a number, few
 * words.
 */
export function hookStrength(text: string, english = true): number {
  const signs = english ? tellingInEnglish(text) : null;
  return limit(
    (asksQuestion(text, english) ? 0.45 : 0) +
      (signs ? 0.3 * signs.promise + 0.15 * signs.address + 0.25 * signs.story : 0) +
      (signs ? -0.5 * signs.filler - 0.4 * signs.housekeeping - 0.4 * signs.handbook : 0) +
      (numbersIn(text, english) > 0 ? 0.2 : 0) +
      (english && contrastsIn(text) > 0 ? 0.2 : 0) +
      (exclamation.test(text) ? 0.1 : 0) +
      (short(text) ? 0.1 : 0) -
      (leansOnBefore(text, english) ? 0.15 : 0),
  );
}

/** How much a sentence has to say, 0 to 1. A sentence without any sign of it has 0.3. */
export function substanceOf(text: string, english = true): number {
  const signs = english ? tellingInEnglish(text) : null;
  return limit(
    0.3 +
      (asksQuestion(text, english) ? 0.3 : 0) +
      0.3 * Math.min(1, numbersIn(text, english) / 1.5) +
      (exclamation.test(text) ? 0.2 : 0) +
      (quotation.test(text) ? 0.15 : 0) +
      (english ? 0.25 * Math.min(1, contrastsIn(text)) : 0) +
      (signs ? 0.35 * signs.promise + 0.25 * signs.address + 0.35 * signs.story : 0) -
      (signs ? 0.6 * signs.filler + 0.6 * signs.housekeeping + 0.5 * signs.handbook : 0),
  );
}

export const endsWhole = (text: string): boolean =>
  /[.!?…。！？؟।።]["”’»」』)\]]*$/u.test(text.trim());
