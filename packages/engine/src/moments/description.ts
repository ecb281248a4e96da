/** A description for a post: two or three sentences of a clip, as they are said. */

import { getBaseLanguage } from '../words/language-code.ts';
import { isEnglish } from '../words/english-words.ts';
import { joinWords, splitWords, measureTextWidth } from '../words/word-text.ts';
import { readWholeClause } from './english-clause.ts';
import { removeUnpairedMarks, capitalize, lowerShouted, joinLines, type Said } from './title.ts';
import { withoutLead } from './title-words.ts';
import {
  asksQuestion,
  clearStart,
  isWholeAtEnd,
  needsWordsBefore,
  rateSubstance,
  isTrailingOff,
} from './word-features.ts';

/** Maximum width of a description in letters of usual width. */
export const maxDescriptionWidth = 300;

/** At most this many sentences. */
const maxSentences = 3;

/** Longer clips are compared by their first sentences. */
const maxCompared = 40;

/** A sentence of a clip, with its score in a description. */
interface Rated {
  /** The text after the sentence before it in the clip. */
  text: string;
  /** The text after any other sentence: without the fillers at its start. */
  alone: string;
  worth: number;
  /** The loss of worth if the sentence before it is missing. */
  leans: number;
  opensTurn: boolean;
  asks: boolean;
}

/** Signs that a speaker began again, or searched for a word. */
const broken =
  /\b(\p{L}+(?:['’]\p{L}+)?(?: \p{L}+)?)[,\s]+\1\b|--|—|–|\b(?:u+h*m+|u+h+|er|you know|i mean|i guess|kind of|sort of|or whatever|and stuff)\b/iu;

function rateSentence(
  sentence: Said & { opensTurn?: boolean },
  language: string,
  topics: readonly string[],
): Rated {
  const text = removeUnpairedMarks(lowerShouted(joinLines(sentence.text), language)).replace(
    /^(?:\.{2,}|…)\s*/u,
    '',
  );
  const led = withoutLead(text, language);
  // “I was like” is a lead of what follows, and not in “I was like a child”.
  const alone = /\blike\b/iu.test(text.slice(0, text.length - led.length)) ? text : led;
  const count = splitWords(text).length;
  const said = text.toLowerCase();
  const onTopic = topics.some((topic) => said.includes(topic.toLowerCase()));
  const clause = language === 'en' && count <= 30 ? readWholeClause(alone) : null;
  const worth =
    rateSubstance(text, language) +
    (onTopic ? 0.3 : 0) +
    (clause ? 0.2 : 0) +
    (clause?.clear ? 0.3 : 0) +
    0.2 * Math.min(1, count / 12) -
    (count < 3 ? 1.2 : count < 4 ? 0.6 : 0) -
    (broken.test(text) ? 0.4 : 0) -
    (isTrailingOff(text) ? 0.5 : 0) -
    (isWholeAtEnd(text) ? 0 : 1) -
    (1 - (sentence.endLikelihood ?? 1));
  const leans =
    (needsWordsBefore(text, language) ? 0.35 : 0) + 0.6 * (1 - clearStart(alone, language));
  return {
    text: capitalize(text, language),
    alone: capitalize(alone, language),
    worth,
    leans,
    opensTurn: sentence.opensTurn ?? false,
    asks: asksQuestion(text, ''),
  };
}

function rateSentences(
  sentences: readonly (Said & { opensTurn?: boolean })[],
  { language, topics = [] }: { language: string | null; topics?: readonly string[] },
): Rated[] {
  const words = sentences.flatMap(({ text }) => splitWords(text).map((word) => ({ text: word })));
  const base = isEnglish(words, language) ? 'en' : getBaseLanguage(language ?? '');
  return sentences.map((sentence) => rateSentence(sentence, base, topics));
}

/** A sentence must be worth this much to be added. */
const minWorth = 0.45;

/** Sentences that follow each other read better than those that do not. */
const together = 0.45;

/** Returns the text of some sentences, in order, with its score; null if it does not fit. */
function joinSentences(
  all: readonly Rated[],
  chosen: readonly number[],
): { text: string; worth: number } | null {
  let worth = 0;
  const asked = chosen.filter((index) => all[index]!.asks).length;
  // Questions do not say what the answer is.
  worth -= 0.25 * Math.max(0, asked - 1);
  const texts = chosen.map((index, place) => {
    const sentence = all[index]!;
    const follows = place > 0 && chosen[place - 1] === index - 1;
    worth += sentence.worth - minWorth;
    if (follows && !sentence.opensTurn) worth += together;
    if (!follows) worth -= sentence.leans + (place > 0 ? 0.35 : 0);
    return follows ? sentence.text : sentence.alone;
  });
  if (new Set(texts).size < texts.length) return null;
  const text = joinWords(texts);
  if (measureTextWidth(text) > maxDescriptionWidth) return null;
  // A question that nobody answers is no end.
  if (all[chosen.at(-1)!]!.asks) worth -= 0.3;
  return { text, worth };
}

/** The choices of up to three of the first `count` numbers, in order. */
function* listChoices(count: number): Generator<number[]> {
  for (let a = 0; a < count; a += 1) {
    yield [a];
    for (let b = a + 1; b < count; b += 1) {
      yield [a, b];
      for (let c = b + 1; c < count; c += 1) yield [a, b, c];
    }
  }
}

/** The factor of a description of one sentence: it is used only if no two fit. */
const forOne = 0.5;

/**
 * Describes a clip by two or three of its sentences, in order and as they are said; only fillers at
 * the start are left out. A sentence that is too long stands alone, shortened at a word.
 * @param sentences what is said in the clip
 * @param options.topics what the clip is about
 * @returns null if nothing is said
 */
export function describeClip(
  sentences: readonly (Said & { opensTurn?: boolean })[],
  options: { language: string | null; topics?: readonly string[] },
): string | null {
  if (sentences.length === 0) return null;
  const all = rateSentences(sentences.slice(0, maxCompared), options);
  let best: { text: string; worth: number } | null = null;
  for (const chosen of listChoices(all.length)) {
    const found = joinSentences(all, chosen);
    if (!found) continue;
    const worth = found.worth - (chosen.length === 1 ? forOne : 0);
    if (!best || worth > best.worth) best = { text: found.text, worth };
  }
  if (best) return best.text;
  return shortenText(joinLines(joinWords(sentences.map(({ text }) => text))));
}

/**
 * Describes a clip by the sentences that another judge has chosen, in order.
 * @param chosen for each sentence, whether it is one of them
 * @returns null if they are none, too many or too long
 */
export function describeByChosen(
  sentences: readonly (Said & { opensTurn?: boolean })[],
  chosen: readonly boolean[],
  options: Parameters<typeof describeClip>[1],
): string | null {
  const indexes = chosen.flatMap((is, index) => (is ? [index] : []));
  if (indexes.length === 0 || indexes.length > maxSentences) return null;
  return joinSentences(rateSentences(sentences, options), indexes)?.text ?? null;
}

/** Returns as many words as fit, with dots. */
function shortenText(text: string): string {
  const words = splitWords(text);
  let width = measureTextWidth('…');
  let count = 0;
  while (
    count < words.length &&
    width + measureTextWidth(words[count]!) + 1 <= maxDescriptionWidth
  ) {
    width += measureTextWidth(words[count]!) + 1;
    count += 1;
  }
  const cut = joinWords(words.slice(0, Math.max(1, count))).replace(
    /(?<![,;:—、，])[,;:—、，]+$/u,
    '',
  );
  return `${removeUnpairedMarks(cut)}…`;
}
