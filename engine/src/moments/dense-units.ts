import type { Unit } from './features.ts';
import { joinWords } from '../words/word-text.ts';

/**
 * Most clips that are compared for a source. Five hours of short sentences make a fifth of them; files that part the time
 * into hundredths of a second would make a billion.
 */
export const mostPairs = 1_000_000;

/** Shortest time in seconds that units are joined to where there are too many, at first. */
const leastGrain = 0.5;

/** How many runs of units last no more than `max` seconds. */
export function pairsWithin(units: readonly Unit[], max: number): number {
  let pairs = 0;
  let first = 0;
  units.forEach(({ end }, last) => {
    while (first < last && end - units[first]!.start > max) first += 1;
    pairs += last - first + 1;
  });
  return pairs;
}

/** Puts neighbours together until each lasts `grain` seconds, none longer than twice that or than `max` by it. */
function joined(units: readonly Unit[], grain: number, max: number): Unit[] {
  const groups: Unit[][] = [];
  const longest = Math.min(max, 2 * grain);
  for (const unit of units) {
    const group = groups.at(-1);
    const start = group?.[0]?.start ?? 0;
    const short = group && group.at(-1)!.end - start < grain;
    if (short && unit.end - start <= longest) group.push(unit);
    else groups.push([unit]);
  }
  return groups.map((group) => ({
    text: joinWords(group.map(({ text }) => text).filter(Boolean)),
    words: group.reduce((sum, { words }) => sum + words, 0),
    start: group[0]!.start,
    end: group.at(-1)!.end,
  }));
}

/**
 * Units of which no more than `mostPairs` clips of up to `max` seconds can be made: as they are where that is so, which it
 * is for anything that people say, else joined, as little as is needed.
 */
export function comparableUnits(units: readonly Unit[], max: number): readonly Unit[] {
  let coarse = units;
  for (
    let grain = leastGrain;
    pairsWithin(coarse, max) > mostPairs && grain < 2 * max;
    grain *= 1.5
  ) {
    coarse = joined(units, grain, max);
  }
  return coarse;
}
