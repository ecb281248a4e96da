import type { Analysis, Span } from '../facts.ts';
import { looksEnglish, turnsInEnglish } from '../words/english-words.ts';
import type { Features } from './score.ts';
import {
  clearOfCuts,
  cutIndex,
  outburstsIn,
  rateMeter,
  runningSums,
  silentShare,
} from '../scan/scan-measures.ts';
import {
  asksQuestion,
  contrastsIn,
  endsWhole,
  hookStrength,
  leansOnBefore,
  numbersIn,
  substanceOf,
} from './word-features.ts';

/** A part of the source between two places where a clip may begin or end. */
export interface Unit extends Span {
  /** Its words as text; empty if they are not known. */
  text: string;
  /** Number of its words. */
  words: number;
}

/** Plain measures of a clip, which an explanation can name. */
export interface ClipMeasures {
  questions: number;
  numbers: number;
  /** Words per second of speech. */
  pace: number;
  /** Mean level in dB above the source's usual level. */
  louder: number;
  outbursts: number;
  cuts: number;
}

export interface Measured {
  features: Features;
  measures: ClipMeasures;
}

const limit = (value: number): number => Math.min(1, Math.max(0, value));

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** 1 at the target, 0.55 at half or twice the target. */
const lengthFit = (length: number, target: number): number =>
  Math.exp(-((Math.log(length / target) / 0.9) ** 2));

/** Whether English rules apply to the words. */
const isEnglish = ({ transcript }: Analysis): boolean =>
  transcript?.language
    ? /^en(?:-|$)/i.test(transcript.language)
    : looksEnglish(transcript?.words ?? []);

/**
 * Makes a function that measures the clip from unit `first` to unit `last` with the times `span`.
 * Build it once per source. Each call is cheap, because a long source has hundreds of thousands of
 * clips to compare.
 */
export function featureMeter(
  analysis: Analysis,
  units: readonly Unit[],
  target: number,
): (first: number, last: number, span: Span) => Measured {
  const spoken = units.some((unit) => unit.words > 0);
  const english = isEnglish(analysis);
  const sum = (measure: (unit: Unit) => number) => runningSums(units.map(measure));
  const seconds = ({ start, end }: Unit) => end - start;
  const paces = units.filter((unit) => unit.words > 2).map((unit) => unit.words / seconds(unit));
  const usualPace = median(paces) || 1;
  const questions = sum(({ text }) => (asksQuestion(text, english) ? 1 : 0));
  const numbers = sum(({ text }) => numbersIn(text, english));
  const contrasts = sum(({ text }) => (english ? contrastsIn(text) : 0));
  const words = sum((unit) => unit.words);
  const said = sum((unit) => (unit.words > 0 ? seconds(unit) : 0));
  const worth = units.map(({ text }) => (text ? substanceOf(text, english) : 0));
  const substance = runningSums(units.map((unit, index) => (worth[index] ?? 0) * seconds(unit)));
  const held = sum(seconds);
  const turns = units.map((_, index) => subjectBreak(units, index, english));
  const breaks = runningSums(turns);
  const hooks = units.map(({ text }) => hookStrength(text, english));
  const { step, values } = analysis.loudness;
  const heard = values.filter((level) => level > -50);
  const usualLevel = median(heard);
  const power = runningSums(values.map((level) => 10 ** (level / 10)));
  const silent = runningSums(
    values.map((_, index) => silentShare(analysis.silences, index * step, (index + 1) * step)),
  );
  const outbursts = outburstsIn(analysis, units, usualLevel);
  const rates = rateMeter(analysis);
  const cuts = cutIndex(analysis.cuts);

  /**
   * How independent a clip is of its neighbour: 1 if that is about something else, 0 if it is more
   * of the same.
   */
  const apart = (neighbour: number, gap: number, turned: number): number => {
    if (neighbour < 0 || neighbour >= units.length) return 1;
    return limit(Math.max(turned, 1 - 1.4 * (worth[neighbour] ?? 0) + 0.25 * Math.min(1, gap)));
  };

  return (first, last, span) => {
    const length = span.end - span.start;
    const from = Math.floor(span.start / step);
    const to = Math.max(from + 1, Math.ceil(span.end / step));
    const features: Features = { length: lengthFit(length, target) };
    // Pauses do not make the voice quieter.
    const sounding = Math.max(0.5, to - from - silent(from, to));
    const louder = 10 * Math.log10(power(from, to) / sounding + 1e-7) - usualLevel;
    const measures: ClipMeasures = {
      questions: questions(first, last + 1),
      numbers: numbers(first, last + 1),
      pace: words(first, last + 1) / Math.max(0.1, said(first, last + 1)),
      louder,
      outbursts: outbursts(span.start, span.end + 2),
      cuts: cuts.between(span.start, span.end),
    };
    if (heard.length > 0) {
      features['loudness'] = limit(0.1 + louder / 3);
      features['reaction'] = measures.outbursts > 0 ? 1 : 0.4;
    }
    const clear = clearOfCuts(cuts, span);
    if (!spoken) {
      if (heard.length > 0) features['speech'] = limit(1 - silent(from, to) / (to - from));
      features['movement'] = limit(rates(span.start, span.end));
      features['opening'] = clear.start ? 0.5 : 0.2;
      features['ending'] = clear.end ? 0.5 : 0.2;
      return { features, measures };
    }
    const gapBefore = units[first]!.start - (units[first - 1]?.end ?? -1);
    const gapAfter = (units[last + 1]?.start ?? Infinity) - units[last]!.end;
    const minutes = length / 60;
    features['speech'] = limit(said(first, last + 1) / length);
    features['hook'] = hooks[first] ?? 0;
    features['substance'] = limit(
      substance(first, last + 1) / Math.max(0.1, held(first, last + 1)),
    );
    features['question'] = limit(measures.questions / Math.max(1, minutes * 3));
    features['number'] = limit(measures.numbers / Math.max(1.5, minutes * 6));
    if (english) {
      features['contrast'] = limit(contrasts(first, last + 1) / Math.max(1, minutes * 4));
    }
    features['unity'] = 1 / (1 + 2 * breaks(first + 1, last + 1));
    features['pace'] = limit(0.5 + 1.25 * (measures.pace / usualPace - 1));
    const opens = leansOnBefore(units[first]?.text ?? '', english) ? 0 : 0.35;
    const closes = endsWhole(units[last]?.text ?? '') ? 0.35 : 0.05;
    const after = units[last + 1];
    features['opening'] =
      limit(opens + 0.65 * apart(first - 1, gapBefore, turns[first] ?? 0)) *
      (clear.start ? 1 : 0.7);
    features['ending'] =
      limit(closes + 0.65 * (after ? apart(last + 1, gapAfter, turns[last + 1] ?? 0) : 1)) *
      (clear.end ? 1 : 0.7);
    return { features, measures };
  };
}

/**
 * How likely a unit begins another subject, 0 to 1: its words say so, or the pause before it is
 * over 0.9 s and more than twice the pauses around it.
 */
function subjectBreak(units: readonly Unit[], index: number, english: boolean): number {
  if (index === 0) return 0;
  const says = english && turnsInEnglish(units[index]?.text ?? '');
  const gap = (at: number) => (units[at]?.start ?? Infinity) - (units[at - 1]?.end ?? -Infinity);
  const around = [-3, -2, -1, 1, 2, 3].map((step) => gap(index + step)).filter(Number.isFinite);
  const long = gap(index) > 0.9 && gap(index) > 2 * median(around);
  return says ? 1 : long ? 0.8 : 0;
}
