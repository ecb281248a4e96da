import { toUnitInterval } from '../scan/scan-measures.ts';
import { findIndex } from '../spans.ts';
import { type ScoreSettings, settings } from './settings.ts';

/** Features by name, each 0 to 1. Features of words are missing if no words are known. */
export type Features = Record<string, number>;

/** The weighted mean of the content's features, 0 to 1. */
function rateContent(features: Features, { weights }: ScoreSettings): number {
  let sum = 0;
  let whole = 0;
  for (const name in features) {
    const weight = weights[name] ?? 0;
    sum += weight * (features[name] ?? 0);
    whole += weight;
  }
  return whole > 0 ? sum / whole : 0;
}

/**
 * The worth of a clip: its content, lowered for each need that is not met, 0 to 1. A higher feature
 * never lowers it.
 */
export function computeScore(features: Features, chosen = settings): number {
  const { needs } = chosen;
  let met = 1;
  for (const name in features) met *= 1 - (needs[name] ?? 0) * (1 - (features[name] ?? 0));
  return toUnitInterval(rateContent(features, chosen) * met);
}

const shown: ScoreSettings = {
  ...settings,
  weights: { ...settings.weights, ...settings.shownWeights },
};

/** The worth of a clip as people see it, 0 to 1: `calibrateScore` compares these. */
export const computeShownScore = (features: Features): number => computeScore(features, shown);

/** Values and their scores, in ascending order. */
type Scale = readonly (readonly [value: number, score: number])[];

/** The content of a part that is better than two in three of real conversations. */
const fairContent = 0.65;

/**
 * From the content of a clip to its place among real conversations: 0.4 is better than half of
 * their parts, 0.74 than nine in ten, as measured on twelve talks of three shows.
 */
const amongConversations: Scale = [
  [0, 0],
  [0.45, 0.12],
  [0.55, 0.25],
  [0.62, 0.4],
  [fairContent, 0.5],
  [0.7, 0.74],
  [0.73, 0.87],
  [0.76, 0.95],
  [1, 1],
];

/**
 * From how many places of a source have a clip that is as good, as log10 of their share, to a
 * score. Ten clips of an hour of talk are mostly within the best twentieth (-1.3), and those are
 * what people would post.
 */
const inSource: Scale = [
  [-3.3, 0.97],
  [-3, 0.92],
  [-2.5, 0.8],
  [-2, 0.66],
  [-1.7, 0.57],
  [-1.3, 0.43],
  [-1, 0.33],
  [-0.5, 0.2],
  [0, 0],
];

function onScale(scale: Scale, value: number): number {
  const next = scale.findIndex(([bound]) => value <= bound);
  if (next <= 0) return scale.at(next)![1];
  const [[from, low], [to, high]] = [scale[next - 1]!, scale[next]!];
  return low + ((value - from) / (to - from)) * (high - low);
}

/**
 * The number of units in about half an hour of talk. Fewer places say less about what is usual in a
 * source.
 */
const fullPlaces = 300;

/** The content of a clip without words, as if it had fair ones. */
function estimateContent(features: Features): number {
  const { reaction: _, ...weights } = shown.weights;
  const middle = Object.fromEntries(Object.keys(weights).map((name) => [name, 0.5]));
  return fairContent + (rateContent({ ...middle, ...features }, shown) - 0.5) / 2;
}

/**
 * The score that people see, 0 to 1: up to three quarters of it are the place in the source itself,
 * where a clip that begins within a thought comes after one that does not. The rest is the place
 * among real conversations; without words, that is near the middle, whatever is heard and moves. It
 * never falls when a feature grows.
 * @param worths what the best clip of each place in the source is worth, in ascending order
 */
export function calibrateScore(features: Features, worths: Float64Array): number {
  // Each clip with words has this feature.
  const content =
    features['substance'] === undefined ? estimateContent(features) : rateContent(features, shown);
  const among = onScale(amongConversations, content);
  if (worths.length === 0) return among;
  const worth = computeShownScore(features) - 1e-9;
  const better = worths.length - findIndex(worths.length, (at) => worths[at]!, worth);
  const share = Math.max(0.5, better - 0.5) / worths.length;
  const weight = 0.75 * Math.min(1, worths.length / fullPlaces);
  return (1 - weight) * among + weight * onScale(inSource, Math.log10(share));
}

/** A lower score is weak: a person would not post such a clip. */
export const weakScore = 0.45;
