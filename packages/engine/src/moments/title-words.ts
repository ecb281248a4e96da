import titleWords from './title-words.json' with { type: 'json' };

/**
 * Words that a title should not begin or end with, by language. `lead`: fillers and connectors at
 * the start of a spoken sentence. `lean`: words that need the next word.
 */
const lists: Readonly<Record<string, { lead: string; lean: string }>> = titleWords;

const leads = new Map(
  Object.entries(lists).map(([language, { lead }]) => [
    language,
    // Punctuation after a filler is removed too. A filler that is the whole text stays.
    new RegExp(`^(?:(?:${lead})(?![\\p{L}’'])[\\s,;:–—…-]+)+(?=\\p{L})`, 'iu'),
  ]),
);
const leans = new Map(
  Object.entries(lists).map(([language, { lean }]) => [language, new Set(lean.split(' '))]),
);

/** A sentence without the fillers and connectors at its start. */
export const withoutLead = (text: string, language: string): string =>
  text.replace(leads.get(language) ?? /^(?!)/, '');

/** Whether a word needs the next word to make sense. */
export const needsNextWord = (word: string, language: string): boolean =>
  leans.get(language)?.has(word.toLocaleLowerCase(language).replace(/[^\p{L}\p{M}’']+/gu, '')) ??
  false;

const connecting = new Map(
  Object.entries(lists).map(([language, { lead, lean }]) => [
    language,
    new Set([...lean.split(' '), ...lead.split('|')]),
  ]),
);

/** Whether a word only connects others, as far as the language has a list. */
export const isConnecting = (word: string, language: string): boolean =>
  connecting.get(language)?.has(word.toLocaleLowerCase(language)) ?? false;

const untitled: Readonly<Record<string, string>> = {
  ar: 'مقطع عند {time}',
  de: 'Ausschnitt ab {time}',
  en: 'Clip at {time}',
  es: 'Fragmento en {time}',
  fr: 'Extrait à {time}',
  hi: '{time} से क्लिप',
  it: 'Clip da {time}',
  ja: '{time}のクリップ',
  ko: '{time} 클립',
  nl: 'Fragment vanaf {time}',
  pl: 'Fragment od {time}',
  pt: 'Trecho em {time}',
  ru: 'Фрагмент с {time}',
  tr: 'Klip {time}',
  zh: '{time} 处的片段',
};

/**
 * The name of a clip without words, from its start time. In English if the language has no text
 * here.
 */
export function nameUntitled(seconds: number, language: string): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const time =
    hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  return (untitled[language] ?? untitled['en']!).replace('{time}', time);
}
