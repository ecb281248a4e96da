import { median, sumRanges, toUnitInterval } from '../scan/scan-measures.ts';
import { rateSubjectBreak } from './edges.ts';
import { listSubjectWords } from './subject-words.ts';
import type { Unit } from './units.ts';
import type { Features } from './score.ts';
import type { SpeakerTurns } from './speaker-turns.ts';
import {
  asksQuestion,
  countContrasts,
  countEmphasis,
  rateHook,
  measureHousekeeping,
  countNumbers,
  countPersonWords,
  rateSubstance,
} from './word-features.ts';

/** Words that one person must say without a break for a clip to have substance. */
const maxTurnWords = 40;

/** The share of the words of a clip that one person says in a row if it has one speaker. */
const mostWords = 0.65;

/** Words that make an answer. */
const minAnswerWords = 12;

/** Clips of a few seconds need fewer words: this many in each second of the target length. */
const minWordsPerSecond = 1.3;

/** The share of the words that a clip of about the target length has room for, at most 1. */
const measureRoom = (targetSeconds: number): number =>
  Math.min(1, (minWordsPerSecond * targetSeconds) / maxTurnWords);

export const getMinTurnWords = (targetSeconds: number): number =>
  measureRoom(targetSeconds) * maxTurnWords;

/** Turns of this many words make a lively exchange: more than a nod, less than a lecture. */
const replyWords = { min: 5, max: 40 };

type Sum = ReturnType<typeof sumRanges>;

/** Returns the sums of words in turns that are replies. */
function countReplyWords(units: readonly Unit[], turns: SpeakerTurns, words: Sum): Sum {
  const firstOf = (index: number): number => {
    let first = index;
    while (first > 0 && turns.lastOf(first - 1) >= index) first -= 1;
    return first;
  };
  return sumRanges(
    units.map((unit, index) => {
      const length = words(firstOf(index), turns.lastOf(index) + 1);
      return length >= replyWords.min && length <= replyWords.max ? unit.words : 0;
    }),
  );
}

/** Measures the degree to which a clip answers the first question in its first half, 0 to 1. */
function createAnswerMeter(
  units: readonly Unit[],
  turns: SpeakerTurns,
  { asks, words, enough }: { asks: readonly boolean[]; words: Sum; enough: number },
): (first: number, last: number) => number {
  /** The first unit from each one on that is a question. */
  const nextQuestion = new Int32Array(units.length + 1).fill(units.length);
  for (let index = units.length - 1; index >= 0; index--) {
    nextQuestion[index] = asks[index] ? index : nextQuestion[index + 1]!;
  }
  return (first, last) => {
    const question = nextQuestion[first]!;
    const middle = (units[first]!.start + units[last]!.end) / 2;
    if (question > last || units[question]!.start >= middle) return 1;
    const asker = turns.known ? turns.lastOf(question) : question;
    if (asker >= last) return 0;
    const answerWords = turns.known
      ? words(asker + 1, Math.min(last, turns.lastOf(asker + 1)) + 1)
      : words(asker + 1, last + 1);
    return toUnitInterval(answerWords / (enough * minAnswerWords)) ** 2;
  };
}

/** Measures the speech from unit `first` to unit `last`. */
export function createSpeechMeter(
  units: readonly Unit[],
  turns: SpeakerTurns,
  { language, targetSeconds }: { language: string; targetSeconds: number },
): (first: number, last: number, lengthSeconds: number) => Features {
  const enough = measureRoom(targetSeconds);
  const sum = (measure: (unit: Unit, index: number) => number) => sumRanges(units.map(measure));
  const ofText = (measure: (text: string, language: string) => number) =>
    sum(({ text }) => (text ? measure(text, language) : 0));
  const seconds = ({ start, end }: Unit) => end - start;
  const usualPace =
    median(units.filter((unit) => unit.words > 2).map((unit) => unit.words / seconds(unit))) || 1;
  const words = sum((unit) => unit.words);
  const said = sum((unit) => (unit.words > 0 ? seconds(unit) : 0));
  const sentences = sum((unit) => (unit.words > 0 ? 1 : 0));
  const numbers = ofText(countNumbers);
  const contrasts = ofText(countContrasts);
  const asks = units.map(({ text }) => text !== '' && asksQuestion(text, language));
  const questions = sum((_, index) => (asks[index] ? 1 : 0));
  const held = sum(seconds);
  const worth = sum((unit) => (unit.text ? rateSubstance(unit.text, language) * seconds(unit) : 0));
  const dull = sum((unit) =>
    unit.text ? measureHousekeeping(unit.text, language) * seconds(unit) : 0,
  );
  const breaks = sum((_, index) => rateSubjectBreak(units, index, language));
  const hooks = units.map(({ text }) => rateHook(text, language));
  const replies = countReplyWords(units, turns, words);
  /** A rate of the clip against the usual one of the source: 0.5 if equal, towards 1 if higher. */
  const against = (measure: (from: number, to: number) => number) => {
    const usual = measure(0, units.length) / Math.max(1, words(0, units.length));
    return (first: number, last: number): number => {
      const rate = measure(first, last + 1) / Math.max(1, words(first, last + 1));
      return usual > 0 ? rate / (rate + usual) : 0.5;
    };
  };
  const emphasis = against(ofText(countEmphasis));
  const person = against(ofText(countPersonWords));
  const brevity = against(sentences);
  const exchange = against(sum((_, index) => (turns.opens(index) >= 0.5 ? 1 : 0)));

  const subjects = listSubjectWords(units);
  const density = against(sum((_, index) => subjects[index]!.length));
  const answered = createAnswerMeter(units, turns, { asks, words, enough });

  return (first, last, lengthSeconds) => {
    const to = last + 1;
    const count = words(first, to);
    const minutes = lengthSeconds / 60;
    const pace = count / Math.max(0.1, said(first, to));
    const features: Features = {
      speech: toUnitInterval(said(first, to) / lengthSeconds),
      hook: hooks[first] ?? 0,
      substance: toUnitInterval(worth(first, to) / Math.max(0.1, held(first, to))),
      question: toUnitInterval(questions(first, to) / Math.max(1, minutes * 3)),
      number: toUnitInterval(numbers(first, to) / Math.max(1.5, minutes * 6)),
      unity: 1 / (1 + 2 * breaks(first + 1, to)),
      pace: toUnitInterval(0.5 + 1.25 * (pace / usualPace - 1)),
      answer: answered(first, last),
      thought: turns.holds(first, last),
      focus: toUnitInterval(turns.countLongest(first, last) / (mostWords * Math.max(1, count))),
      purpose: toUnitInterval(1 - (2 * dull(first, to)) / Math.max(0.1, held(first, to))),
      emphasis: emphasis(first, last),
      brevity: brevity(first, last),
      density: density(first, last),
    };
    if (language === 'en') {
      features['contrast'] = toUnitInterval(contrasts(first, to) / Math.max(1, minutes * 4));
      features['person'] = person(first, last);
    }
    if (turns.known) {
      features['exchange'] = exchange(first, last);
      features['reply'] = toUnitInterval(replies(first, to) / Math.max(1, count));
    }
    return features;
  };
}
