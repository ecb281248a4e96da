/** Which sentences share something: the first and the last of a clip belong to the rest of it. */
import { keysOf } from './topics.ts';
import type { Unit } from './unit.ts';
import { asksQuestion } from './word-features.ts';

/** A word in more than this share of the sentences is one of the language, and not of a subject. */
const maxSpread = 0.04;

/** Links each unit to the nearest ones with the same subject, and a question to its answer. */
export function linksOf(units: readonly Unit[], language: string) {
  const keys = units.map(({ text }) => new Set(keysOf(text)));
  const spread = new Map<string, number>();
  for (const held of keys) for (const key of held) spread.set(key, (spread.get(key) ?? 0) + 1);
  const before = new Int32Array(units.length).fill(-1);
  const after = new Int32Array(units.length).fill(units.length);
  const seen = new Map<string, number>();
  const link = (one: number, other: number) => {
    before[other] = Math.max(before[other]!, one);
    after[one] = Math.min(after[one]!, other);
  };
  units.forEach(({ text }, index) => {
    for (const key of keys[index]!) {
      if (spread.get(key)! > maxSpread * units.length) continue;
      const earlier = seen.get(key);
      if (earlier !== undefined) link(earlier, index);
      seen.set(key, index);
    }
    if (index + 1 < units.length && asksQuestion(text, language)) link(index, index + 1);
  });
  return {
    /** Whether the first unit of a clip has something to do with the rest of it. */
    opens: (first: number, last: number) => first === last || after[first]! <= last,
    closes: (first: number, last: number) => first === last || before[last]! >= first,
  };
}
