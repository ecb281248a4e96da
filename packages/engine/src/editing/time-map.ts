import type { Span, Word } from '../facts.ts';

/** A time range in output time: what is left of it, as one range; null if nothing is left. */
export function outputSpan(ranges: readonly Span[], span: Span): Span | null {
  let passed = 0;
  let start: number | null = null;
  let end = 0;
  for (const range of ranges) {
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
export const outputWords = (ranges: readonly Span[], words: readonly Word[]): Word[] =>
  words.flatMap((word) => {
    const span = outputSpan(ranges, word);
    return span ? [{ text: word.text, ...span }] : [];
  });
