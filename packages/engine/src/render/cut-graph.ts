import type { Edit } from '../edit.ts';
import type { Span } from '../facts.ts';

const decimalPlaces = 6;
/** A number as filters read it. */
export const filterNumber = (value: number): string => String(Number(value.toFixed(decimalPlaces)));

/**
 * Writes an expression of the time `t` that is that of the nearest of some spans, in order. It is
 * searched for, because ffmpeg takes no expression of many terms.
 */
export function formatNearest(spans: readonly Span[], format: (span: Span) => string): string {
  const half = spans.length >> 1;
  const [left, right] = [spans[half - 1], spans[half]!];
  if (!left) return format(right);
  const [before, after] = [spans.slice(0, half), spans.slice(half)];
  const between = filterNumber((left.end + right.start) / 2);
  return `if(lt(t,${between}),${formatNearest(before, format)},${formatNearest(after, format)})`;
}

/** The kept ranges in output frames, from the start of the first range. */
export const frameRanges = (edit: Edit) =>
  edit.ranges.map(({ start, end }) => ({
    from: Math.round((start - edit.ranges[0]!.start) * edit.frameRate),
    to: Math.round((end - edit.ranges[0]!.start) * edit.frameRate),
  }));

/** Cuts a stream to the kept ranges and joins them. */
export function cutAndJoin(
  [input, output]: readonly [string, string],
  parts: string[],
  kind: 'v' | 'a',
): string[] {
  const reset = kind === 'v' ? 'setpts=PTS-STARTPTS' : 'asetpts=PTS-STARTPTS';
  if (parts.length === 1) return [`[${input}]${parts[0]},${reset}[${output}]`];
  const copies = parts.map((_, index) => `[${kind}s${index}]`);
  const cut = parts.map((_, index) => `[${kind}c${index}]`);
  return [
    `[${input}]${kind === 'v' ? 'split' : 'asplit'}=${parts.length}${copies.join('')}`,
    ...parts.map((part, index) => `${copies[index]}${part},${reset}${cut[index]}`),
    `${cut.join('')}concat=n=${parts.length}:v=${kind === 'v' ? 1 : 0}:a=${kind === 'v' ? 0 : 1}[${output}]`,
  ];
}
