import type { Span } from '../facts.ts';
import { findIndex } from '../spans.ts';
import type { Unit } from './units.ts';
import { type CutIndex, flashSeconds } from '../scan/scan-measures.ts';

/** Minimum and maximum length of a clip, in seconds. */
export interface Lengths {
  min: number;
  max: number;
}

/** Silence before the first word and after the last word, if there is room. */
const airBeforeSeconds = 0.15;
const airAfterSeconds = 0.3;

/** A clip shows the reaction to its last words: at most this long, if it begins this soon. */
const maxReactionSeconds = 3;
const maxReactionDelaySeconds = 1.2;

const measureSpan = ({ start, end }: Span): number => end - start;

/** Seconds after the last word: some air, or the reaction to it. */
function measureAirAfter(end: number, reactions: readonly Span[]): number {
  // Called for each of hundreds of thousands of clips.
  const after = reactions[findIndex(reactions.length, (at) => reactions[at]!.end, end + 0.01)];
  return after && after.start < end + maxReactionDelaySeconds
    ? Math.min(maxReactionSeconds, after.end - end)
    : airAfterSeconds;
}

/**
 * Where a clip that ends with unit `last` must give way to one that begins with the next: in the
 * middle of the gap, or at the end of the reaction to its last words if that is later.
 */
function findBorderAfter(
  units: readonly Unit[],
  last: number,
  { from, to, reactions }: { from: number; to: number; reactions: readonly Span[] },
): number {
  if (last < 0) return from;
  const { end } = units[last]!;
  const next = units[last + 1]?.start;
  if (next === undefined) return to;
  return Math.max((end + next) / 2, Math.min(end + measureAirAfter(end, reactions), next));
}

/**
 * Moves the edges away from nearby cuts: to the cut if no word is lost, otherwise so far that the
 * shot is visible.
 */
function moveOffCuts(
  span: Span,
  core: Span,
  available: Span,
  { min, max }: Lengths,
  cuts: CutIndex,
): Span {
  const near = { ...span };
  const early = cuts.within(near.start, near.start + flashSeconds);
  const inAir = early.findLast((cut) => cut <= core.start);
  const inWords = early.find((cut) => cut > core.start);
  if (inWords !== undefined) {
    const start = inWords - flashSeconds - 1e-6;
    if (start >= available.start && near.end - start <= max) near.start = start;
  } else if (inAir !== undefined && near.end - inAir >= min) near.start = inAir;
  const late = cuts.within(near.end - flashSeconds, near.end);
  const afterWords = late.find((cut) => cut >= core.end);
  const overWords = late.findLast((cut) => cut < core.end);
  if (overWords !== undefined) {
    const end = overWords + flashSeconds + 1e-6;
    if (end <= available.end && end - near.start <= max) near.end = end;
  } else if (afterWords !== undefined && afterWords - near.start >= min) near.end = afterWords;
  return near;
}

/**
 * The times of a clip from unit `first` to unit `last`: its words and some air, or the reaction to
 * them. A clip that is too short grows into the pauses around it. Its edges move away from cuts if
 * there is room.
 * @param source.from where the source begins, and `to` where it ends, in source seconds
 * @returns null if no length between `min` and `max` is possible
 */
export function findClipSpan(
  units: readonly Unit[],
  [first, last]: readonly [number, number],
  lengths: Lengths,
  source: { from: number; to: number; cuts: CutIndex; reactions: readonly Span[] },
): Span | null {
  const { min, max } = lengths;
  const core = { start: units[first]!.start, end: units[last]!.end };
  const available = {
    start: Math.min(core.start, findBorderAfter(units, first - 1, source)),
    end: Math.max(core.end, findBorderAfter(units, last, source)),
  };
  if (measureSpan(core) > max) return null;
  const span = { ...core };
  const spare = () => Math.max(0, max - measureSpan(span));
  const missing = () => min - measureSpan(span);
  span.end += Math.min(
    measureAirAfter(core.end, source.reactions),
    available.end - span.end,
    spare(),
  );
  span.start -= Math.min(airBeforeSeconds, span.start - available.start, spare());
  if (missing() > 0) span.end += Math.min(missing(), available.end - span.end);
  if (missing() > 0) span.start -= Math.min(missing(), span.start - available.start);
  // Rounding errors of these sums are below a millionth of a second.
  if (missing() > 1e-6) return null;
  const moved = moveOffCuts(span, core, available, lengths, source.cuts);
  const over = measureSpan(moved) - max;
  if (over > 0) {
    if (moved.end > core.end) moved.end = Math.max(core.end, moved.end - 2 * over);
    else moved.start = Math.min(core.start, moved.start + 2 * over);
  }
  return moved;
}
