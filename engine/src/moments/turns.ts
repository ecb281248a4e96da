import { runningSums } from '../scan/scan-measures.ts';
import type { Unit } from './unit.ts';

/** Who speaks when, by units. If the subtitles do not say it, all units are one turn. */
export interface TurnTable {
  known: boolean;
  /** Whether a turn begins with this unit. */
  opens: (unit: number) => boolean;
  /** Whether a turn ends with this unit. */
  closes: (unit: number) => boolean;
  /** How often another person begins to speak after unit `first`, up to unit `last`. */
  changes: (first: number, last: number) => number;
  /** The last unit of the turn of this unit. */
  lastOf: (unit: number) => number;
  /** The words of the longest turn, as far as it is between unit `first` and unit `last`. */
  longestWords: (first: number, last: number) => number;
}

export function turnTable(units: readonly Unit[]): TurnTable {
  const starts = units.flatMap((unit, index) => (index === 0 || unit.opensTurn ? [index] : []));
  const turnOf = new Int32Array(units.length);
  starts.forEach((from, turn) => turnOf.fill(turn, from, starts[turn + 1] ?? units.length));
  const lastOf = (unit: number) => (starts[turnOf[unit]! + 1] ?? units.length) - 1;
  const words = runningSums(units.map((unit) => unit.words));
  return {
    known: starts.length > 1,
    opens: (unit) => starts[turnOf[unit]!] === unit,
    closes: (unit) => lastOf(unit) === unit,
    changes: (first, last) => turnOf[last]! - turnOf[first]!,
    lastOf,
    longestWords: (first, last) => {
      let longest = 0;
      for (let from = first; from <= last; from = lastOf(from) + 1) {
        longest = Math.max(longest, words(from, Math.min(last, lastOf(from)) + 1));
      }
      return longest;
    },
  };
}
