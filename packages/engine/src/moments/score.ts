import { toUnitInterval } from '../scan/scan-measures.ts';
/** Features by name, each 0 to 1. Features of words are missing if no words are known. */
export type Features = Record<string, number>;

/**
 * How much each feature of the content counts. The weights of missing features go to the others.
 * `node research/fit/fit.ts` fits those of conversations; see docs/engine.md.
 */
export const contentWeights: Readonly<Record<string, number>> = {
  hook: 0.1,
  substance: 0.3,
  question: 0.03,
  number: 0.03,
  contrast: 0.03,
  loudness: 0.1,
  reaction: 0.6,
  pace: 0.05,
  unity: 0.1,
  speech: 0.06,
  movement: 0.1,
  emphasis: 0.06,
  brevity: 0.18,
  person: 0.11,
  exchange: 0.25,
  reply: 0.04,
};

/**
 * What a clip needs, whatever it is about. A clip without it loses this share of its score. An
 * editor's choice, weighed with `node research/fit/measure.ts`: more for the edges and the
 * thought costs laughs.
 */
const needs: Readonly<Record<string, number>> = {
  opening: 0.9,
  ending: 0.9,
  answer: 0.4,
  thought: 0.85,
  purpose: 0.4,
  length: 0.5,
};

/**
 * The weighted mean of the content's features, 0 to 1, lowered for each need that is not met. A
 * higher feature never lowers it.
 */
export function scoreOf(features: Features, weights = contentWeights): number {
  let sum = 0;
  let whole = 0;
  let met = 1;
  for (const name in features) {
    const value = features[name] ?? 0;
    const weight = weights[name] ?? 0;
    sum += weight * value;
    whole += weight;
    met *= 1 - (needs[name] ?? 0) * (1 - value);
  }
  return whole > 0 ? toUnitInterval((sum / whole) * met) : 0;
}

/**
 * How well a source does on average: mean and standard deviation of the best clip that ends with
 * each unit.
 */
export interface Usual {
  mean: number;
  deviation: number;
}

/** The same of real conversations, as `node research/fit/fit.ts` measures it. */
const conversations: Usual = { mean: 0.31, deviation: 0.104 };

/**
 * From a value of `scoreOf` to the score that people see. Up to 0.45 it is the place among all
 * parts of real conversations: 0.45 is better than nine in ten. Above, it is the place among the
 * clips that were chosen from them: 0.9 is better than nine in ten of those.
 */
const scale: readonly (readonly [value: number, score: number])[] = [
  [0, 0],
  [0.19, 0.1],
  [0.3, 0.25],
  [0.46, 0.45],
  [0.55, 0.55],
  [0.57, 0.62],
  [0.59, 0.7],
  [0.617, 0.8],
  [0.647, 0.9],
  [0.7, 0.97],
  [1, 1],
];

/** The deviation of a source with equal parts is not known better than this. */
const minDeviation = 0.02;

/**
 * The score that people see, 0 to 1: half of it is the place in the source itself, so that the best
 * and the tenth differ, and half is the place among real conversations. It rises with `value`.
 * @param usual null if the source has too few parts
 */
export function calibrated(value: number, usual: Usual | null): number {
  const place = usual && (value - usual.mean) / Math.max(minDeviation, usual.deviation);
  const inSource = place === null ? value : conversations.mean + conversations.deviation * place;
  const mixed = toUnitInterval((value + inSource) / 2);
  const next = scale.findIndex(([bound]) => mixed <= bound);
  const [to, high] = scale[Math.max(1, next)]!;
  const [from, low] = scale[Math.max(1, next) - 1]!;
  return low + ((mixed - from) / (to - from)) * (high - low);
}
