/** The texts of a locale by key, as listed in `messages.ts`. `{0}` stands for a value. */
import type { Messages } from './messages.ts';

const loaded = new Map<string, Partial<Messages>>();
const listeners = new Set<() => void>();

/** Languages whose texts have been asked for, or that need none. */
const asked = new Set(['en']);

/** What a language falls back to: its first part; but Chinese in traditional characters is no `zh` of ours. */
const baseOf = /^zh-(hant|tw|hk|mo)|^[^-]*/;

/**
 * Registers texts for a language (BCP 47, such as `nl` or `pt-BR`); keys that are left out stay English. Texts registered
 * by the page win over the kit's own.
 */
export const registerLocale = (language: string, messages: Partial<Messages>): void => {
  const key = language.toLowerCase();
  loaded.set(key, { ...loaded.get(key), ...messages });
  for (const listener of listeners) listener();
};

/** Calls back whenever texts have come. */
export const onTexts = (listener: () => void): void => {
  listeners.add(listener);
};

/** The text of a key in a language, or the English one given; English now, if the language's texts are still on their way. */
export const text = (language: string, key: keyof Messages, english: string): string => {
  const full = language.toLowerCase();
  const [base] = baseOf.exec(full)!;
  if (!asked.has(base)) {
    asked.add(base);
    import('./loaders.ts')
      // The page's own texts came first and stay.
      .then(({ load }) =>
        load(base, (own) => registerLocale(base, { ...own, ...loaded.get(base) })),
      )
      .catch(() => {});
  }
  return loaded.get(full)?.[key] ?? loaded.get(base)?.[key] ?? english;
};

/**
 * The language that a key's text is shown in: the one asked for, or English where it has no text (or not yet). What is put
 * into the text is formatted for it.
 */
export const textLanguage = (language: string, key: keyof Messages): string =>
  text(language, key, '') ? language : 'en';
