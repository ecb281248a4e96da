import type { Span } from '../facts.ts';
import { outside } from '../spans.ts';

/** Silence in seconds that is left before and after what is heard, so that no breath is clipped. */
const air = 0.12;
/** Shortest silence worth a cut, after the air has been left. */
const shortestCut = 0.25;
/** Shortest stretch between two cuts. */
const shortestKept = 0.3;

/** What is cut out of a stretch: its silences, less some air, and never a part of a word. */
export function removedSilences(
  span: Span,
  silences: readonly Span[],
  words: readonly Span[],
): Span[] {
  const removed: Span[] = [];
  for (const silence of silences) {
    const start = silence.start <= span.start ? span.start : silence.start + air;
    const end = silence.end >= span.end ? span.end : silence.end - air;
    const inner = { start: Math.max(start, span.start), end: Math.min(end, span.end) };
    if (inner.end <= inner.start) continue;
    const held = words.filter((word) => word.end > inner.start && word.start < inner.end);
    for (const hole of outside(inner, held)) {
      if (hole.end - hole.start >= shortestCut) removed.push(hole);
    }
  }
  return removed;
}

/** What is kept of a stretch when parts are removed; bits too short to be seen are dropped with their neighbours. */
export function keptRanges(span: Span, removed: readonly Span[], words: readonly Span[]): Span[] {
  const kept = outside(span, removed).filter(
    (range) =>
      range.end - range.start >= shortestKept ||
      words.some((word) => word.end > range.start && word.start < range.end),
  );
  return kept.length > 0 ? kept : [span];
}

/**
 * Moves ranges to the output's frames: each begins and ends on a frame of a grid that starts at the first range, so that
 * picture and sound are cut at the same instants. Touching ranges become one.
 */
export function snapToFrames(ranges: readonly Span[], frameRate: number): Span[] {
  const base = ranges[0]?.start ?? 0;
  const frame = (time: number) => Math.round((time - base) * frameRate);
  const snapped: { from: number; to: number }[] = [];
  for (const range of ranges) {
    const from = frame(range.start);
    const to = Math.max(frame(range.end), from + 1);
    const last = snapped.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else snapped.push({ from, to });
  }
  return snapped.map(({ from, to }) => ({
    start: base + from / frameRate,
    end: base + to / frameRate,
  }));
}

/**
 * Ranges of whole frames grown until they last `least` seconds together, as far as `span` has it: the shortest of what was cut
 * out comes back first, then what lies after the last range and before the first. Times stay on the ranges' grid of frames.
 */
export function lastingAtLeast(
  ranges: readonly Span[],
  span: Span,
  { least, frameRate }: { least: number; frameRate: number },
): Span[] {
  const grown = ranges.map((range) => ({ ...range }));
  const framesIn = (seconds: number) => Math.round(seconds * frameRate);
  let missing =
    Math.ceil(least * frameRate - 1e-6) -
    grown.reduce((sum, { start, end }) => sum + framesIn(end - start), 0);
  const gaps = grown
    .slice(1)
    .map((next, index) => ({ before: grown[index]!, next }))
    .toSorted((a, b) => a.next.start - a.before.end - (b.next.start - b.before.end));
  for (const { before, next } of gaps) {
    if (missing <= 0) break;
    const frames = Math.min(missing, framesIn(next.start - before.end));
    before.end += frames / frameRate;
    missing -= frames;
  }
  const room = (seconds: number) => Math.max(0, Math.floor(seconds * frameRate + 1e-6));
  const [first, last] = [grown[0], grown.at(-1)];
  if (first && last) {
    const after = Math.min(Math.max(0, missing), room(span.end - last.end));
    last.end += after / frameRate;
    const before = Math.min(Math.max(0, missing - after), room(first.start - span.start));
    first.start -= before / frameRate;
  }
  return snapToFrames(grown, frameRate);
}
