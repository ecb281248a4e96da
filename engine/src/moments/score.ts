/** Features by name, each 0 to 1. Those about words are absent where no words are known. */
export type Features = Record<string, number>;

/** What each feature counts for. Features that are absent leave their share to the others. */
const weights: Readonly<Record<string, number>> = {
  hook: 0.16,
  substance: 0.42,
  question: 0.03,
  number: 0.03,
  contrast: 0.03,
  loudness: 0.12,
  reaction: 0.05,
  pace: 0.07,
  unity: 0.12,
  speech: 0.08,
  movement: 0.1,
  opening: 0.16,
  ending: 0.16,
  length: 0.1,
};

const limit = (value: number): number => Math.min(1, Math.max(0, value));

/**
 * The weighted mean of the features, up to a third less where the length is far from the target. 0 to 1. A feature that
 * grows never makes it smaller.
 */
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

/** A value that speaks neither for a clip nor against it. */
const indifferent = 0.5;

/**
 * How far each feature moves the score from where it would be if that feature said nothing: above 0 it raises the score,
 * below it lowers it. Most first.
 */
export const effectsOf = (features: Features): [name: string, effect: number][] => {
  const score = scoreOf(features);
  return Object.keys(features)
    .map((name): [string, number] => [name, score - scoreOf({ ...features, [name]: indifferent })])
    .toSorted((one, other) => other[1] - one[1]);
};
