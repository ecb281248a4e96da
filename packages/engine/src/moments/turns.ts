import { runningSums } from '../scan/scan-measures.ts';
import { toUnitInterval } from './statistics.ts';
import { turnLikelihoods } from './turn-likelihood.ts';
import type { CueModel } from '../words/cue-model.ts';
import type { Unit } from './unit.ts';

/** Who speaks when, by units: as the subtitles mark it, or as likely as the words tell. */
export interface TurnTable {
  /** Whether anything is known of turns. If not, all units are one turn. */
  known: boolean;
  /** Whether the subtitles mark turns. If not, they are only likely. */
  marked: boolean;
  /** How likely a turn begins with this unit, 0 to 1. */
  opens: (unit: number) => number;
  /** How likely a turn ends with this unit, 0 to 1. */
  closes: (unit: number) => number;
  /** The last unit of the likely turn of this unit. */
  lastOf: (unit: number) => number;
  /** How far one person says `words` words in a row between unit `first` and `last`, 0 to 1. */
  holds: (first: number, last: number) => number;
}

/** A talk in which turns are rarer than this has one speaker, as far as words tell. */
const minShare = 0.08;

/**
 * More words are asked for where turns are only likely, because one may be overlooked: measured, as
 * `withinTurn` in `edges.ts`.
 */
const likelyFactor = 1.3;

/**
 * If the words tell of so many times more turns than are marked, the marks are something else: a
 * dash in a sentence, a colon after a word.
 */
const maxUnmarkedRatio = 4;

const meanOf = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** How likely each unit begins a turn, and whether that is marked; null if nothing is known. */
function likelihoodsOf(
  units: readonly Unit[],
  { english, cues }: { english: boolean; cues: CueModel | undefined },
): { marked: boolean; values: Float64Array } | null {
  const marks = units.some(({ opensTurn }, index) => index > 0 && opensTurn)
    ? Float64Array.from(units, ({ opensTurn }, index) => Number(index === 0 || opensTurn === true))
    : null;
  const texts = units.map(({ text }) => text);
  const likely = english ? turnLikelihoods(texts, cues) : null;
  const share = likely ? meanOf(likely) : 0;
  if (marks && share <= Math.max(minShare, maxUnmarkedRatio * meanOf(marks)))
    return { marked: true, values: marks };
  return likely && share >= minShare ? { marked: false, values: likely } : null;
}

/**
 * @param options.minWords words that one person must say in a row to hold the floor
 * @param options.cues the weights that tell turns from words
 */
export function turnTable(
  units: readonly Unit[],
  { language, minWords, cues }: { language: string; minWords: number; cues?: CueModel | undefined },
): TurnTable {
  const known = likelihoodsOf(units, { english: language === 'en', cues });
  const marked = known?.marked ?? false;
  const likelihoods = known?.values ?? Float64Array.from(units, (_, index) => Number(index === 0));
  const starts = units.flatMap((_, index) => (likelihoods[index]! >= 0.5 ? [index] : []));
  const turnOf = new Int32Array(units.length);
  starts.forEach((from, turn) => turnOf.fill(turn, from, starts[turn + 1] ?? units.length));
  const holds = floorMeter(units, likelihoods, marked ? minWords : likelyFactor * minWords);
  return {
    known: known !== null,
    marked,
    opens: (unit) => likelihoods[unit]!,
    closes: (unit) => likelihoods[unit + 1] ?? 1,
    lastOf: (unit) => (starts[turnOf[unit]! + 1] ?? units.length) - 1,
    holds,
  };
}

/** A speech that is only likely counts less than its likelihood: measured, as in `edges.ts`. */
const doubt = 2;

/**
 * Measures how far one person says `minWords` words in a row, 0 to 1: less if they are fewer, or if
 * another person is likely to speak within them.
 */
function floorMeter(units: readonly Unit[], likelihoods: Float64Array, minWords: number) {
  const words = runningSums(units.map((unit) => unit.words));
  const worth = (from: number, to: number): number => {
    let [alone, best] = [1, 0];
    for (let at = from; at <= to; at++) {
      if (at > from) alone *= (1 - likelihoods[at]!) ** doubt;
      best = Math.max(best, alone * toUnitInterval(words(from, at + 1) / minWords));
    }
    return best;
  };
  /** The unit from which on enough words are said, for a run from each unit. */
  const reach = new Int32Array(units.length);
  let to = 0;
  const whole = Float64Array.from(units, (_, from) => {
    to = Math.max(to, from);
    while (to < units.length - 1 && words(from, to + 1) < minWords) to += 1;
    reach[from] = to;
    return worth(from, to);
  });
  return (first: number, last: number): number => {
    let best = 0;
    for (let from = first; from <= last; from++) {
      best = Math.max(best, reach[from]! <= last ? whole[from]! : worth(from, last));
    }
    return best;
  };
}
