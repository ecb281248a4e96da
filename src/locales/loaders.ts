import type { Locale } from './messages.ts';

/**
 * The kit's own locales other than English. In a file of their own, so that a page in English does
 * not load even this list.
 */
const loaders = new Map<string, () => Promise<{ default: Locale }>>([
  ['ar', () => import('./ar.ts')],
  ['de', () => import('./de.ts')],
  ['es', () => import('./es.ts')],
  ['fr', () => import('./fr.ts')],
  ['he', () => import('./he.ts')],
  ['hi', () => import('./hi.ts')],
  ['id', () => import('./id.ts')],
  ['it', () => import('./it.ts')],
  ['ja', () => import('./ja.ts')],
  ['ko', () => import('./ko.ts')],
  ['nl', () => import('./nl.ts')],
  ['pl', () => import('./pl.ts')],
  ['pt', () => import('./pt.ts')],
  ['pt-pt', () => import('./pt-pt.ts')],
  ['ru', () => import('./ru.ts')],
  ['sv', () => import('./sv.ts')],
  ['tr', () => import('./tr.ts')],
  ['uk', () => import('./uk.ts')],
  ['vi', () => import('./vi.ts')],
  ['zh', () => import('./zh.ts')],
]);

/**
 * Loads the texts of a language if the kit has it. `language` is in lower case.
 * Rejects if the texts cannot be fetched.
 */
export async function load(language: string, take: (own: Locale) => void): Promise<void> {
  const own = await loaders.get(language)?.();
  if (own) take(own.default);
}
