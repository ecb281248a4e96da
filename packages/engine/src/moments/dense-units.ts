import type { Unit } from './unit.ts';
import { joinWords } from '../words/word-text.ts';

/**
 * Maximum number of clips to compare. Five hours of short sentences make a fifth of that. A file
 * that divides the time into hundredths of a second would make a billion.
 */
export const maxPairs = 1_000_000;

/** If there are too many clips, units are first joined to this length. */
const minGrainSeconds = 0.5;

/** The number of clips of up to `max` seconds. */
export function pairsWithin(units: readonly Unit[], max: number): number {
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
function joined(units: readonly Unit[], grain: number, max: number): Unit[] {
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
    ...(group.at(-1)!.endLikelihood !== undefined && {
      endLikelihood: group.at(-1)!.endLikelihood!,
    }),
  }));
}

/**
 * Limits the number of clips of up to `max` seconds to `maxPairs`. Normal speech stays as it is;
 * denser units are joined as little as needed.
 */
export function comparableUnits(units: readonly Unit[], max: number): readonly Unit[] {
  let coarse = units;
  for (
    let grain = minGrainSeconds;
    pairsWithin(coarse, max) > maxPairs && grain < 2 * max;
    grain *= 1.5
  ) {
    coarse = joined(units, grain, max);
  }
  return coarse;
}
