import type { Analysis, Loudness, Sentence, Span, Transcript, Word } from '../facts.ts';
import { cutIndex, type CutIndex, flashSeconds } from '../scan/scan-measures.ts';
import { joinWords } from '../words/word-text.ts';

export const makeTextUnit = (words: readonly Word[]): Unit => ({
  text: joinWords(words.map(({ text }) => text)),
  words: words.length,
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
  ...(words[0]?.opensTurn && { opensTurn: true }),
  ...(words[0]?.speaker !== undefined && { speaker: words[0].speaker }),
});

export function makeSentenceUnit(
  { words }: Pick<Transcript, 'words'>,
  { text, firstWord, lastWord, likelihood }: Sentence,
): Unit {
  const unit = { ...makeTextUnit(words.slice(firstWord, lastWord + 1)), text };
  return likelihood === undefined ? unit : { ...unit, endLikelihood: likelihood };
}

/**
 * Splits words at the longest pause (commas help) until each part fits. A word that does not fit is
 * dropped.
 */
function splitToFit(words: readonly Word[], maxSeconds: number): Unit[] {
  const unit = makeTextUnit(words);
  if (words.length === 0) return [];
  if (unit.end - unit.start <= maxSeconds) return [unit];
  let best = 0;
  let bestWorth = -1;
  // Split a long run near its middle: removing one word at a time would take quadratic time.
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
  return [
    ...splitToFit(words.slice(0, best), maxSeconds),
    ...splitToFit(words.slice(best), maxSeconds),
  ];
}

/**
 * Splits a time range into about equal parts, `min` to `max` long. Each bound is at the quietest
 * place nearby.
 */
function splitQuietly(
  span: Span,
  parts: number,
  { min, max }: { min: number; max: number },
  { step, values }: Loudness,
): Unit[] {
  const partSeconds = (span.end - span.start) / parts;
  const slack = Math.max(
    0,
    Math.min(partSeconds / 4, (max - partSeconds) / 2, (partSeconds - min) / 2),
  );
  const bound = (index: number): number => {
    const middle = span.start + index * partSeconds;
    let best = middle;
    let lowest = Infinity;
    const last = Math.floor((middle + slack) / step - 0.5);
    for (let at = Math.ceil((middle - slack) / step - 0.5); at <= last; at++) {
      const level = values[at] ?? Infinity;
      if (level < lowest) [lowest, best] = [level, (at + 0.5) * step];
    }
    return best;
  };
  const bounds = Array.from({ length: parts + 1 }, (_, index) =>
    index === 0 ? span.start : index === parts ? span.end : bound(index),
  );
  return bounds.slice(1).map((end, index) => ({ text: '', words: 0, start: bounds[index]!, end }));
}

/**
 * The place in a silence where a clip may begin or end: at a cut, otherwise in the middle, or away
 * from nearby cuts.
 */
function findEdge({ start, end }: Span, cuts: CutIndex): number {
  const middle = (start + end) / 2;
  const inside = cuts.within(start, end);
  const places = inside.length > 0 ? inside : [middle, start + 0.05, end - 0.05];
  const clear = (at: number) =>
    cuts.between(at, at + flashSeconds) + cuts.between(at - flashSeconds, at) === 0;
  return places.find(clear) ?? places[0] ?? middle;
}

/**
 * The units that clips are made of, in order and without overlap. With words: sentences. Without
 * words: the parts between silences, otherwise between cuts, otherwise even parts. None is longer
 * than `max`.
 */
