/** The texts of a locale by key, as listed in `messages.ts`. `{0}` is replaced by a value. */
import type { Messages } from './messages.ts';

const loaded = new Map<string, Partial<Messages>>();
const listeners = new Set<() => void>();

/** Languages with texts that were already requested or are not needed. */
const asked = new Set(['en']);

/**
 * The base language of a tag: its first subtag. Chinese in traditional characters does not fall
 * back to our `zh`. Portuguese is that of Brazil only there, and without a region.
 */
const getBase = (tag: string): string =>
  /^pt-(?!br\b)/.test(tag) ? 'pt-pt' : /^zh-(hant|tw|hk|mo)|^[^-]*/.exec(tag)![0];

/**
 * Registers texts for a language (BCP 47, such as `nl` or `pt-BR`); omitted keys stay English.
 * Texts that the page registers override the kit's own.
 */
export function registerLocale(language: string, messages: Partial<Messages>): void {
  const key = language.toLowerCase();
  loaded.set(key, { ...loaded.get(key), ...messages });
  for (const listener of listeners) listener();
}

/** Calls the listener whenever new texts arrive. */
export function onTexts(listener: () => void): void {
  listeners.add(listener);
}

/**
 * The text of a key in a language. The given English text if it is missing, or while the language's
 * texts are still loading.
 */
export function getText(language: string, key: keyof Messages, english: string): string {
  const full = language.toLowerCase();
  const base = getBase(full);
  if (!asked.has(base)) {
    asked.add(base);
    import('./loaders.ts')
      // The page registered its own texts first; they stay.
      .then(({ load }) =>
        load(base, (own) => registerLocale(base, { ...own, ...loaded.get(base) })),
      )
      .catch(() => {});
  }
  return loaded.get(full)?.[key] ?? loaded.get(base)?.[key] ?? english;
}

/**
 * The language in which a key's text is shown: the requested one, or English if it has no text
 * (yet). Values in the text are formatted for that language.
 */
export const getTextLanguage = (language: string, key: keyof Messages): string =>
  getText(language, key, '') ? language : 'en';
