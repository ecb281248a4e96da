import type { Span } from './facts.ts';

/** The first place in a rising list whose value is not below `least`. */
export function placeOf(count: number, value: (index: number) => number, least: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value(middle) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The parts of a stretch that are in none of the holes (which are in order). */
export function outside(span: Span, holes: readonly Span[]): Span[] {
  const parts: Span[] = [];
  let from = span.start;
  // Asked word by word of hours of sound: the holes before the stretch are leapt over.
  let index = placeOf(holes.length, (at) => holes[at]!.end, span.start);
  for (; index < holes.length; index++) {
    const hole = holes[index]!;
    if (hole.end <= from) continue;
    if (hole.start >= span.end) break;
    if (hole.start > from) parts.push({ start: from, end: hole.start });
    from = Math.max(from, hole.end);
  }
  if (from < span.end) parts.push({ start: from, end: span.end });
  return parts;
}
