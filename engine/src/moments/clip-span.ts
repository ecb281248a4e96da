import type { Span } from '../facts.ts';
import type { Unit } from './features.ts';
import { flashSeconds, type CutIndex } from '../scan/scan-measures.ts';

/** Least and most length of a clip, in seconds. */
export interface Lengths {
  min: number;
  max: number;
}

/** Seconds of air left before the first word and after the last, where there is room. */
const airBefore = 0.15;
const airAfter = 0.3;

const lengthOf = ({ start, end }: Span): number => end - start;

/**
 * What a clip of the units `first` to `last` may take: never more than half of the way to its
 * neighbours.
 */
function room(units: readonly Unit[], first: number, last: number, duration: number): Span {
  const start = units[first]!.start;
  const end = units[last]!.end;
  const before = units[first - 1]?.end;
  const after = units[last + 1]?.start;
  return {
    start: before === undefined ? 0 : Math.min(start, (before + start) / 2),
    end: after === undefined ? duration : Math.max(end, (end + after) / 2),
  };
}

/**
 * Moves the edges off the cuts beside them: to the cut where no word is lost, else so far that the
 * shot is seen.
 */
function offCuts(span: Span, core: Span, most: Span, { min, max }: Lengths, cuts: CutIndex): Span {
  const near = { ...span };
  const early = cuts.within(near.start, near.start + flashSeconds);
  const inAir = early.findLast((cut) => cut <= core.start);
  const inWords = early.find((cut) => cut > core.start);
  if (inWords !== undefined) {
    const start = inWords - flashSeconds - 1e-6;
    if (start >= most.start && near.end - start <= max) near.start = start;
  } else if (inAir !== undefined && near.end - inAir >= min) near.start = inAir;
  const late = cuts.within(near.end - flashSeconds, near.end);
  const afterWords = late.find((cut) => cut >= core.end);
  const overWords = late.findLast((cut) => cut < core.end);
  if (overWords !== undefined) {
    const end = overWords + flashSeconds + 1e-6;
    if (end <= most.end && end - near.start <= max) near.end = end;
  } else if (afterWords !== undefined && afterWords - near.start >= min) near.end = afterWords;
  return near;
}

/**
 * The times of a clip of the units `first` to `last`: the words with some air, made longer into the
 * pauses around them where it would be too short, its edges off the cuts where there is room. Null
 * where it cannot be as long or as short as it must.
 */
export function clipSpan(
  units: readonly Unit[],
  [first, last]: readonly [number, number],
  lengths: Lengths,
  { duration, cuts }: { duration: number; cuts: CutIndex },
): Span | null {
  const { min, max } = lengths;
  const most = room(units, first, last, duration);
  const core = { start: units[first]!.start, end: units[last]!.end };
  if (lengthOf(core) > max) return null;
  const span = { ...core };
  const spare = () => Math.max(0, max - lengthOf(span));
  const missing = () => min - lengthOf(span);
  span.end += Math.min(airAfter, most.end - span.end, spare());
  span.start -= Math.min(airBefore, span.start - most.start, spare());
  if (missing() > 0) span.end += Math.min(missing(), most.end - span.end);
  if (missing() > 0) span.start -= Math.min(missing(), span.start - most.start);
  // A millionth of a second is what sums of such numbers may be wrong by.
  if (missing() > 1e-6) return null;
  const moved = offCuts(span, core, most, lengths, cuts);
  const over = lengthOf(moved) - max;
  if (over > 0) {
    if (moved.end > core.end) moved.end = Math.max(core.end, moved.end - 2 * over);
    else moved.start = Math.min(core.start, moved.start + 2 * over);
  }
  return moved;
}