export function makeUnits(
  analysis: Analysis,
  options: { count: number; min: number; max: number; target: number },
): Unit[] {
  const { transcript, duration } = analysis;
  if (transcript && transcript.sentences.length > 0) {
    // A sentence that is too long is split into small parts, which can be joined again.
    const part = Math.max(options.min, Math.min(options.max, options.target));
    return transcript.sentences.flatMap((sentence) => {
      const { start, end, firstWord, lastWord } = sentence;
      return end - start > options.max
        ? splitToFit(transcript.words.slice(firstWord, lastWord + 1), part)
        : [makeSentenceUnit(transcript, sentence)];
    });
  }
  const cuts = cutIndex(analysis.cuts);
  const silences = analysis.silences.map((silence) => findEdge(silence, cuts));
  // With sound, a cut of the picture can be in the middle of a word.
  const edges = silences.length > 0 ? silences : analysis.cuts;
  const { start: from, end: to } = analysis.scanned ?? { start: 0, end: duration };
  const bounds = [from, ...edges.filter((edge) => edge > from), to].filter(
    (edge, index, all) => index === 0 || (edge <= to && edge - (all[index - 1] ?? from) > 0.2),
  );
  const share = Math.max(options.min, (to - from) / options.count);
  const grain = Math.max(0.5, Math.min(options.max, options.target, share));
  // Parts between silences stay whole if there are enough of them.
  const whole = silences.length > 0 && bounds.length - 1 >= options.count;
  return bounds.slice(1).flatMap((end, index) => {
    const span = { start: bounds[index] ?? 0, end };
    const length = span.end - span.start;
    if (length <= 0) return [];
    const maxSeconds = whole && length <= options.max ? options.max : grain;
    // Rounded up, so that no part is too long. Parts are only too short if there is no other way.
    const parts = length <= maxSeconds ? 1 : Math.ceil(length / maxSeconds - 1e-9);
    return splitQuietly(span, parts, options, analysis.loudness);
  });
}

/** A part of the source between two places where a clip may begin or end. */
export interface Unit extends Span {
  /** The words as text; empty if they are not known. */
  text: string;
  /** Number of its words. */
  words: number;
  /**
   * True if another person begins to speak with it.
   * @default false
   */
  opensTurn?: boolean;
  /** The number of its speaker. Omitted where the voices do not say who it is. */
  speaker?: number;
  /**
   * The probability that a sentence ends with it, 0 to 1, if the text has no stops.
   * @default 1
   */
  endLikelihood?: number;
}

/**
 * Maximum number of clips to compare. Five hours of short sentences make a fifth of that. A file
 * that divides the time into hundredths of a second would make a billion.
 */
export const maxPairs = 1_000_000;

/** If there are too many clips, units are first joined to this length. */
const minGrainSeconds = 0.5;

/** The number of clips of up to `max` seconds. */
export function countPairs(units: readonly Unit[], max: number): number {
  let pairs = 0;
  let first = 0;
  units.forEach(({ end }, last) => {
    while (first < last && end - units[first]!.start > max) first += 1;
    pairs += last - first + 1;
  });
  return pairs;
}

/**
 * Joins neighbours until each lasts `grain` seconds, but never longer than twice that or than
 * `max`.
 */
function joinNeighbours(units: readonly Unit[], grain: number, max: number): Unit[] {
  const groups: Unit[][] = [];
  const maxSeconds = Math.min(max, 2 * grain);
  for (const unit of units) {
    const group = groups.at(-1);
    const start = group?.[0]?.start ?? 0;
    const short = group && group.at(-1)!.end - start < grain;
    if (short && !unit.opensTurn && unit.end - start <= maxSeconds) group.push(unit);
    else groups.push([unit]);
  }
  return groups.map((group) => ({
    text: joinWords(group.map(({ text }) => text).filter(Boolean)),
    words: group.reduce((sum, { words }) => sum + words, 0),
    start: group[0]!.start,
    end: group.at(-1)!.end,
    ...(group[0]!.opensTurn && { opensTurn: true }),
    ...(group[0]!.speaker !== undefined && { speaker: group[0]!.speaker }),
    ...(group.at(-1)!.endLikelihood !== undefined && {
      endLikelihood: group.at(-1)!.endLikelihood!,
    }),
  }));
}

/**
 * Limits the number of clips of up to `max` seconds to `maxPairs`. Normal speech stays as it is;
 * denser units are joined as little as needed.
 */
export function limitUnits(units: readonly Unit[], max: number): readonly Unit[] {
  let coarse = units;
  for (
    let grain = minGrainSeconds;
    countPairs(coarse, max) > maxPairs && grain < 2 * max;
    grain *= 1.5
  ) {
    coarse = joinNeighbours(units, grain, max);
  }
  return coarse;
}
