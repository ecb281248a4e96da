/** The words that tell what a source is about at each place: those that are rare in the rest. */

import { splitWords } from '../words/word-text.ts';
import type { Unit } from './units.ts';

/** A word tells of a subject if at most this share of the sentences of the source has it. */
const maxShare = 0.015;

/** Sources with fewer sentences say less of which words are rare. */
const minUnits = 200;

/** In Latin letters, shorter words name nothing. */
const minLetters = 4;

/** One key for “plugin”, “plugins” and “Plugin’s”. */
const makeKey = (word: string): string =>
  word
    .toLowerCase()
    .replace(/['’]\p{L}+$/u, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/(?<=\p{Script=Latin}{3})s$/u, '');

/** Lists the keys of the subject words of each unit, as often as they are said. */
export function listSubjectWords(units: readonly Pick<Unit, 'text'>[]): string[][] {
  const listed = units.map(({ text }) =>
    splitWords(text)
      .map(makeKey)
      .filter((key) => key.length >= minLetters || /[^\p{Script=Latin}\p{N}]/u.test(key)),
  );
  const spread = new Map<string, number>();
  for (const keys of listed) {
    for (const key of new Set(keys)) spread.set(key, (spread.get(key) ?? 0) + 1);
  }
  const most = maxShare * Math.max(minUnits, units.length);
  return listed.map((keys) => keys.filter((key) => spread.get(key)! <= most));
}

/** The sentences on each side of a border that are compared. */
const unitsAround = 3;

/** Each subject word on both sides of a border leaves this share of its freshness. */
const freshShare = 0.6;

/**
 * Rates how fresh a thought begins with each unit, above 0 to 1: less if the sentences before it
 * tell of the same subject.
 */
export function rateFreshness(subjects: readonly (readonly string[])[]): Float64Array {
  return Float64Array.from(subjects, (_, index) => {
    const before = new Set(subjects.slice(Math.max(0, index - unitsAround), index).flat());
    const after = new Set(subjects.slice(index, index + unitsAround).flat());
    const shared = [...after].filter((key) => before.has(key)).length;
    return freshShare ** shared;
  });
}
