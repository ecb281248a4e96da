import type { Analysis, Loudness, Span, Word } from '../facts.ts';
import type { Unit } from './features.ts';
import { cutIndex, flashSeconds, type CutIndex } from '../scan/scan-measures.ts';
import { endsWhole } from './word-features.ts';
import { joinWords } from '../words/word-text.ts';

const textUnit = (words: readonly Word[]): Unit => ({
  text: joinWords(words.map(({ text }) => text)),
  words: words.length,
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
});

/**
 * Splits a run of words at its longest pause (commas help) until each part fits; a word longer than
 * that is left out.
 */
function fitting(words: readonly Word[], longest: number): Unit[] {
  const unit = textUnit(words);
  if (words.length === 0) return [];
  if (unit.end - unit.start <= longest) return [unit];
  let best = 0;
  let bestWorth = -1;
  // A long run is parted near its middle: peeled word by word, it would be gone through as often as
  // it has words.
  const margin = words.length > 400 ? Math.floor(words.length / 4) : 0;
  for (let index = 1 + margin; index < words.length - margin; index++) {
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

/** Shortest pause in seconds that parts what has no full stops. */
const pause = 0.35;

/**
 * Speech without full stops (Thai, many automatic captions) is parted at its pauses: a listener
 * hears its edges there.
 */
function spokenPieces(words: readonly Word[]): Word[][] {
  if (endsWhole(words.at(-1)?.text ?? '')) return [[...words]];
  const pieces: Word[][] = [];
  words.forEach((word, index) => {
    const before = words[index - 1];
    if (!before || word.start - before.end >= pause) pieces.push([]);
    pieces.at(-1)!.push(word);
  });
  return pieces;
}

/**
 * Parts a stretch in about even pieces, each bound at the quietest place near it, none longer than
 * `max` or below `min`.
 */
function parted(
  span: Span,
  pieces: number,
  { min, max }: { min: number; max: number },
  { step, values }: Loudness,
): Unit[] {
  const piece = (span.end - span.start) / pieces;
  const slack = Math.max(0, Math.min(piece / 4, (max - piece) / 2, (piece - min) / 2));
  const bound = (index: number): number => {
    const middle = span.start + index * piece;
    let best = middle;
    let least = Infinity;
    const last = Math.floor((middle + slack) / step - 0.5);
    for (let at = Math.ceil((middle - slack) / step - 0.5); at <= last; at++) {
      const level = values[at] ?? Infinity;
      if (level < least) [least, best] = [level, (at + 0.5) * step];
    }
    return best;
  };
  const bounds = Array.from({ length: pieces + 1 }, (_, index) =>
    index === 0 ? span.start : index === pieces ? span.end : bound(index),
  );
  return bounds.slice(1).map((end, index) => ({ text: '', words: 0, start: bounds[index]!, end }));
}

/**
 * Where in a silence a clip may begin or end: at a cut in it, else in its middle, or where no cut
 * stands close by.
 */
function edgeIn({ start, end }: Span, cuts: CutIndex): number {
  const middle = (start + end) / 2;
  const inside = cuts.within(start, end);
  const places = inside.length > 0 ? inside : [middle, start + 0.05, end - 0.05];
  const clear = (at: number) =>
    cuts.between(at, at + flashSeconds) + cuts.between(at - flashSeconds, at) === 0;
  return places.find(clear) ?? places[0] ?? middle;
}

/**
 * The units that clips of `analysis` are put together from, in order and without overlap: its
 * sentences; without words what lies between its silences, or its cuts where nothing is silent, and
 * without those even pieces. None is longer than `max`.
 */
export function unitsOf(
  analysis: Analysis,
  wanted: { count: number; min: number; max: number; target: number },
): Unit[] {
  const { transcript, duration } = analysis;
  if (transcript && transcript.sentences.length > 0) {
    // A sentence that is too long is parted finely: its parts can be put together again.
    const part = Math.max(wanted.min, Math.min(wanted.max, wanted.target));
    return transcript.sentences
      .flatMap(({ firstWord, lastWord }) =>
        spokenPieces(transcript.words.slice(firstWord, lastWord + 1)),
      )
      .flatMap((words) => {
        const length = (words.at(-1)?.end ?? 0) - (words[0]?.start ?? 0);
        return fitting(words, length > wanted.max ? part : wanted.max);
      });
  }
  const cuts = cutIndex(analysis.cuts);
  const silences = analysis.silences.map((silence) => edgeIn(silence, cuts));
  // Where something is heard, a cut of the picture may stand in the middle of a word.
  const edges = silences.length > 0 ? silences : analysis.cuts;
  const bounds = [0, ...edges, duration].filter(
    (edge, index, all) => index === 0 || (edge <= duration && edge - (all[index - 1] ?? 0) > 0.2),
  );
  const share = Math.max(wanted.min, duration / wanted.count);
  const grain = Math.max(0.5, Math.min(wanted.max, wanted.target, share));
  // What lies between silences stays whole where there is enough of it.
  const whole = silences.length > 0 && bounds.length - 1 >= wanted.count;
  return bounds.slice(1).flatMap((end, index) => {
    const span = { start: bounds[index] ?? 0, end };
    const length = span.end - span.start;
    if (length <= 0) return [];
    const longest = whole && length <= wanted.max ? wanted.max : grain;
    // Rounded so that a piece is never longer than it may be, nor (where that can be) shorter than
    // the least.
    const pieces = length <= longest ? 1 : Math.ceil(length / longest - 1e-9);
    return parted(span, pieces, wanted, analysis.loudness);
  });
}
