import type { Machine } from './forecast.ts';

/** A finished render: what it took, next to what was estimated of it. */
export interface MeasuredRender {
  /** The footage: the task's id. */
  source: string;
  quality: 'export' | 'preview';
  /** As `renderWork` estimates it. */
  work: number;
  /** Processor seconds that it took. */
  cpu: number;
  /** Seconds of the clock in which it took them. */
  seconds: number;
  /** Mean number of jobs that ran in that time, this one included. */
  concurrency: number;
}

/** Footage and quality of a render. */
export type RenderKind = Pick<MeasuredRender, 'source' | 'quality'>;

/** Renders that are kept of each quality, and among them of one source. */
export const maxKept = { ofQuality: 40, ofSource: 8 } as const;

/** Seconds of a render in which no frame is made: the source is opened, the result checked. */
export const overheadSeconds = 0.3;

/** Weight of a measurement relative to the one after it. Other work on a machine comes and goes. */
const ageWeight = { ratio: 0.95, cores: 0.8 } as const;

/** What one render of the same footage weighs: of the same quality, of the other, and no render. */
const footageWeight = { same: 3, other: 0.5, unknown: 1 } as const;

/** The renders with a new one, oldest first. The oldest of its quality or source makes room. */
export function withRender(
  renders: readonly MeasuredRender[],
  added: MeasuredRender,
): MeasuredRender[] {
  const room = { ...maxKept };
  return keepNewest([...renders, added], (one) => {
    if (one.quality !== added.quality) return true;
    if (one.source === added.source && room.ofSource-- <= 0) return false;
    return room.ofQuality-- > 0;
  });
}

const keepNewest = <T>(list: readonly T[], keep: (one: T) => boolean): T[] =>
  list.toReversed().filter(keep).toReversed();

/** The middle of weighted values: half of the weight is on either side. Null if there are none. */
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

/** The median over renders (oldest first), in which newer ones weigh more. */
function recentMedian(
  renders: readonly MeasuredRender[],
  fading: number,
  valueOf: (one: MeasuredRender) => number,
  weightOf: (one: MeasuredRender) => number = () => 1,
): number | null {
  const newestFirst = renders.toReversed();
  return weightedMedian(
    newestFirst.map((one, age) => ({ value: valueOf(one), weight: fading ** age * weightOf(one) })),
  );
}

const isUseful = ({ work, cpu, seconds }: MeasuredRender): boolean =>
  [work, cpu, seconds].every((value) => Number.isFinite(value) && value > 0);

/** Processor seconds of a unit of work, as a logarithm: twice and half are equally far from 1. */
const logRatio = ({ cpu, work }: MeasuredRender): number => Math.log(cpu / work);

/**
 * What to multiply `renderWork` by to get processor seconds of this machine. Footage that was
 * rendered before has a factor of its own: its pictures cost more or less than their bits say.
 * @param renders oldest first
 */
export function workFactors(renders: readonly MeasuredRender[]): (of: RenderKind) => number {
  const useful = renders.filter(isUseful);
  const median = (of: readonly MeasuredRender[]) => recentMedian(of, ageWeight.ratio, logRatio);
  const all = median(useful) ?? 0;
  const ofQuality = (quality: RenderKind['quality']) =>
    median(useful.filter((one) => one.quality === quality)) ?? all;
  const usual = { export: ofQuality('export'), preview: ofQuality('preview') };
  const known = new Map<string, number>();
  return ({ source, quality }) => {
    const key = `${quality} ${source}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const own = useful
      .filter((one) => one.source === source)
      .map((one) => ({
        value: logRatio(one) - usual[one.quality],
        weight: one.quality === quality ? footageWeight.same : footageWeight.other,
      }));
    const offset = weightedMedian([{ value: 0, weight: footageWeight.unknown }, ...own]) ?? 0;
    const factor = Math.exp(usual[quality] + offset);
    known.set(key, factor);
    return factor;
  };
}

/** Processors that a render kept busy while it made frames. */
const busyCores = ({ cpu, seconds }: MeasuredRender): number =>
  cpu / Math.max(seconds / 3, seconds - overheadSeconds);

/** Short renders say little of the processors, and small previews less than exports. */
const coresWeight = ({ seconds, quality }: MeasuredRender): number =>
  Math.min(1, seconds / 2) * (quality === 'export' ? 1 : 0.25);

/**
 * The processors that one render keeps busy by itself, and that several share, by the latest ones.
 * Both may be less than one: a container may have half a processor.
 * @param renders oldest first
 * @param processors of the machine: the guess before anything was measured
 */
export function coresOf(
  renders: readonly MeasuredRender[],
  processors: number,
): Pick<Machine, 'single' | 'aggregate'> {
  const useful = renders.filter(isUseful);
  const median = (of: readonly MeasuredRender[], value: (one: MeasuredRender) => number) =>
    recentMedian(of, ageWeight.cores, value, coresWeight);
  const single = median(
    useful.filter(({ concurrency }) => concurrency < 1.3),
    busyCores,
  );
  const aggregate = median(
    useful.filter(({ concurrency }) => concurrency >= 1.7),
    (one) => one.concurrency * busyCores(one),
  );
  const guess = { single: Math.min(processors * 0.85, 4), aggregate: processors * 0.95 };
  // One tells of the other: a machine that has other things to do has them in both cases.
  const slowness =
    single !== null ? single / guess.single : aggregate !== null ? aggregate / guess.aggregate : 1;
  return {
    single: single ?? guess.single * slowness,
    aggregate: aggregate ?? guess.aggregate * slowness,
  };
}
