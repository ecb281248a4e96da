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
  /** Whether a reader understands it as the first one. */
  standsAlone: boolean;
  /** The probability that another person begins to speak with it. */
  opens: number;
  asks: boolean;
  /** Whether it names what the clip is about, as far as that can be told. */
  tells: boolean;
}

/** Signs that a speaker began again, or searched for a word. */
const broken =
  /\b(\p{L}+(?:['’]\p{L}+)?(?: \p{L}+)?)[,\s]+\1\b|--|—|–|\b(?:u+h*m+|u+h+|er|you know|i mean|i guess|kind of|sort of|or whatever|and stuff)\b/iu;

/** About what was said before, and not about the subject. */
const reacting =
  /^(?:i (?:don['’]t|do not) (?:\w+ )?know\b|i (?:\w+ )*agree\b|(?:i think )?you['’]re (?:\w+ )?right\b|i (?:would|['’]d) push back|(?:just|only) kidding|nah\b)/iu;

function rateSentence(
  sentence: Said & { opens?: number },
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
    (reacting.test(alone) ? 0.8 : 0) -
    (isTrailingOff(text) ? 0.5 : 0) -
    (isWholeAtEnd(text) ? 0 : 1) -
    (1 - (sentence.endLikelihood ?? 1));
  const leans =
    (needsWordsBefore(text, language) ? 0.35 : 0) + 0.6 * (1 - clearStart(alone, language));
  const first = capitalize(alone, language);
  return {
    text: capitalize(text, language),
    alone: first,
    worth,
    leans,
    standsAlone: !needsWordsBefore(first, language) && clearStart(first, language) === 1,
    opens: sentence.opens ?? 0,
    asks: asksQuestion(text, ''),
    tells: language !== 'en' || (topics.length > 0 ? onTopic : clause !== null),
  };
}

/** Returns the base code of the language of sentences, and each with its score. */
function rateSentences(
  sentences: readonly (Said & { opens?: number })[],
  { language, topics = [] }: { language: string | null; topics?: readonly string[] },
): { base: string; all: Rated[] } {
  const words = sentences.flatMap(({ text }) => splitWords(text).map((word) => ({ text: word })));
  const base = isEnglish(words, language) ? 'en' : getBaseLanguage(language ?? '');
  return { base, all: sentences.map((sentence) => rateSentence(sentence, base, topics)) };
}

/** A sentence must be worth this much to be added. */
const minWorth = 0.45;

/** Sentences that follow each other read better than those that do not. */
const together = 0.45;

/** Sentences are one person's if no one else speaks between them with this probability. */
const minSameSpeaker = 0.6;

const isByOneSpeaker = (all: readonly Rated[], chosen: readonly number[]): boolean =>
  all
    .slice(chosen[0]! + 1, chosen.at(-1)! + 1)
    .reduce((likelihood, { opens }) => likelihood * (1 - opens), 1) >= minSameSpeaker &&
  // Someone else answers.
  !all.slice(chosen[0]!, chosen.at(-1)!).some(({ asks }) => asks);

/**
 * Returns the text of some sentences of one speaker, in order, with its score; null if they are of
 * several, or if it does not fit.
 */
function joinSentences(
  all: readonly Rated[],
  chosen: readonly number[],
): { text: string; worth: number } | null {
  let worth = 0;
  const texts = chosen.map((index, place) => {
    const sentence = all[index]!;
    const follows = place > 0 && chosen[place - 1] === index - 1;
    worth += sentence.worth - minWorth;
    if (follows) worth += together;
    if (!follows) worth -= sentence.leans + (place > 0 ? 0.35 : 0);
    return follows ? sentence.text : sentence.alone;
  });
  if (new Set(texts).size < texts.length || !isByOneSpeaker(all, chosen)) return null;
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

/** One sentence is used only if no two fit. */
const forOne = 0.5;

/** English sentences that are worth less say too little of a clip. */
const minTellingWorth = 0.6;

/**
 * Describes a clip by one to three sentences of one speaker, in order and as they are said; only
 * fillers at the start are left out. In English, one of them states something about the topic.
 * @param sentences what is said in the clip
 * @param options.topics what the clip is about
 * @returns null if no sentences do that
 */
export function describeClip(
  sentences: readonly (Said & { opens?: number })[],
  options: { language: string | null; topics?: readonly string[] },
): string | null {
  if (sentences.length === 0) return null;
  const { base, all } = rateSentences(sentences.slice(0, maxCompared), options);
  const minWorthOfAll = base === 'en' ? minTellingWorth : -Infinity;
  const isDescription = (chosen: readonly number[]) =>
    chosen.some((index) => all[index]!.tells && !all[index]!.asks) && all[chosen[0]!]!.standsAlone;
  let best: { text: string; worth: number } | null = null;
  for (const chosen of listChoices(all.length)) {
    if (!isDescription(chosen)) continue;
    const found = joinSentences(all, chosen);
    if (!found || found.worth < minWorthOfAll) continue;
    const worth = found.worth - (chosen.length === 1 ? forOne : 0);
    if (!best || worth > best.worth) best = { ...found, worth };
  }
  return best?.text ?? null;
}

/**
 * Describes a clip by the sentences that another judge has chosen, in order.
 * @param chosen for each sentence, whether it is one of them
 * @returns null if they are none, too many or too long
 */
export function describeByChosen(
  sentences: readonly (Said & { opens?: number })[],
  chosen: readonly boolean[],
  options: Parameters<typeof describeClip>[1],
): string | null {
  const indexes = chosen.flatMap((is, index) => (is ? [index] : []));
  if (indexes.length === 0 || indexes.length > maxSentences) return null;
  return joinSentences(rateSentences(sentences, options).all, indexes)?.text ?? null;
}
