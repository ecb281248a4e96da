/** Features by name, each 0 to 1. Features of words are missing if no words are known. */
export type Features = Record<string, number>;

/** The weight of each feature. The weights of missing features go to the others. */
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
 * The weighted mean of the features, 0 to 1, reduced by up to a third if the length is far from the
 * target. A higher feature never lowers it.
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

/** A value that is neither good nor bad for a clip. */
const neutralValue = 0.5;

/**
 * How much each feature changes the score, compared to a neutral value of that feature. Highest
 * first.
 */
export function effectsOf(features: Features): [name: string, effect: number][] {
  const score = scoreOf(features);
  return Object.keys(features)
    .map((name): [string, number] => [name, score - scoreOf({ ...features, [name]: neutralValue })])
    .toSorted((one, other) => other[1] - one[1]);
}
