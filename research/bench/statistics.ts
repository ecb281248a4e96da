/**
 * The middle of the values; the mean of the two middle ones where their number is even. Throws for
 * none.
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  if (low === undefined || high === undefined) throw new RangeError('No values, no median.');
  return (low + high) / 2;
}

/** Each round's own ratio: what both sides of a round suffer from cancels out. */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  if (over.length !== under.length) throw new RangeError('Each round needs both of its sides.');
  return over.map((value, round) => value / (under[round] ?? NaN));
}

/** Smallest and largest value. */
export const range = (values: readonly number[]): { min: number; max: number } => ({
  min: Math.min(...values),
  max: Math.max(...values),
});
