/**
 * Fits the weights of `src/moments/settings.ts` to real conversations with marks of laughter.
 * Cross-validated: no conversation is measured with weights that it helped to fit.
 *
 *     node research/fit/fit.ts DIRECTORY
 */
import { pickCandidates } from '../../packages/engine/src/moments/candidates.ts';
import { findClipSpan } from '../../packages/engine/src/moments/clip-span.ts';
import { createFeatureMeter } from '../../packages/engine/src/moments/features.ts';
import { settings } from '../../packages/engine/src/moments/settings.ts';
import { makeUnits } from '../../packages/engine/src/moments/units.ts';
import { cutIndex } from '../../packages/engine/src/scan/scan-measures.ts';
import { readConversations, type Conversation } from './conversation.ts';
import { figuresOf } from './figures.ts';
import { printFigures } from './print.ts';

/** Features that laughter can tell about. The weights of the others are an editor's choice. */
const fitted = ['emphasis', 'brevity', 'person', 'exchange', 'reply'] as const;

/** Sums of the fitted weights that are tried, as shares of the sum of the editor's weights. */
const strengths = [0, 0.25, 0.5, 0.75, 1, 2];
const folds = 4;
const ridge = 0.02;
const options = { count: 10, min: 15, max: 60, target: 30 };

/** Features of a clip, and its laughs, both minus what is usual in the conversation. */
interface Row {
  features: number[];
  laughs: number;
}

/** A clip of about the target length from the start of each turn. */
function rowsOf({ analysis, laughs }: Conversation): Row[] {
  const units = makeUnits(analysis, options);
  const measure = createFeatureMeter(analysis, units, options.target);
  const source = { from: 0, to: analysis.duration, cuts: cutIndex([]), reactions: [] };
  const rows = units.flatMap((unit, first): Row[] => {
    if (!unit.opensTurn) return [];
    let last = first;
    while (last + 1 < units.length && units[last]!.end - unit.start < options.target) last += 1;
    const span = findClipSpan(units, [first, last], options, source);
    if (!span) return [];
    const { features } = measure(first, last, span);
    return [
      {
        features: fitted.map((name) => features[name] ?? 0),
        laughs: laughs.filter((at) => at >= span.start && at <= span.end + 5).length,
      },
    ];
  });
  const mean = (of: (row: Row) => number) =>
    rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const usual = fitted.map((_, index) => mean(({ features }) => features[index]!));
  const usualLaughs = mean((row) => row.laughs);
  return rows.map((row) => ({
    features: row.features.map((value, index) => value - usual[index]!),
    laughs: row.laughs - usualLaughs,
  }));
}

/** Least squares without negative weights, by coordinate descent on standardised features. */
function fit(rows: readonly Row[]): number[] {
  const scales = fitted.map(
    (_, at) =>
      Math.sqrt(rows.reduce((sum, row) => sum + row.features[at]! ** 2, 0) / rows.length) || 1,
  );
  const weights = fitted.map(() => 0);
  const rest = rows.map(({ laughs }) => laughs);
  for (let round = 0; round < 60; round++) {
    fitted.forEach((_, at) => {
      let slope = 0;
      rows.forEach(({ features }, row) => {
        slope += (features[at]! / scales[at]!) * rest[row]!;
      });
      const before = weights[at]! * scales[at]!;
      const after = Math.max(0, (slope / rows.length + before) / (1 + ridge));
      rows.forEach(({ features }, row) => {
        rest[row]! -= (after - before) * (features[at]! / scales[at]!);
      });
      weights[at] = after / scales[at]!;
    });
  }
  return weights;
}

/** What the editor's weights of speech sum up to. */
const editorSum = Object.entries(settings.weights)
  .filter(([name]) => !(fitted as readonly string[]).includes(name))
  .filter(([name]) => !['loudness', 'reaction', 'movement'].includes(name))
  .reduce((sum, [, weight]) => sum + weight, 0);

/** The fitted weights at a strength, beside the editor's. */
function blended(weights: readonly number[], strength: number): Record<string, number> {
  const factor = (strength * editorSum) / weights.reduce((sum, weight) => sum + weight, 0);
  return {
    ...settings.weights,
    ...Object.fromEntries(fitted.map((name, at) => [name, factor * weights[at]!])),
  };
}

const directory = process.argv[2];
if (!directory) throw new Error('Give the folder with the transcripts: fit.ts DIRECTORY');
const conversations = await readConversations(directory);
const rows = conversations.map(rowsOf);
const byFold = Array.from({ length: folds }, (_, fold) =>
  fit(rows.filter((_rows, index) => index % folds !== fold).flat()),
);
for (const strength of strengths) {
  printFigures(
    `strength ${strength}`,
    figuresOf(conversations, (one) =>
      pickCandidates(one.analysis, options, {
        settings: {
          ...settings,
          weights: blended(byFold[conversations.indexOf(one) % folds]!, strength),
        },
      }),
    ),
  );
}
const all = fit(rows.flat());
console.log('\nfeature, weight of all, weights of the folds, weight at strength 0.75, in use');
fitted.forEach((name, at) => {
  const figures = [
    all[at]!,
    ...byFold.map((weights) => weights[at]!),
    blended(all, 0.75)[name]!,
    settings.weights[name]!,
  ];
  console.log(`${name.padEnd(10)} ${figures.map((figure) => figure.toFixed(2)).join('  ')}`);
});
