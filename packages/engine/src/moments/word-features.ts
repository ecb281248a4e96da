/**
 * Features of a text. Punctuation, digits and length count in any language, words only in English.
 */
import {
  isEnglishQuestion,
  countEnglishContrasts,
  isLeaningEnglish,
  countEnglishNumbers,
  countEnglishPersons,
  findEnglishPronoun,
  isPointingBackInEnglish,
  measureEnglishTelling,
} from '../words/english-words.ts';
import { splitWords } from '../words/word-text.ts';
import { withoutLead } from './title-words.ts';
import { toUnitInterval } from '../scan/scan-measures.ts';

/** Question marks of the Latin, Chinese, Arabic, Greek, Armenian and Ethiopic scripts. */
const questionMark = /[?？؟⁇⁈\u037e՞፧]/u;
const exclamation = /[!！‼⁉]/u;
const quotation = /[“„«「『"]/u;

export const asksQuestion = (text: string, language: string): boolean =>
  questionMark.test(text) || (language === 'en' && isEnglishQuestion(text.trim()));

/** Counts numbers: digits of any script, and English number words. */
export const countNumbers = (text: string, language: string): number =>
  (text.match(/\p{Nd}[\p{Nd}.,٫٬]*/gu)?.length ?? 0) +
  (language === 'en' ? countEnglishNumbers(text) : 0);

export const countContrasts = (text: string, language: string): number =>
  language === 'en' ? countEnglishContrasts(text) : 0;

/**
 * Whether a text needs the words before it. A small first letter shows that in any script with
 * capitals, a connector at the start in the languages that have a list.
 */
export const needsWordsBefore = (text: string, language: string): boolean =>
  /^\p{Ll}/u.test(text.trim()) ||
  withoutLead(text.trim(), language) !== text.trim() ||
  (language === 'en' && isLeaningEnglish(text.trim()));

/**
 * Rates the clarity of the start of a text, 0 to 1: less with a pronoun, such as “they”, that
 * stands for something before it. A later word may be part of “this room”.
 */
export function clearStart(text: string, language: string): number {
  if (language !== 'en') return 1;
  const index = findEnglishPronoun(text);
  if (index === 0 || isPointingBackInEnglish(text)) return 0.4;
  return index < 0 ? 1 : 0.6;
}

/** Count of exclamation marks, and of words such as “I” and “you”. */
export const countEmphasis = (text: string): number => text.match(/[!！‼⁉]+/gu)?.length ?? 0;
export const countPersonWords = (text: string): number => countEnglishPersons(text);

/** The share of a text that is about the event itself, and not about its subject, 0 to 1. */
export const measureHousekeeping = (text: string, language: string): number =>
  language === 'en' ? measureEnglishTelling(text).housekeeping : 0;

function isShort(text: string): boolean {
  const { length } = splitWords(text);
  return length >= 3 && length <= 14;
}

/**
 * Rates a sentence as a hook, 0 to 1: a question, “you”, a promise, a story, a number, few
 * words.
 */
export function rateHook(text: string, language: string): number {
  const signs = language === 'en' ? measureEnglishTelling(text) : null;
  return toUnitInterval(
    (asksQuestion(text, language) ? 0.45 : 0) +
      (signs ? 0.3 * signs.promise + 0.15 * signs.address + 0.25 * signs.story : 0) +
      (signs ? -0.5 * signs.filler - 0.4 * signs.housekeeping - 0.4 * signs.handbook : 0) +
      (countNumbers(text, language) > 0 ? 0.2 : 0) +
      (countContrasts(text, language) > 0 ? 0.2 : 0) +
      (exclamation.test(text) ? 0.1 : 0) +
      (isShort(text) ? 0.1 : 0) -
      (needsWordsBefore(text, language) ? 0.15 : 0),
  );
}

/** Rates the substance of a sentence, 0 to 1. A sentence without any sign of it has 0.3. */
export function rateSubstance(text: string, language: string): number {
  const signs = language === 'en' ? measureEnglishTelling(text) : null;
  return toUnitInterval(
    0.3 +
      (asksQuestion(text, language) ? 0.3 : 0) +
      0.3 * Math.min(1, countNumbers(text, language) / 1.5) +
      (exclamation.test(text) ? 0.2 : 0) +
      (quotation.test(text) ? 0.15 : 0) +
      0.25 * Math.min(1, countContrasts(text, language)) +
      (signs ? 0.35 * signs.promise + 0.25 * signs.address + 0.35 * signs.story : 0) -
      (signs ? 0.6 * signs.filler + 0.6 * signs.housekeeping + 0.5 * signs.handbook : 0),
  );
}

/** Whether a text breaks off: “…”, or a dash at the end. */
export const isTrailingOff = (text: string): boolean =>
  /(?:\.\.|…|--|—|–)["“”’«»)\]]*$/u.test(text.trim());

export const isWholeAtEnd = (text: string): boolean =>
  /[.!?…。！？؟।።]["“”’«»」』)\]]*$/u.test(text.trim());
