/**
 * A small logistic model: some hundred cues, each with a weight. `research/fit/cues.ts` makes
 * the weights from conversations.
 */
export interface CueModel {
  /** The log-odds without any cue. */
  bias: number;
  weights: ReadonlyMap<string, number>;
}

/**
 * Reads the weights as they are printed: by kind of cue, the cues of each weight.
 * @param lists by kind: lines such as `1.5: yeah, right`
 */
export function cueModel(bias: number, lists: Readonly<Record<string, string>>): CueModel {
  const weights = new Map<string, number>();
  for (const [kind, lines] of Object.entries(lists)) {
    for (const line of lines.trim().split('\n')) {
      const [weight, cues = ''] = line.split(': ');
      for (const cue of cues.split(', ')) weights.set(`${kind}: ${cue}`, Number(weight));
    }
  }
  return { bias, weights };
}

/** The log-odds of what the model tells, from the cues that are there. */
export const logOddsOf = ({ bias, weights }: CueModel, cues: readonly string[]): number =>
  cues.reduce((sum, cue) => sum + (weights.get(cue) ?? 0), bias);

export const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** A word without case and without marks around it, as cues know it. */
export const bareWord = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
