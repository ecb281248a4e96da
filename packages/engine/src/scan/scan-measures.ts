/**
 * Measures of a time range, from the scans of sound and picture. Each is built once per source and
 * is cheap to call.
 */

import type { Analysis, Span } from '../facts.ts';
import { findIndex } from '../spans.ts';

/** Prefix sums of a list, so that the sum of any range costs one subtraction. */
export function sumRanges(values: readonly number[]): (from: number, to: number) => number {
  const sums = new Float64Array(values.length + 1);
  values.forEach((value, index) => {
    sums[index + 1] = (sums[index] ?? 0) + value;
  });
  const at = (index: number) => sums[Math.min(values.length, Math.max(0, index))] ?? 0;
  return (from, to) => at(to) - at(from);
}

/** The silent share of a time range, 0 to 1. */
export function measureSilentShare(silences: readonly Span[], from: number, to: number): number {
  let share = 0;
  let index = findIndex(silences.length, (at) => silences[at]!.end, from);
  for (; index < silences.length; index++) {
    const silence = silences[index]!;
    if (silence.start >= to) break;
    share += Math.max(0, Math.min(to, silence.end) - Math.max(from, silence.start));
  }
  return Math.min(1, Math.max(0, share / (to - from)));
}

export interface CutIndex {
  /** The cuts between two times. Cuts at exactly `from` or `to` are not included. */
  within: (from: number, to: number) => number[];
  /** The number of those cuts. */
  between: (from: number, to: number) => number;
}

export function cutIndex(unsorted: readonly number[]): CutIndex {
  const cuts = unsorted.toSorted((one, other) => one - other);
  const place = (time: number) => findIndex(cuts.length, (at) => cuts[at]!, time);
  const ends = (from: number, to: number): [number, number] => {
    let low = place(from);
    while (low < cuts.length && cuts[low]! <= from) low += 1;
    return [low, Math.max(low, place(to))];
  };
  return {
    within: (from, to) => cuts.slice(...ends(from, to)),
    between: (from, to) => {
      const [low, high] = ends(from, to);
      return high - low;
    },
  };
}

/** A cut this close to the edge of a clip looks like a flash. */
export const flashSeconds = 0.3;

export const clearOfCuts = (cuts: CutIndex, { start, end }: Span) => ({
  start: cuts.between(start, start + flashSeconds) === 0,
  end: cuts.between(end - flashSeconds, end) === 0,
});

/**
 * Movement is measured between pictures that are at least this far apart, in seconds: how many
 * keyframes there are is the encoder's choice, not the video's.
 */
const movementSeconds = 5;

/**
 * Measures the liveliness of the picture in a time range: 1 for one cut (or about as much movement)
 * every five seconds.
 */
export function createRateMeter({
  cuts,
  focus,
  duration,
}: Analysis): (from: number, to: number) => number {
  const seconds = Math.ceil(duration) + 1;
  const each = new Array<number>(seconds).fill(0);
  const secondOf = (time: number) => Math.min(seconds - 1, Math.max(0, Math.floor(time)));
  for (const cut of cuts) each[secondOf(cut)]! += 1;
  let before = focus[0];
  for (const point of focus) {
    if (!before || point.time - before.time < movementSeconds - 1e-3) continue;
    // A move by half the picture's width counts as one cut.
    const moved = 2 * Math.hypot(point.x - before.x, point.y - before.y);
    for (let second = secondOf(before.time); second < secondOf(point.time); second++) {
      each[second]! += moved / movementSeconds;
    }
    before = point;
  }
  const sums = sumRanges(each);
  return (from, to) => (sums(Math.floor(from), Math.ceil(to)) * 5) / Math.max(1, to - from);
}

/**
 * The starts of bursts of sound without speech, 0.4 to 5 s long and louder than usual, such as
 * laughter and applause. Longer ones are probably music. If no words are known, a burst is 8 dB
 * above the usual level.
 */
export function findOutbursts(
  { loudness: { step, values } }: Analysis,
  units: readonly (Span & { words: number })[],
  usual: number,
): number[] {
  const spoken = units.filter((unit) => unit.words > 0);
  const starts: number[] = [];
  let run = 0;
  const close = (index: number) => {
    const length = run * step;
    if (length >= 0.4 && length <= 5) starts.push((index - run) * step);
    run = 0;
  };
  let unit = 0;
  values.forEach((level, index) => {
    const from = index * step;
    const to = from + step;
    while (unit < spoken.length && spoken[unit]!.end <= from) unit += 1;
    const words = (spoken[unit]?.start ?? Infinity) < to;
    if (!words && level > usual + (spoken.length > 0 ? 1.5 : 8)) run += 1;
    else close(index);
  });
  close(values.length);
  return starts;
}

/** Limits a value to 0 to 1. */
export const toUnitInterval = (value: number): number => Math.min(1, Math.max(0, value));

/** Returns the mean of one value or more. */
export const computeMean = (values: Float64Array | readonly number[]): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

/** The middle value; 0 for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
