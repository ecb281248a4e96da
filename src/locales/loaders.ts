import type { Locale } from './messages.ts';

/** Portuguese as it is written everywhere but in Brazil: where it differs from `pt`. */
async function loadPortuguese(): Promise<{ default: Locale }> {
  const [brazil, other] = await Promise.all([
    import('./pt.json', { with: { type: 'json' } }),
    import('./pt-pt.json', { with: { type: 'json' } }),
  ]);
  return { default: { ...brazil.default, ...other.default } };
}

/**
 * The kit's own locales other than English. In a file of their own, so that a page in English does
 * not load even this list.
 */
const loaders = new Map<string, () => Promise<{ default: Locale }>>([
  ['ar', () => import('./ar.json', { with: { type: 'json' } })],
  ['de', () => import('./de.json', { with: { type: 'json' } })],
  ['es', () => import('./es.json', { with: { type: 'json' } })],
  ['fr', () => import('./fr.json', { with: { type: 'json' } })],
  ['he', () => import('./he.json', { with: { type: 'json' } })],
  ['hi', () => import('./hi.json', { with: { type: 'json' } })],
  ['id', () => import('./id.json', { with: { type: 'json' } })],
  ['it', () => import('./it.json', { with: { type: 'json' } })],
  ['ja', () => import('./ja.json', { with: { type: 'json' } })],
  ['ko', () => import('./ko.json', { with: { type: 'json' } })],
  ['nl', () => import('./nl.json', { with: { type: 'json' } })],
  ['pl', () => import('./pl.json', { with: { type: 'json' } })],
  ['pt', () => import('./pt.json', { with: { type: 'json' } })],
  ['pt-pt', loadPortuguese],
  ['ru', () => import('./ru.json', { with: { type: 'json' } })],
  ['sv', () => import('./sv.json', { with: { type: 'json' } })],
  ['tr', () => import('./tr.json', { with: { type: 'json' } })],
  ['uk', () => import('./uk.json', { with: { type: 'json' } })],
  ['vi', () => import('./vi.json', { with: { type: 'json' } })],
  ['zh', () => import('./zh.json', { with: { type: 'json' } })],
]);

/**
 * Loads the texts of a language if the kit has it. `language` is in lower case.
 * Rejects if the texts cannot be fetched.
 */
export async function load(language: string, take: (own: Locale) => void): Promise<void> {
  const own = await loaders.get(language)?.();
  if (own) take(own.default);
}
