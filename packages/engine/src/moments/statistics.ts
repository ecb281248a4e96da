/** A value between 0 and 1: what is above or below is cut off. */
export const toUnitInterval = (value: number): number => Math.min(1, Math.max(0, value));

/** The middle value; 0 for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
