import type { CueModel } from '../../packages/engine/src/words/cue-model.ts';
import { dice } from './conversation.ts';

/** A case: the cues that are there, and whether it is what the model must tell. */
export interface Case {
  cues: readonly string[];
  holds: boolean;
}

const passes = 4;
const rate = 0.3;
/** Rarer cues say more about one conversation than about speech. */
const minCases = 60;

function countsOf(cases: readonly Case[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { cues } of cases) for (const cue of cues) counts.set(cue, (counts.get(cue) ?? 0) + 1);
  return counts;
}

/** Logistic regression by AdaGrad. */
function trained(cases: readonly Case[], known: readonly string[]): CueModel {
  const places = new Map(known.map((cue, place) => [cue, place]));
  const weights = new Float64Array(known.length + 1);
  const squares = new Float64Array(known.length + 1).fill(1);
  const rows = cases.map(({ cues }) =>
    Int32Array.from([
      ...cues.flatMap((cue) => places.get(cue) ?? []),
      // The last weight is the bias.
      known.length,
    ]),
  );
  const random = dice(1);
  const order = Int32Array.from(rows, (_, index) => index);
  for (let pass = 0; pass < passes; pass++) {
    for (let index = order.length - 1; index > 0; index--) {
      const other = Math.floor(random() * (index + 1));
      [order[index], order[other]] = [order[other]!, order[index]!];
    }
    for (const index of order) {
      const row = rows[index]!;
      let logOdds = 0;
      for (const place of row) logOdds += weights[place]!;
      const error = 1 / (1 + Math.exp(-logOdds)) - Number(cases[index]!.holds);
      for (const place of row) {
        squares[place]! += error ** 2;
        weights[place]! -= (rate * error) / Math.sqrt(squares[place]!);
      }
    }
  }
  return {
    bias: weights[known.length]!,
    weights: new Map(known.map((cue, place) => [cue, weights[place]!])),
  };
}

/**
 * Fits a model with few cues: those that told most among all. It tells other conversations better
 * than a model with all cues does.
 */
export function fitted(cases: readonly Case[], maxCues: number): CueModel {
  const counts = countsOf(cases);
  const common = [...counts.keys()].filter((cue) => counts.get(cue)! >= minCases);
  const { weights } = trained(cases, common);
  const tells = (cue: string) => Math.abs(weights.get(cue)!) * Math.sqrt(counts.get(cue)!);
  const best = common.toSorted((one, other) => tells(other) - tells(one)).slice(0, maxCues);
  const model = trained(cases, best);
  const rounded = (value: number) => Math.round(10 * value) / 10;
  return {
    bias: rounded(model.bias),
    weights: new Map([...model.weights].map(([cue, weight]) => [cue, rounded(weight)])),
  };
}
