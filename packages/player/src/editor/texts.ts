import type { ReactiveController, ReactiveControllerHost } from 'lit';
import en from '../locales/editor-en.json' with { type: 'json' };
import { findLanguage, type Language } from '../locales/languages.ts';

/** Every text of the editor. `{0}` and `{1}` are replaced by values. */
type EditorTexts = Readonly<Record<keyof typeof en, string>>;

const loaders: Readonly<Record<Language, () => Promise<{ default: EditorTexts }>>> = {
  ar: () => import('../locales/editor-ar.json', { with: { type: 'json' } }),
  de: () => import('../locales/editor-de.json', { with: { type: 'json' } }),
  en: () => Promise.resolve({ default: en }),
  es: () => import('../locales/editor-es.json', { with: { type: 'json' } }),
  fr: () => import('../locales/editor-fr.json', { with: { type: 'json' } }),
  he: () => import('../locales/editor-he.json', { with: { type: 'json' } }),
  hi: () => import('../locales/editor-hi.json', { with: { type: 'json' } }),
  id: () => import('../locales/editor-id.json', { with: { type: 'json' } }),
  it: () => import('../locales/editor-it.json', { with: { type: 'json' } }),
  ja: () => import('../locales/editor-ja.json', { with: { type: 'json' } }),
  ko: () => import('../locales/editor-ko.json', { with: { type: 'json' } }),
  nl: () => import('../locales/editor-nl.json', { with: { type: 'json' } }),
  pl: () => import('../locales/editor-pl.json', { with: { type: 'json' } }),
  pt: () => import('../locales/editor-pt.json', { with: { type: 'json' } }),
  ru: () => import('../locales/editor-ru.json', { with: { type: 'json' } }),
  sv: () => import('../locales/editor-sv.json', { with: { type: 'json' } }),
  tr: () => import('../locales/editor-tr.json', { with: { type: 'json' } }),
  uk: () => import('../locales/editor-uk.json', { with: { type: 'json' } }),
  vi: () => import('../locales/editor-vi.json', { with: { type: 'json' } }),
  zh: () => import('../locales/editor-zh.json', { with: { type: 'json' } }),
};

let texts = en as EditorTexts;
const readers = new Set<() => void>();

/** A text in the page's language, with its values. */
export const formatText = (key: keyof EditorTexts, ...values: readonly string[]): string =>
  texts[key].replace(/\{(\d)\}/g, (_, at: string) =>
    isolateText(values[Number(at)] ?? '', texts[key]),
  );

/** A value in the other direction must not change the order of the words around it. */
const isolateText = (value: string, text: string): string =>
  /[\u0590-\u08ff]/.test(value + text) && /\p{L}/u.test(value) ? `\u2068${value}\u2069` : value;

/** Takes the texts of the page's language. If they cannot be loaded, the present ones stay. */
export async function useEditorTexts(): Promise<void> {
  const language = findLanguage(document.documentElement.lang) ?? 'en';
  try {
    texts = (await loaders[language]()).default;
  } catch {
    return;
  }
  for (const read of readers) read();
}

/** Follows the language of the page; returns a function that ends it. */
export function followLanguage(): () => void {
  const observer = new MutationObserver(() => void useEditorTexts());
  observer.observe(document.documentElement, { attributeFilter: ['lang'] });
  return () => observer.disconnect();
}

/** Draws an element again in another language. */
export class TextsController implements ReactiveController {
  readonly #read: () => void;

  constructor(host: ReactiveControllerHost) {
    this.#read = () => host.requestUpdate();
    host.addController(this);
  }

  hostConnected(): void {
    readers.add(this.#read);
  }

  hostDisconnected(): void {
    readers.delete(this.#read);
  }
}
