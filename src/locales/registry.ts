/** The texts of a locale by key, as listed in `messages.ts`. `{0}` stands for a value. */
import type { Messages } from './messages.ts';

const loaded = new Map<string, Partial<Messages>>();
const listeners = new Set<() => void>();

/** The kit's own locales other than English, fetched when an element in such a language asks. */
const loaders: Record<string, () => Promise<{ default: Messages }>> = {
  de: () => import('./de.ts'),
};

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
  const [base = ''] = full.split('-');
  const load = loaders[base];
  if (load) {
    delete loaders[base];
    load().then(
      // The page's own texts came first and stay.
      (locale) => registerLocale(base, { ...locale.default, ...loaded.get(base) }),
      () => {},
    );
  }
  return loaded.get(full)?.[key] ?? loaded.get(base)?.[key] ?? english;
};
