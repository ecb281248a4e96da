import type { Exchange } from './exchange.ts';

/** The result of the check for one rule. */
export type Verdict =
  | { readonly state: 'held' }
  /** An optional part that this host does not have. */
  | { readonly state: 'absent'; readonly note: string }
  | { readonly state: 'broken'; readonly found: string; readonly exchanges: readonly Exchange[] }
  /** Could not be checked; `note` says why, and which flag is needed. */
  | { readonly state: 'unchecked'; readonly note: string };

export const held: Verdict = { state: 'held' };
export const absent = (note: string): Verdict => ({ state: 'absent', note });
export const unchecked = (note: string): Verdict => ({ state: 'unchecked', note });
export const broken = (found: string, ...exchanges: readonly Exchange[]): Verdict => ({
  state: 'broken',
  found,
  exchanges,
});

/** Checks one exchange; returns what is wrong with it, in plain words, or null. */
export type Judge = (exchange: Exchange) => string | null;

/** Broken by the first exchange to which one of its judges objects; otherwise held. */
export function judged(...looks: readonly (readonly [Exchange, ...Judge[]])[]): Verdict {
  for (const [exchange, ...judges] of looks) {
    for (const judge of judges) {
      const found = judge(exchange);
      if (found !== null) return broken(found, exchange);
    }
  }
  return held;
}
