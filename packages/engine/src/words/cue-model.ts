/**
 * A small logistic model: some hundred cues, each with a weight that was fitted to
 * conversations.
 */
export interface CueModel {
  /** The log-odds without any cue. */
  bias: number;
  weights: ReadonlyMap<string, number>;
}

/** Reads a model of a JSON file. */
export const readCueModel = ({
  bias,
  weights,
}: {
  bias: number;
  weights: Readonly<Record<string, number>>;
}): CueModel => ({ bias, weights: new Map(Object.entries(weights)) });

/** The log-odds that the model assigns to the cues that are present. */
export const computeLogOdds = ({ bias, weights }: CueModel, cues: readonly string[]): number =>
  cues.reduce((sum, cue) => sum + (weights.get(cue) ?? 0), bias);

export const convertToProbability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** A word without case and without marks around it, as cues know it. */
export const stripWord = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');
