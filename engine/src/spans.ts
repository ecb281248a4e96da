import type { Span } from './facts.ts';

/** The first index in an ascending list whose value is at least `minimum`. */
export function placeOf(count: number, value: (index: number) => number, minimum: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value(middle) < minimum) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The parts of a span that are in none of the holes. The holes must be in order. */
export function outside(span: Span, holes: readonly Span[]): Span[] {
  const parts: Span[] = [];
  let from = span.start;
  // Called for each word of hours of sound, so it skips the holes before the span.
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
