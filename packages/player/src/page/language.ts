import type { Texts } from '../locales/all.ts';
import en from '../locales/en.json' with { type: 'json' };
import { getDirection, findLanguage, type Language } from '../locales/languages.ts';

const loaders: Readonly<Record<Language, () => Promise<{ default: Texts }>>> = {
  ar: () => import('../locales/ar.json', { with: { type: 'json' } }),
  de: () => import('../locales/de.json', { with: { type: 'json' } }),
  en: () => Promise.resolve({ default: en }),
  es: () => import('../locales/es.json', { with: { type: 'json' } }),
  fr: () => import('../locales/fr.json', { with: { type: 'json' } }),
  he: () => import('../locales/he.json', { with: { type: 'json' } }),
  hi: () => import('../locales/hi.json', { with: { type: 'json' } }),
  id: () => import('../locales/id.json', { with: { type: 'json' } }),
  it: () => import('../locales/it.json', { with: { type: 'json' } }),
  ja: () => import('../locales/ja.json', { with: { type: 'json' } }),
  ko: () => import('../locales/ko.json', { with: { type: 'json' } }),
  nl: () => import('../locales/nl.json', { with: { type: 'json' } }),
  pl: () => import('../locales/pl.json', { with: { type: 'json' } }),
  pt: () => import('../locales/pt.json', { with: { type: 'json' } }),
  ru: () => import('../locales/ru.json', { with: { type: 'json' } }),
  sv: () => import('../locales/sv.json', { with: { type: 'json' } }),
  tr: () => import('../locales/tr.json', { with: { type: 'json' } }),
  uk: () => import('../locales/uk.json', { with: { type: 'json' } }),
  vi: () => import('../locales/vi.json', { with: { type: 'json' } }),
  zh: () => import('../locales/zh.json', { with: { type: 'json' } }),
};

let texts = en as Texts;
let wanted: Language = 'en';

/** A text in the page's language, with its values. */
export const getText = (key: keyof Texts, ...values: readonly string[]): string =>
  texts[key].replace(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? '');

/** Sets an element to the text of a key, in this and every later language. */
export function setText(element: HTMLElement, key: keyof Texts): void {
  element.dataset['text'] = key;
  element.textContent = getText(key);
}

/** Sets an element to the name of a key, and its tooltip if it has one. */
export function setLabel(element: HTMLElement, key: keyof Texts): void {
  element.dataset['label'] = key;
  element.ariaLabel = getText(key);
  if (element.title) element.title = element.ariaLabel;
}

/**
 * Takes the texts of a language, and writes them into the page. English for languages that the
 * pages do not have. If the texts cannot be loaded, the page stays as it is.
 */
export async function useLanguage(tag: string): Promise<void> {
  const language = findLanguage(tag) ?? 'en';
  wanted = language;
  try {
    const loaded = (await loaders[language]()).default;
    if (wanted !== language) return;
    texts = loaded;
  } catch {
    return;
  }
  const { documentElement: root } = document;
  root.lang = language;
  root.dir = getDirection(language);
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    setText(element, element.dataset['text'] as keyof Texts);
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-label]')) {
    setLabel(element, element.dataset['label'] as keyof Texts);
  }
}
