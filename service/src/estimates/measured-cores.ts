import type { Machine } from './forecast.ts';
import { saysSomething, weightedMedian, type MeasuredRender } from './measured-renders.ts';

/** How much less a measurement counts than the one after it: other work on the machine comes and goes within minutes. */
const fading = 0.8;

/** Seconds of a render in which no frame is made: the source is opened, the result checked and synced. As in `estimates.ts`. */
export const aroundRender = 0.3;

/** How much a measurement says of the processors: short renders little, and those of small previews less than exports. */
const worth = ({ seconds, quality }: MeasuredRender): number =>
  Math.min(1, seconds / 2) * (quality === 'export' ? 1 : 0.25);

/** Processors that a render has kept busy while it made frames. */
const busy = ({ cpu, seconds }: MeasuredRender): number =>
  cpu / Math.max(seconds / 3, seconds - aroundRender);

/**
 * The processors that renders keep busy, one by itself and several between them, as the latest did. Both may be parts of a processor:
 * a container may have half of one, and a machine that does other things gives what is left.
 * @param renders oldest first
 * @param processors how many the machine has: what is guessed before anything was measured
 */
export function coresOf(
  renders: readonly MeasuredRender[],
  processors: number,
): Pick<Machine, 'single' | 'aggregate'> {
  const known = renders.filter(saysSomething);
  const median = (of: readonly MeasuredRender[], cores: (one: MeasuredRender) => number) =>
    weightedMedian(
      of.toReversed().map((one, age) => ({
        value: cores(one),
        weight: fading ** age * worth(one),
      })),
    );
  const byItself = known.filter(({ concurrency }) => concurrency < 1.3);
  const crowded = known.filter(({ concurrency }) => concurrency >= 1.7);
  const single = median(byItself, busy);
  const aggregate = median(crowded, (one) => one.concurrency * busy(one));
  const guess = { single: Math.min(processors * 0.85, 4), aggregate: processors * 0.95 };
  // One of them tells of the other: a machine that has other things to do has them in both cases.
  const slow =
    single !== null ? single / guess.single : aggregate !== null ? aggregate / guess.aggregate : 1;
  return { single: single ?? guess.single * slow, aggregate: aggregate ?? guess.aggregate * slow };
}
