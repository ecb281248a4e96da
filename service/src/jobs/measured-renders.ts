import type { Machine } from './forecast.ts';

/** A render that is done: what it took, beside what was foretold of it. */
export interface MeasuredRender {
  /** Whose footage it was: the task's id. */
  source: string;
  quality: 'export' | 'preview';
  /** As `renderWork` has it. */
  work: number;
  /** Processor seconds that it took. */
  cpu: number;
  /** Seconds of the clock in which it took them. */
  seconds: number;
  /** How many jobs were worked on in that time, itself among them: the mean. */
  beside: number;
}

/** How many are kept. */
export const keptRenders = 60;

/** How much less a measurement counts than the one after it. */
const fading = { ratio: 0.95, cores: 0.8 } as const;

/** The middle of weighted values: half of the weight lies on either side. Null for none. */
export function weightedMedian(
  values: readonly { value: number; weight: number }[],
): number | null {
  const sorted = values.filter(({ weight }) => weight > 0).toSorted((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  for (const { value, weight } of sorted) {
    passed += weight;
    if (passed >= half) return value;
  }
  return null;
}

/** Seconds of a render in which no frame is made: the source is opened, the result checked and synced. */
export const aroundRender = 0.3;

/** How much a measurement says of the processors: short renders little, and those of small previews less than exports. */
const worth = ({ seconds, quality }: MeasuredRender): number =>
  Math.min(1, seconds / 2) * (quality === 'export' ? 1 : 0.25);

/** Processors that a render has kept busy while it made frames. */
const busy = ({ cpu, seconds }: MeasuredRender): number =>
  cpu / Math.max(seconds / 3, seconds - aroundRender);

/** A render that says something: no zero, nothing that is no number. */
const says = ({ work, cpu, seconds }: MeasuredRender): boolean =>
  [work, cpu, seconds].every((value) => Number.isFinite(value) && value > 0);

const logRatio = ({ cpu, work }: MeasuredRender): number => Math.log(cpu / work);

/** The kind's own ratio, as a logarithm: the median, the newest counting most; 0 where nothing is known. */
function usual(renders: readonly MeasuredRender[], quality: MeasuredRender['quality']): number {
  const own = renders.filter((one) => one.quality === quality);
  const weighted = (of: readonly MeasuredRender[]) =>
    of.toReversed().map((one, age) => ({ value: logRatio(one), weight: fading.ratio ** age }));
  return weightedMedian(weighted(own.length > 0 ? own : renders)) ?? 0;
}

/**
 * What to multiply `renderWork` by to have processor seconds of this machine. Footage of which something has been rendered before is known by that:
 * its pictures are dearer or cheaper than their bits say.
 * @param renders oldest first
 */
export function workFactor(
  renders: readonly MeasuredRender[],
  { source, quality }: Pick<MeasuredRender, 'source' | 'quality'>,
): number {
  const known = renders.filter(says);
  const own = known.filter((one) => one.source === source);
  const offset = weightedMedian(
    own.toReversed().map((one, age) => ({
      value: logRatio(one) - usual(known, one.quality),
      // A preview is small, so that its source weighs more in it than in the export.
      weight: fading.ratio ** age * (one.quality === quality ? 3 : 1),
    })),
  );
  const evidence = own.reduce((sum, one) => sum + (one.quality === quality ? 3 : 0.5), 0);
  return Math.exp(usual(known, quality) + ((offset ?? 0) * evidence) / (evidence + 1));
}

/**
 * The processors that renders keep busy: alone, and together, as the latest did.
 * @param processors how many the machine has: what is guessed before anything was measured
 */
export function coresOf(
  renders: readonly MeasuredRender[],
  processors: number,
): Pick<Machine, 'alone' | 'together'> {
  const known = renders.filter(says);
  const median = (of: readonly MeasuredRender[], cores: (one: MeasuredRender) => number) =>
    weightedMedian(
      of.toReversed().map((one, age) => ({
        value: cores(one),
        weight: fading.cores ** age * worth(one),
      })),
    );
  const byItself = known.filter(({ beside }) => beside < 1.3);
  const crowded = known.filter(({ beside }) => beside >= 1.7);
  const alone = median(byItself, busy);
  const together = median(crowded, (one) => one.beside * busy(one));
  const guess = { alone: Math.min(processors * 0.85, 4), together: processors * 0.95 };
  // One of them tells of the other: a machine that has other things to do has them in both cases.
  const slow =
    alone !== null ? alone / guess.alone : together !== null ? together / guess.together : 1;
  return { alone: alone ?? guess.alone * slow, together: together ?? guess.together * slow };
}
