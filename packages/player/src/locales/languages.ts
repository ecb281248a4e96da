/** The languages of the pages: those of the kit. */
export const languages = [
  'ar',
  'de',
  'en',
  'es',
  'fr',
  'he',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'ru',
  'sv',
  'tr',
  'uk',
  'vi',
  'zh',
] as const;
export type Language = (typeof languages)[number];

/** The pages' language for a BCP 47 tag; null if they do not have it. */
export function findLanguage(tag: string): Language | null {
  // Traditional characters: the pages have simplified ones only.
  if (/^zh-(?:hant|tw|hk|mo)\b/i.test(tag)) return null;
  const base = /^[a-z]+/i.exec(tag)?.[0].toLowerCase();
  return languages.find((one) => one === base) ?? null;
}

/** Returns the writing direction of a language. */
export const getDirection = (language: Language): 'ltr' | 'rtl' =>
  language === 'ar' || language === 'he' ? 'rtl' : 'ltr';

/** The tags of an `Accept-Language` header, most wanted first. */
const parseAcceptedTags = (header: string): string[] =>
  header
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
      return { tag, weight: Number(weight) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);

/** The language of a page: of its parameter `lang`, or the reader's; otherwise English. */
export function chooseLanguage(
  asked: string | null | undefined,
  accepted: string | null | undefined,
): Language {
  if (asked) return findLanguage(asked) ?? 'en';
  const first = parseAcceptedTags(accepted ?? '')
    .map(findLanguage)
    .find((one) => one !== null);
  return first ?? 'en';
}
