import type { Analysis, Span, Word } from './analysis.ts';
import type { Unit } from './features.ts';
import { joinWords } from './word-text.ts';

const textUnit = (words: readonly Word[]): Unit => ({
  text: joinWords(words.map(({ text }) => text)),
  words: words.length,
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
});

/** Splits a run of words at its longest pause (commas help) until each part fits; a word longer than that is left out. */
function fitting(words: readonly Word[], longest: number): Unit[] {
  const unit = textUnit(words);
  if (words.length === 0) return [];
  if (unit.end - unit.start <= longest) return [unit];
  let best = 0;
  let bestWorth = -1;
  for (let index = 1; index < words.length; index++) {
    const before = words[index - 1]!;
    const pause = words[index]!.start - before.end;
    const clause = /[,;:—、，]$/u.test(before.text) ? 0.3 : 0;
    const middle = 0.2 * (1 - Math.abs((2 * index) / words.length - 1));
    if (pause + clause + middle > bestWorth) {
      bestWorth = pause + clause + middle;
      best = index;
    }
  }
  if (best === 0) return [];
  return [...fitting(words.slice(0, best), longest), ...fitting(words.slice(best), longest)];
}

const even = (span: Span, pieces: number): Unit[] =>
  Array.from({ length: pieces }, (_, index) => {
    const piece = (span.end - span.start) / pieces;
    return {
      text: '',
      words: 0,
      start: span.start + index * piece,
      end: index + 1 === pieces ? span.end : span.start + (index + 1) * piece,
    };
  });

/**
 * The units that clips of `analysis` are put together from, in order and without overlap: its sentences; without words
 * what lies between the middles of silences and the cuts, and without those even pieces. None is longer than `max`.
 */
export function unitsOf(
  analysis: Analysis,
  wanted: { count: number; min: number; max: number; target: number },
): Unit[] {
  const { transcript, duration } = analysis;
  if (transcript && transcript.sentences.length > 0) {
    // A sentence that is too long is parted finely: its parts can be put together again.
    const part = Math.max(wanted.min, Math.min(wanted.max, wanted.target));
    return transcript.sentences.flatMap(({ firstWord, lastWord, start, end }) =>
      fitting(
        transcript.words.slice(firstWord, lastWord + 1),
        end - start > wanted.max ? part : wanted.max,
      ),
    );
  }
  const silences = analysis.silences.map(({ start, end }) => (start + end) / 2);
  // Where something is heard, a cut of the picture may stand in the middle of a word.
  const edges = silences.length > 0 ? silences : analysis.cuts;
  const bounds = [0, ...edges, duration].filter(
    (edge, index, all) => index === 0 || (edge <= duration && edge - (all[index - 1] ?? 0) > 0.2),
  );
  const share = Math.max(wanted.min, duration / wanted.count);
  const grain = Math.min(wanted.max, wanted.target, share);
  const longest = silences.length > 0 ? wanted.max : Math.max(grain, 0.5);
  return bounds.slice(1).flatMap((end, index) => {
    const span = { start: bounds[index] ?? 0, end };
    const length = span.end - span.start;
    if (length <= 0) return [];
    // Rounded so that a piece is never longer than it may be, nor (where that can be) shorter than the least.
    return length <= longest ? even(span, 1) : even(span, Math.ceil(length / longest - 1e-9));
  });
}
