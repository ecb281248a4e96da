/**
 * A day of a large installation, reckoned: a million exports by many users, on a fleet of workers.
 * What one export costs is measured elsewhere (`cluster.ts`, `render.ts`); here only time passes.
 * `node bench/scale.ts`
 */
import { dice } from '../engine/test/support/media-analysis.ts';
import { markdownTable } from './table.ts';

const exportsPerDay = 1_000_000;
const daySeconds = 86_400;
/** Seconds of a slot for an export of half a minute, on two processors: mean of an exponential. */
const meanRenderSeconds = 20;
/** At the peak there are so many times the mean, at the low point the rest. */
const peak = 2;
/** Exports are started in bursts: a person exports a whole folder. */
const burst = 5;

interface Day {
  workers: number;
  slotsEach: number;
  /** Seconds from a start to the begin of its render: quantiles. */
  wait: { median: number; p95: number; p99: number };
  /** The longest queue. */
  longest: number;
  /** Exports a second that are settled in the busiest minute. */
  settledPerSecond: number;
}

/** Exports a second at a time of the day. */
const rateAt = (seconds: number): number =>
  (exportsPerDay / daySeconds) * (1 + (peak - 1) * Math.sin((2 * Math.PI * seconds) / daySeconds));

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** A heap of the times at which slots become free. */
class Slots {
  readonly #free: Float64Array;

  constructor(count: number) {
    this.#free = new Float64Array(count);
  }

  /** Takes the slot that is free first, from `now` on for so long; gives when it began. */
  take(now: number, seconds: number): number {
    const free = this.#free;
    const began = Math.max(now, free[0]!);
    let at = 0;
    for (;;) {
      let least = 2 * at + 1;
      if (least >= free.length) break;
      if (least + 1 < free.length && free[least + 1]! < free[least]!) least += 1;
      if (free[least]! >= began + seconds) break;
      free[at] = free[least]!;
      at = least;
    }
    free[at] = began + seconds;
    return began;
  }
}

function simulate(workers: number, slotsEach: number, seed: number): Day {
  const random = dice(seed);
  const slots = new Slots(workers * slotsEach);
  const waits: number[] = [];
  const begins: number[] = [];
  const settled = new Float64Array(Math.ceil((2 * daySeconds) / 60));
  let longest = 0;
  let begun = 0;
  for (let now = 0; now < daySeconds;) {
    now += (-Math.log(1 - random()) * burst) / rateAt(now);
    for (let one = 0; one < burst; one += 1) {
      const seconds = -Math.log(1 - random()) * meanRenderSeconds;
      const began = slots.take(now, seconds);
      waits.push(began - now);
      begins.push(began);
      const minute = Math.floor((began + seconds) / 60);
      if (minute < settled.length) settled[minute]! += 1;
    }
    while (begun < begins.length && begins[begun]! <= now) begun += 1;
    longest = Math.max(longest, begins.length - begun);
  }
  const sorted = Float64Array.from(waits).sort();
  return {
    ...{ workers, slotsEach, longest },
    wait: {
      median: quantile(sorted, 0.5),
      p95: quantile(sorted, 0.95),
      p99: quantile(sorted, 0.99),
    },
    settledPerSecond: Math.max(...settled) / 60,
  };
}

const seconds = (value: number): string => `${value.toFixed(0)} s`;

export const scaleTable = (): string =>
  markdownTable(
    ['workers', 'slots', 'wait, median', 'p95', 'p99', 'longest queue', 'settled a second, peak'],
    [60, 100, 120]
      .map((workers) => simulate(workers, 4, 1))
      .map(({ workers, slotsEach, wait, longest, settledPerSecond }) => [
        String(workers),
        String(workers * slotsEach),
        seconds(wait.median),
        seconds(wait.p95),
        seconds(wait.p99),
        longest.toLocaleString('en'),
        settledPerSecond.toFixed(0),
      ]),
  );

if (import.meta.main) console.log(scaleTable());
