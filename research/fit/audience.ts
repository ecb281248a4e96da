/**
 * Fits the weights of `src/scan/audience.ts` to mixes of recordings and of made sounds, and counts
 * what each half of the recordings hears with the weights of the other half. Takes some minutes.
 *
 *     node research/fit/audience.ts DIRECTORY
 */
import {
  countsOf,
  crowdScenes,
  halfOf,
  materialIn,
  sceneSeconds,
  type Material,
  type Scene,
} from '../bench/crowd-scenes.ts';
import {
  crowdEvidence,
  crowdMeasures,
  crowdWeights,
  reactionsIn,
  windowFrames,
  type CrowdMeasures,
} from '../../packages/engine/src/scan/audience.ts';
import { SoundReader } from '../../packages/engine/src/scan/sound-scan.ts';
import { frameSeconds } from '../../packages/engine/src/scan/speech-pauses.ts';

type Weights = typeof crowdWeights;

interface MeasuredScene {
  scene: Omit<Scene, 'samples'>;
  /** Level of each frame, in dBFS. */
  levels: Float32Array;
  windows: { number: number; measures: CrowdMeasures }[];
}

function measured({ samples, ...scene }: Scene): MeasuredScene {
  const levels = new Float32Array(sceneSeconds / frameSeconds);
  const windows: MeasuredScene['windows'] = [];
  let number = 0;
  const reader = new SoundReader((heard, crossings, held) => {
    levels.set(heard, number * windowFrames);
    const measures = crowdMeasures(heard, crossings, held);
    if (measures) windows.push({ number, measures });
    number += 1;
    return measures;
  });
  reader.read(Buffer.from(samples.buffer));
  return { scene, levels, windows };
}

const measuredScenes = (material: Material, seed: number): MeasuredScene[] =>
  Array.from(crowdScenes(material, { seed, each: 6 }), measured);

interface Case {
  values: readonly number[];
  holds: boolean;
}

const windowSeconds = windowFrames * frameSeconds;

/** The windows of scenes that are all in a reaction, or all outside. */
const casesOf = (scenes: readonly MeasuredScene[]): Case[] =>
  scenes.flatMap(({ scene: { reactions }, windows }) =>
    windows.flatMap(({ number, measures }): Case[] => {
      const [start, end] = [number * windowSeconds, (number + 1) * windowSeconds];
      const holds = reactions.some((span) => span.start <= start && span.end >= end);
      if (!holds && reactions.some((span) => span.start < end && span.end > start)) return [];
      const { crossings, low, high, lasting, bassDb, vowelDb, roughDb } = measures;
      return [
        { values: [crossings, low, low ** 2, high, lasting, bassDb, vowelDb, roughDb], holds },
      ];
    }),
  );

const steps = 3000;
const rate = 1;

/**
 * Log-odds that an audience has in its favour, so that more is found. Measured on the other half:
 * 0 finds 67 % with 1.4 % false claims, 0.5 finds 70 % with 1.8 %, 1 finds 74 % with 2.1 %.
 */
const favour = 0.5;

/** Logistic regression by gradient descent on standardised values. */
function fitted(cases: readonly Case[]): Weights {
  const columns = cases[0]!.values.map((_, column) => cases.map(({ values }) => values[column]!));
  const means = columns.map(
    (column) => column.reduce((sum, value) => sum + value, 0) / column.length,
  );
  const scales = columns.map((column, at) =>
    Math.sqrt(column.reduce((sum, value) => sum + (value - means[at]!) ** 2, 0) / column.length),
  );
  const rows = cases.map(({ values }) =>
    Float64Array.from([1, ...values.map((value, at) => (value - means[at]!) / scales[at]!)]),
  );
  const weights = new Float64Array(columns.length + 1);
  for (let step = 0; step < steps; step++) {
    const slopes = new Float64Array(weights.length);
    rows.forEach((row, index) => {
      let logOdds = 0;
      for (let at = 0; at < row.length; at++) logOdds += weights[at]! * row[at]!;
      const error = 1 / (1 + Math.exp(-logOdds)) - Number(cases[index]!.holds);
      for (let at = 0; at < row.length; at++) slopes[at]! += error * row[at]!;
    });
    for (let at = 0; at < weights.length; at++) weights[at]! -= (rate * slopes[at]!) / rows.length;
  }
  const plain = scales.map((scale, at) => weights[at + 1]! / scale);
  const base = weights[0]! - plain.reduce((sum, weight, at) => sum + weight * means[at]!, 0);
  const [crossings, low, low2, high, lasting, bassDb, vowelDb, roughDb] = plain as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ];
  // a x² + b x is a (x + b / 2a)² less b² / 4a.
  return {
    ...{
      base: base + favour - low ** 2 / (4 * low2),
      crossings,
      low: low2,
      bestLow: -low / (2 * low2),
    },
    ...{ high, lasting, bassDb, vowelDb, roughDb },
  };
}

function print(name: string, scenes: readonly MeasuredScene[], weights: Weights): void {
  const total = { planted: 0, found: 0, claims: 0, wrong: 0 };
  for (const { scene, levels, windows } of scenes) {
    const heard = windows
      .map(({ number, measures }) => ({ number, evidence: crowdEvidence(measures, weights) }))
      .filter(({ evidence }) => evidence > 0);
    const counts = countsOf(scene, reactionsIn(levels, heard));
    for (const key of ['planted', 'found', 'claims', 'wrong'] as const) total[key] += counts[key];
  }
  const { planted, found, claims, wrong } = total;
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  console.log(
    `${name}: ${claims} claims, ${wrong} false (${share(wrong, claims)}), ` +
      `${found} of ${planted} found (${share(found, planted)})`,
  );
}

const directory = process.argv[2];
if (!directory) throw new Error('Give the folder with the recordings: audience.ts DIRECTORY');
const material = await materialIn(directory);
const halves = [0, 1].map((half) => measuredScenes(halfOf(material, half), 11 + half));
const weights = halves.map((scenes) => fitted(casesOf(scenes)));
halves.forEach((scenes, half) => {
  print(`half ${half}, weights in use`, scenes, crowdWeights);
  print(`half ${half}, weights of the other half`, scenes, weights[1 - half]!);
});
const all = fitted(casesOf(halves.flat()));
print('all, weights of all', halves.flat(), all);
console.log('\nweight, of the halves, of all, in use');
for (const name of Object.keys(crowdWeights) as (keyof Weights)[]) {
  const values = [...weights, all, crowdWeights].map((of) => of[name].toPrecision(3));
  console.log(`${name.padEnd(10)} ${values.join('  ')}`);
}
