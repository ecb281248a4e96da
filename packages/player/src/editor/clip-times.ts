import { sourceTimeAt, type Edit, type Span } from 'clip-engine/drawing';

/** The frame of the output that shows a time of the source, or the nearest one that plays. */
export function frameAt({ ranges, frameRate, duration }: Edit, seconds: number): number {
  let passed = 0;
  for (const { start, end } of ranges) {
    if (seconds < end) return Math.round((passed + Math.max(0, seconds - start)) * frameRate);
    passed += end - start;
  }
  return Math.max(0, Math.round(duration * frameRate) - 1);
}

/** The source seconds of a frame of the output. */
export const sourceSeconds = ({ ranges, frameRate }: Edit, frame: number): number =>
  sourceTimeAt(ranges, frame / frameRate).time;

/** What of a clip does not play: between its ranges. */
export const holesOf = ({ ranges }: { ranges: readonly Span[] }): Span[] =>
  ranges.slice(1).map(({ start }, index) => ({ start: ranges[index]!.end, end: start }));
