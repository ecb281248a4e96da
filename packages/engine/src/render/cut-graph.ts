import type { Edit } from '../edit.ts';

const decimalPlaces = 6;
/** A number as filters read it. */
export const filterNumber = (value: number): string => String(Number(value.toFixed(decimalPlaces)));

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
