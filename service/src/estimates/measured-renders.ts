/** A render that is done: what it took, beside what was estimated of it. */
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
  concurrency: number;
}

/** How many are kept of each quality, and how many of these of one source: the many clips of one task are not the machine. */
export const kept = { each: 40, source: 8 } as const;

/** How much less a measurement counts than the one after it. */
const fading = 0.95;

/** How many times dearer or cheaper than the usual a render may be and still be taken for a measurement of this machine. */
const outlier = 20;

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

/** Whether a render says something: no zero, nothing that is no number. */
export const saysSomething = ({ work, cpu, seconds }: MeasuredRender): boolean =>
  [work, cpu, seconds].every((value) => Number.isFinite(value) && value > 0);

/** The renders with another one; the oldest of its quality, or of its source in it, makes room. Oldest first. */
export function keptWith(
  renders: readonly MeasuredRender[],
  added: MeasuredRender,
): MeasuredRender[] {
  const room = { each: kept.each, source: kept.source };
  const newestFirst = [...renders, added].toReversed().filter((one) => {
    if (one.quality !== added.quality) return true;
    if (one.source === added.source && room.source-- <= 0) return false;
    return room.each-- > 0;
  });
  return newestFirst.toReversed();
}

const logRatio = ({ cpu, work }: MeasuredRender): number => Math.log(cpu / work);

const newestCounting = (renders: readonly MeasuredRender[]): number | null =>
  weightedMedian(
    renders.toReversed().map((one, age) => ({ value: logRatio(one), weight: fading ** age })),
  );

const qualities = ['export', 'preview'] as const;

/** What is known of one source: how much dearer it is than usual, as a logarithm, and how much evidence there is of it. */
interface Known {
  offset: number;
  evidence: number;
}

/**
 * What to multiply `renderWork` by to have processor seconds of this machine. Footage of which something has been rendered before is known by that:
 * its pictures are dearer or cheaper than their bits say. Reckoned once, asked as often as there are jobs.
 * @param renders oldest first
 */
export function workFactors(
  renders: readonly MeasuredRender[],
): (of: Pick<MeasuredRender, 'source' | 'quality'>) => number {
  const said = renders.filter(saysSomething);
  const near = qualities.flatMap((quality) => {
    const own = said.filter((one) => one.quality === quality);
    const median = newestCounting(own) ?? 0;
    return own.filter((one) => Math.abs(logRatio(one) - median) <= Math.log(outlier));
  });
  const known = said.filter((one) => near.includes(one));
  const all = newestCounting(known) ?? 0;
  // A quality of which nothing is known is taken to be as the other.
  const usual = Object.fromEntries(
    qualities.map((quality) => [
      quality,
      newestCounting(known.filter((one) => one.quality === quality)) ?? all,
    ]),
  ) as Record<MeasuredRender['quality'], number>;
  const bySource = Map.groupBy(known, ({ source }) => source);
  const about = (own: readonly MeasuredRender[], quality: MeasuredRender['quality']): Known => ({
    offset:
      weightedMedian(
        own.toReversed().map((one, age) => ({
          value: logRatio(one) - usual[one.quality],
          // A preview is small, so that its source weighs more in it than in the export.
          weight: fading ** age * (one.quality === quality ? 3 : 1),
        })),
      ) ?? 0,
    evidence: own.reduce((sum, one) => sum + (one.quality === quality ? 3 : 0.5), 0),
  });
  const factors = new Map<string, number>();
  for (const [source, own] of bySource) {
    for (const quality of qualities) {
      const { offset, evidence } = about(own, quality);
      factors.set(
        `${quality} ${source}`,
        Math.exp(usual[quality] + (offset * evidence) / (evidence + 1)),
      );
    }
  }
  return ({ source, quality }) => factors.get(`${quality} ${source}`) ?? Math.exp(usual[quality]);
}

/** One of `workFactors`. */
export const workFactor = (
  renders: readonly MeasuredRender[],
  of: Pick<MeasuredRender, 'source' | 'quality'>,
): number => workFactors(renders)(of);
