import type { Exchange } from './exchange.ts';

/** What the check says of one rule. */
export type Verdict =
  | { readonly state: 'held' }
  /** An optional part that this host does not have. */
  | { readonly state: 'absent'; readonly note: string }
  | { readonly state: 'broken'; readonly found: string; readonly exchanges: readonly Exchange[] }
  /** Could not be looked at; `note` says why, and which flag would let it be. */
  | { readonly state: 'unchecked'; readonly note: string };

export const held: Verdict = { state: 'held' };
export const absent = (note: string): Verdict => ({ state: 'absent', note });
export const unchecked = (note: string): Verdict => ({ state: 'unchecked', note });
export const broken = (found: string, ...exchanges: readonly Exchange[]): Verdict => ({
  state: 'broken',
  found,
  exchanges,
});

/** Looks at one exchange: what is wrong with it, in plain words, or null. */
export type Judge = (exchange: Exchange) => string | null;

/** Broken by the first exchange that one of its judges objects to, else held. */
export const judged = (...looks: readonly (readonly [Exchange, ...Judge[]])[]): Verdict => {
  for (const [exchange, ...judges] of looks) {
    for (const judge of judges) {
      const found = judge(exchange);
      if (found !== null) return broken(found, exchange);
    }
  }
  return held;
};
