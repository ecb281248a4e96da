import type { Span, Word } from '../facts.ts';
import { findTouching } from '../spans.ts';
import { getBaseLanguage } from '../words/language-code.ts';
import { airSeconds } from './kept-ranges.ts';
import fillerWords from './fillers.json' with { type: 'json' };

interface LanguageFillers {
  /** Sounds without a meaning. */
  sounds: readonly string[];
  /** Words without a meaning, unless they are a sentence: as an answer, “Mhm.” means yes. */
  words?: readonly string[];
  /** Words with which a sentence that is begun again begins. */
  starts: readonly string[];
}

const ofLanguage = fillerWords as Readonly<Record<string, LanguageFillers>>;

/** Longer sounds between two pauses are not taken for a filler. */
const maxFillerSeconds = 1.5;
/** The maximum number of words in a repeated beginning. */
const maxStartWords = 2;
/** The part of the pause before a filler that is cut with it: speech begins softly. */
const beforeSeconds = 0.05;

const normalizeText = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');
const isSentenceEnd = ({ text }: Word): boolean =>
  /[.!?。！？؟][^\p{L}.!?。！？؟]*$/u.test(text) && !/\.\.|…/.test(text);

const isQuestion = ({ text }: Word): boolean => /[?？؟][^\p{L}?？؟]*$/u.test(text);

function isFiller(words: readonly Word[], { sounds, words: others = [] }: LanguageFillers) {
  return words.every((word) => {
    const text = normalizeText(word.text);
    if (isQuestion(word)) return false;
    return sounds.includes(text) || (others.includes(text) && !isSentenceEnd(word));
  });
}

/** Whether the fillers of a language are known. `language`: BCP 47. */
export const hasFillers = (language: string): boolean =>
  Object.hasOwn(ofLanguage, getBaseLanguage(language));

/** Whether the next words begin with these words, and continue. */
function isSaidAgain(
  words: readonly Word[],
  next: readonly Word[],
  { starts }: LanguageFillers,
): boolean {
  return (
    words.length <= maxStartWords &&
    next.length > words.length &&
    starts.includes(normalizeText(words[0]!.text)) &&
    !words.some(isSentenceEnd) &&
    !next[0]!.opensTurn &&
    words.every(({ text }, index) => normalizeText(text) === normalizeText(next[index]!.text))
  );
}

/**
 * The spans of a clip's fillers (um, äh, えっと) and of beginnings that are said again (`I … I
 * think`), in source seconds and in order. Only what stands between two pauses: both ends of a
 * span are in one, so no cut is inside a word's sound, however exact the times of the words are.
 * @param language BCP 47; without one, and for languages without a list, there are none
 */
export function findFillers(
  words: readonly Word[],
  silences: readonly Span[],
  language: string | null,
): Span[] {
  const fillers = language === null ? undefined : ofLanguage[getBaseLanguage(language)];
  if (!fillers) return [];
  const sounds = silences.slice(0, -1).map((before, index) => {
    const after = silences[index + 1]!;
    const said = findTouching(words, { start: before.end, end: after.start });
    return { before, after, said };
  });
  return sounds.flatMap(({ before, after, said }, index) => {
    const isShort = after.start - before.end <= maxFillerSeconds;
    // A word that lasts longer than the sound may be said beside it.
    const isWhole = said.every(({ start, end }) => start >= before.start && end <= after.end);
    if (said.length === 0 || said[0]!.opensTurn || !isShort || !isWhole) return [];
    const next = sounds[index + 1]?.said ?? words.filter(({ start }) => start >= after.start);
    if (!isFiller(said, fillers) && !isSaidAgain(said, next, fillers)) return [];
    const start = before.end - Math.min(beforeSeconds, (before.end - before.start) / 2);
    const end = after.end - Math.min(airSeconds, (after.end - after.start) / 2);
    return [{ start, end }];
  });
}
