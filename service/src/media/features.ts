import type { Analysis, Span } from './analysis.ts';
import {
  asksQuestion,
  contrastsIn,
  endsWhole,
  hookStrength,
  leansOnBefore,
  numbersIn,
} from './word-features.ts';

/** A piece of material between two places where a clip may begin or end. */
export interface Unit extends Span {
  /** What is said in it; empty where that is not known. */
  text: string;
  /** Words said in it. */
  words: number;
}

/** Features by name, each 0 to 1. Those about words are absent where no words are known. */
export type Features = Record<string, number>;

const limit = (value: number): number => Math.min(1, Math.max(0, value));

/** Sums of a list up to each place, so that the sum of any run costs one subtraction. */
function runningSums(values: readonly number[]): (from: number, to: number) => number {
  const sums = new Float64Array(values.length + 1);
  values.forEach((value, index) => {
    sums[index + 1] = (sums[index] ?? 0) + value;
  });
  const at = (index: number) => sums[Math.min(values.length, Math.max(0, index))] ?? 0;
  return (from, to) => at(to) - at(from);
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

/** 1 at the target, 0.55 at half or twice of it. */
export const lengthFit = (length: number, target: number): number =>
  Math.exp(-((Math.log(length / target) / 0.9) ** 2));

/**
 * Makes the function that measures a clip of the units `first` to `last`, held between `span`. Built once a source; each
 * call is cheap, as long sources have hundreds of thousands of clips to compare.
 */
export function featureMeter(
  analysis: Analysis,
  units: readonly Unit[],
  target: number,
): (first: number, last: number, span: Span) => Features {
  const spoken = units.some((unit) => unit.words > 0);
  const sum = (measure: (unit: Unit) => number) => runningSums(units.map(measure));
  const questions = sum(({ text }) => (asksQuestion(text) ? 1 : 0));
  const numbers = sum(({ text }) => numbersIn(text));
  const contrasts = sum(({ text }) => contrastsIn(text));
  const words = sum((unit) => unit.words);
  const breaks = runningSums(units.map((_, index) => (longBreak(units, index) ? 1 : 0)));
  const hooks = units.map(({ text }) => hookStrength(text));
  const { step, values } = analysis.loudness;
  const heard = values.filter((level) => level > -60);
  const usual = median(heard);
  const above = runningSums(values.map((level) => Math.max(0, level - usual - 1.5)));
  const silent = runningSums(
    values.map((_, index) => silentShare(analysis, index * step, (index + 1) * step)),
  );
  const cuts = runningSums(cutCounts(analysis));

  return (first, last, span) => {
    const length = span.end - span.start;
    const from = Math.floor(span.start / step);
    const to = Math.max(from + 1, Math.ceil(span.end / step));
    const features: Features = { length: lengthFit(length, target) };
    if (heard.length > 0) {
      features['loudness'] = limit(above(from, to) / (to - from) / 2.5);
      features['speech'] = limit(1 - silent(from, to) / (to - from));
    }
    const gapBefore = span.start - (units[first - 1]?.end ?? -1);
    const gapAfter = (units[last + 1]?.start ?? Infinity) - span.end;
    const text = units[first]?.text ?? '';
    const lastText = units[last]?.text ?? '';
    if (!spoken) {
      const rate = cuts(Math.floor(span.start), Math.ceil(span.end)) / length;
      features['movement'] = limit(rate * 5);
      features['opening'] = 0.5;
      features['ending'] = 0.5;
      return features;
    }
    const minutes = length / 60;
    features['hook'] = hooks[first] ?? 0;
    features['question'] = limit(questions(first, last + 1) / Math.max(1, minutes * 3));
    features['number'] = limit(numbers(first, last + 1) / Math.max(1.5, minutes * 6));
    features['contrast'] = limit(contrasts(first, last + 1) / Math.max(1, minutes * 4));
    // A long break between two sentences is most often a change of subject.
    features['unity'] = 1 / (1 + 2 * breaks(first + 1, last + 1));
    const pace = words(first, last + 1) / length;
    features['pace'] = limit(1 - Math.abs(pace - 2.8) / 2.8);
    features['opening'] = limit((leansOnBefore(text) ? 0 : 0.6) + (gapBefore >= 0.25 ? 0.4 : 0.15));
    features['ending'] = limit((endsWhole(lastText) ? 0.6 : 0.1) + (gapAfter >= 0.25 ? 0.4 : 0.15));
    return features;
  };
}

function silentShare(analysis: Analysis, from: number, to: number): number {
  let low = 0;
  let high = analysis.silences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((analysis.silences[middle]?.end ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  let share = 0;
  for (let index = low; index < analysis.silences.length; index++) {
    const silence = analysis.silences[index];
    if (!silence || silence.start >= to) break;
    share += (Math.min(to, silence.end) - Math.max(from, silence.start)) / (to - from);
  }
  return limit(share);
}

/** Whether the pause before a unit is much longer than those around it: over 0.9 s, and twice its neighbours. */
function longBreak(units: readonly Unit[], index: number): boolean {
  const gap = (at: number) => (units[at]?.start ?? Infinity) - (units[at - 1]?.end ?? -Infinity);
  const around = [-3, -2, -1, 1, 2, 3].map((step) => gap(index + step)).filter(Number.isFinite);
  return index > 0 && gap(index) > 0.9 && gap(index) > 2 * median(around);
}

/** Cuts in each second. */
function cutCounts(analysis: Analysis): number[] {
  const counts = Array<number>(Math.ceil(analysis.duration) + 1).fill(0);
  for (const cut of analysis.cuts) {
    const second = Math.floor(cut);
    counts[second] = (counts[second] ?? 0) + 1;
  }
  return counts;
}

/** What each feature counts for. Features that are absent leave their share to the others. */
const weights: Readonly<Record<string, number>> = {
  hook: 0.24,
  question: 0.08,
  number: 0.09,
  contrast: 0.09,
  loudness: 0.08,
  pace: 0.08,
  unity: 0.14,
  speech: 0.06,
  movement: 0.12,
  opening: 0.1,
  ending: 0.08,
  length: 0.22,
};

/** The weighted mean of the features, up to a third less where the length is far from the target. 0 to 1. */
export function scoreOf(features: Features): number {
  let sum = 0;
  let whole = 0;
  for (const name in features) {
    const weight = weights[name] ?? 0;
    sum += weight * (features[name] ?? 0);
    whole += weight;
  }
  return whole > 0 ? limit((sum / whole) * (0.67 + 0.33 * (features['length'] ?? 1))) : 0;
}
