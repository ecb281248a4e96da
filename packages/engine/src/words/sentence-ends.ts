/** Ends of sentences in text without stops, as automatic captions have it. */
import type { Word } from '../facts.ts';
import { bareWord, logOddsOf, probabilityOf, type CueModel } from './cue-model.ts';
import { sentenceEndCues } from './sentence-end-cues.ts';

/** Written text has a stop after ten to twenty words. */
const maxWordsPerStop = 60;

const stop = /[.!?…。！？؟।።]\P{L}*$/u;

/** Whether a text has so few stops that they do not tell its sentences. */
export const lacksStops = (words: readonly { text: string }[]): boolean =>
  words.filter(({ text }) => stop.test(text)).length * maxWordsPerStop < words.length;

/** The cues at the border before word `at`: the last words before it and the first ones after. */
export function endCues(texts: readonly string[], at: number): string[] {
  const [before, last, first, second] = [at - 2, at - 1, at, at + 1].map((index) =>
    bareWord(texts[index] ?? ''),
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

/** Hardly anybody says a longer sentence: the likeliest border in it splits it. */
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
export function likelySentenceEnds(
  words: readonly Word[],
  english: boolean,
  model: CueModel = sentenceEndCues,
): LikelyEnd[] {
  const texts = words.map(({ text }) => text);
  const likelihoods = words.map(({ text, end }, at) => {
    const next = words[at + 1];
    if (!next || next.opensTurn || stop.test(text)) return 1;
    const pause = Math.min(maxPauseSeconds, Math.max(0, next.start - end));
    const said = logOddsOf(model, english ? endCues(texts, at + 1) : []);
    return probabilityOf(said + logOddsPerSecond * pause);
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
