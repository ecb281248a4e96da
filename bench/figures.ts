/**
 * The middle of the values; the mean of the two middle ones where their number is even. Throws for
 * none.
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new RangeError('No values, no median.');
  return (low + high) / 2;
}

/** Each round's own ratio: what both sides of a round suffer from cancels out. */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  if (over.length !== under.length) throw new RangeError('Each round needs both of its sides.');
  return over.map((value, round) => value / under[round]!);
}

/** The smallest and the largest of values, as text. */
export const writeRange = (values: readonly number[], digits: number): string =>
  `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;

/** A Markdown table: the first column is left-aligned, figures right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.some(({ length }) => length !== head.length)) {
    throw new RangeError('A row has another number of columns.');
  }
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|---|${'---:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n');
}
