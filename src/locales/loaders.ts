import type { Locale } from './messages.ts';

/**
 * The kit's own locales other than English. They stand apart from the registry, so that a page in English does not even
 * load their list.
 */
const loaders = new Map<string, () => Promise<{ default: Locale }>>([
  ['ar', () => import('./ar.ts')],
  ['de', () => import('./de.ts')],
  ['es', () => import('./es.ts')],
  ['fr', () => import('./fr.ts')],
  ['ja', () => import('./ja.ts')],
  ['pt', () => import('./pt.ts')],
  ['zh', () => import('./zh.ts')],
]);

/** Fetches the texts of a language, given as its first part in lower case, where the kit has it. Rejects where they cannot be fetched. */
export const load = async (language: string, take: (own: Locale) => void): Promise<void> => {
  const own = await loaders.get(language)?.();
  if (own) take(own.default);
};
