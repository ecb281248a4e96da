import type { Span } from './facts.ts';

/** The first index in an ascending list whose value is at least `minimum`. */
export function findIndex(
  count: number,
  value: (index: number) => number,
  minimum: number,
): number {
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
export function subtractSpans(span: Span, holes: readonly Span[]): Span[] {
  const parts: Span[] = [];
  let from = span.start;
  // Called for each word of hours of sound, so it skips the holes before the span.
  let index = findIndex(holes.length, (at) => holes[at]!.end, span.start);
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

/** Returns the spans that have some time in common with another one. They must be in order. */
export function findTouching<Timed extends Span>(
  spans: readonly Timed[],
  { start, end }: Span,
): Timed[] {
  const first = findIndex(spans.length, (at) => spans[at]!.end, start);
  const last = findIndex(spans.length, (at) => spans[at]!.start, end);
  return spans.slice(first, last).filter((span) => span.end > start);
}

/** Where an output time is in the source: its range, the range's index, and the source seconds. */
export function mapToSource(
  ranges: readonly Span[],
  seconds: number,
): { range: Span; index: number; time: number } {
  let left = seconds;
  for (const [index, range] of ranges.entries()) {
    if (left < range.end - range.start) return { range, index, time: range.start + left };
    left -= range.end - range.start;
  }
  const range = ranges.at(-1)!;
  return { range, index: ranges.length - 1, time: (range.start + range.end) / 2 };
}

/** Where a source time is in the output; of one that is not shown, the next one that is. */
export function mapToOutputTime(ranges: readonly Span[], seconds: number): number {
  let passed = 0;
  for (const { start, end } of ranges) {
    if (seconds < end) return passed + Math.max(0, seconds - start);
    passed += end - start;
  }
  return passed;
}

/** Spans in order, those that touch as one. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}
