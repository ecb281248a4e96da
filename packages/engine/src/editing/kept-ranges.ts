import type { Span, Word } from '../facts.ts';
import { subtractSpans, findIndex, findTouching } from '../spans.ts';

/** The silence that stays before and after a sound, so that no breath is cut off. */
export const airSeconds = 0.12;
/** Shorter silences are not cut out. Measured without the air. */
const minCutSeconds = 0.25;
/** Shorter ranges between two cuts are dropped. */
const minKeptSeconds = 0.3;

/**
 * Finds the parts to cut out of a time range: its silences without some air, and never a part of a
 * word.
 */
export function findRemovedSilences(
  span: Span,
  silences: readonly Span[],
  words: readonly Span[],
): Span[] {
  const removed: Span[] = [];
  for (const silence of silences) {
    const start = silence.start <= span.start ? span.start : silence.start + airSeconds;
    const end = silence.end >= span.end ? span.end : silence.end - airSeconds;
    const inner = { start: Math.max(start, span.start), end: Math.min(end, span.end) };
    if (inner.end <= inner.start) continue;
    for (const hole of subtractSpans(inner, findTouching(words, inner))) {
      if (hole.end - hole.start >= minCutSeconds) removed.push(hole);
    }
  }
  return removed;
}

const isLongEnough = (range: Span, words: readonly Span[]): boolean =>
  range.end - range.start >= minKeptSeconds || findTouching(words, range).length > 0;

/** Returns the parts of a time range that a person has not taken out. */
export function subtractParts(
  span: Span,
  takenOut: readonly Span[],
  words: readonly Span[],
): Span[] {
  const parts = subtractSpans(span, takenOut);
  const others = words.filter(
    ({ start, end }) => subtractSpans({ start, end }, takenOut).length > 0,
  );
  const longEnough = parts.filter((part) => isLongEnough(part, others));
  if (longEnough.length > 0) return longEnough;
  return parts.length > 0 ? parts : [span];
}

/**
 * Returns the parts of a time range that are kept. Ranges that are too short to be seen are dropped
 * too, unless they have words.
 */
export function findKeptRanges(
  span: Span,
  removed: readonly Span[],
  words: readonly Span[],
): Span[] {
  const kept = subtractSpans(span, removed).filter((range) => isLongEnough(range, words));
  return kept.length > 0 ? kept : [span];
}

/**
 * Moves ranges to output frames. The frame grid starts at the first range, so that picture and
 * sound are cut at the same times. Touching ranges become one.
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
 * Extends ranges of whole frames until they last `minSeconds` together, as far as `span` allows.
 * The shortest gaps are filled first, then the time after the last range and before the first. All
 * times stay on the frame grid of the ranges.
 */
export function extendRanges(
  ranges: readonly Span[],
  span: Span,
  { minSeconds, frameRate }: { minSeconds: number; frameRate: number },
): Span[] {
  const grown = ranges.map((range) => ({ ...range }));
  const framesIn = (seconds: number) => Math.round(seconds * frameRate);
  let missing =
    Math.ceil(minSeconds * frameRate - 1e-6) -
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

/**
 * Maps a time range to output time: the remaining part as one range; null if it is cut out.
 * @param begun the first of the ranges that may be in it, and the output time at which it begins
 */
export function mapToOutput(
  ranges: readonly Span[],
  span: Span,
  begun = { first: 0, passed: 0 },
): Span | null {
  let { passed } = begun;
  let start: number | null = null;
  let end = 0;
  for (let at = begun.first; at < ranges.length && ranges[at]!.start < span.end; at++) {
    const range = ranges[at]!;
    const from = Math.max(span.start, range.start);
    const to = Math.min(span.end, range.end);
    if (to > from) {
      start ??= passed + from - range.start;
      end = passed + to - range.start;
    }
    passed += range.end - range.start;
  }
  return start === null ? null : { start, end };
}

/** Words in output time, without those that were cut out. */
export function mapWordsToOutput(ranges: readonly Span[], words: readonly Word[]): Word[] {
  const passed = [0];
  for (const { start, end } of ranges) passed.push(passed.at(-1)! + (end - start));
  return words.flatMap((word) => {
    const first = findIndex(ranges.length, (at) => ranges[at]!.end, word.start);
    const span = mapToOutput(ranges, word, { first, passed: passed[first]! });
    return span ? [{ text: word.text, ...span }] : [];
  });
}
