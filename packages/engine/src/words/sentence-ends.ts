/** Ends of sentences in text without stops, as automatic captions have it. */

import type { Word } from '../facts.ts';
import {
  stripWord,
  readCueModel,
  type CueModel,
  computeLogOdds,
  convertToProbability,
} from './cue-model.ts';
import questionCues from './question-cues.json' with { type: 'json' };
import sentenceEndCues from './sentence-end-cues.json' with { type: 'json' };
import { splitWords } from './word-text.ts';

/** The probability that a sentence ends at the border of two words. */
const sentenceEndModel = readCueModel(sentenceEndCues);

/** The probability that a sentence without marks is a question. */
const questionModel = readCueModel(questionCues);

/** Written text has a stop after ten to twenty words. */
const maxWordsPerStop = 60;

const stop = /[.!?…。！？؟।።][^\p{L}.!?…。！？؟।።]*$/u;

/** Whether a text has so few stops that they do not mark its sentences. */
export const isWithoutStops = (words: readonly { text: string }[]): boolean =>
  words.filter(({ text }) => stop.test(text)).length * maxWordsPerStop < words.length;

/** The cues at the border before word `at`: the last words before it and the first ones after. */
export function endCues(texts: readonly string[], at: number): string[] {
  const [before, last, first, second] = [at - 2, at - 1, at, at + 1].map((index) =>
    stripWord(texts[index] ?? ''),
  );
  return [
    `last: ${last}`,
    `last two: ${before} ${last}`,
    `first: ${first}`,
    `first two: ${first} ${second}`,
  ];
}

/** Log-odds for each second of a pause: one of 0.35 s ends a sentence if nothing is known of it. */
const logOddsPerSecond = 6.6;
const maxPauseSeconds = 0.8;

/** A border that is at least this likely splits words. */
const minLikelihood = 0.4;

/** The maximum number of words in a sentence: a longer one is split at its likeliest border. */
const maxWords = 45;

/** A sentence in text without stops: its last word, and how likely it ends there, 0 to 1. */
export interface LikelyEnd {
  lastWord: number;
  likelihood: number;
}

/**
 * Splits words without stops into sentences: by turns and pauses in any language, by the words
 * around a border in English.
 */
export function findLikelySentenceEnds(
  words: readonly Word[],
  english: boolean,
  model: CueModel = sentenceEndModel,
): LikelyEnd[] {
  const texts = words.map(({ text }) => text);
  const likelihoods = words.map(({ text, end }, at) => {
    const next = words[at + 1];
    if (!next || next.opensTurn || stop.test(text)) return 1;
    const pause = Math.min(maxPauseSeconds, Math.max(0, next.start - end));
    const said = computeLogOdds(model, english ? endCues(texts, at + 1) : []);
    return convertToProbability(said + logOddsPerSecond * pause);
  });
  const ends: number[] = [];
  let first = 0;
  const endAt = (at: number) => {
    ends.push(at);
    first = at + 1;
  };
  for (let at = 0; at < words.length; at++) {
    if (likelihoods[at]! >= minLikelihood) endAt(at);
    else if (english && at - first >= maxWords) {
      let best = first;
      for (let word = first; word < at; word++) {
        if (likelihoods[word]! > likelihoods[best]!) best = word;
      }
      endAt(best);
    }
  }
  return ends.map((lastWord) => ({ lastWord, likelihood: likelihoods[lastWord]! }));
}

/** In English “I” has a capital wherever it stands. */
const withCapitalI = (text: string): string => text.replace(/(?<!\S)i(?=$|['’\s])/gu, 'I');

/**
 * A sentence as it is written: with a capital first letter and a mark at its end. The capitals of
 * its names and nouns stay as they are.
 */
export function asWritten(
  text: string,
  { english, asks }: { english: boolean; asks: boolean },
): string {
  // Scripts without small letters have other rules.
  if (!/\p{Ll}/u.test(text) || stop.test(text)) return text;
  const [first = ''] = text;
  const mark = asks ? '?' : '.';
  return first.toUpperCase() + (english ? withCapitalI(text) : text).slice(first.length) + mark;
}

/** Longer questions count as this long. */
const maxLengthCue = 20;

/** The cues of a sentence and of the one after it, which may be the answer. */
export function listQuestionCues(text: string, after: string): string[] {
  const words = splitWords(text).map(stripWord);
  const next = splitWords(after).map(stripWord);
  const [first = '', second = ''] = words;
  return [
    `first: ${first}`,
    `first two: ${first} ${second}`,
    `last: ${words.at(-1) ?? ''}`,
    `last two: ${words.at(-2) ?? ''} ${words.at(-1) ?? ''}`,
    `length: ${Math.min(maxLengthCue, words.length)}`,
    `next: ${next[0] ?? ''}`,
    `next two: ${next[0] ?? ''} ${next[1] ?? ''}`,
    `next length: ${Math.min(maxLengthCue, next.length)}`,
    ...[...new Set(words)].map((word) => `word: ${word}`),
    ...[...new Set(words.slice(1).map((word, at) => `pair: ${words[at]!} ${word}`))],
  ];
}

/** Whether a sentence is more likely a question than not. */
export const isQuestion = (text: string, after: string, model: CueModel = questionModel): boolean =>
  convertToProbability(computeLogOdds(model, listQuestionCues(text, after))) >= 0.5;
