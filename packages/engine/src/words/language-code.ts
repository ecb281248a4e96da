/** ISO 639 codes of the languages that speech and translation servers support. */
const codes = (
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr ga gl gu ha haw he hi hr ht hu hy id is ' +
  'it ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl ' +
  'sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh zu'
).split(' ');

/** Names that servers use, but that are not in the Unicode tables. */
const otherNames: Readonly<Record<string, string>> = {
  castilian: 'es',
  flemish: 'nl',
  haitian: 'ht',
  letzeburgesch: 'lb',
  mandarin: 'zh',
  moldavian: 'ro',
  moldovan: 'ro',
  myanmar: 'my',
  norwegian: 'no',
  nynorsk: 'nn',
  panjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  tagalog: 'tl',
  tibetan: 'bo',
  valencian: 'ca',
};

const english = new Intl.DisplayNames('en', { type: 'language' });

const byName: ReadonlyMap<string, string> = new Map([
  ...codes.map((code) => [(english.of(code) ?? code).toLowerCase(), code] as const),
  ...Object.entries(otherNames),
]);

/**
 * Turns a code in any spelling (`EN_us`), or an English name (`english`), into a BCP 47 code.
 * @returns null if the text is neither
 */
export function parseLanguage(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > 100) return null;
  const plain = text.trim().replaceAll('_', '-');
  const named = byName.get(plain.toLowerCase());
  if (named) return named;
  // More than three letters: an unknown name, or a code that was never assigned.
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(plain)) return null;
  try {
    const code = Intl.getCanonicalLocales(plain)[0] ?? null;
    return code === 'und' || code === 'mul' ? null : code;
  } catch {
    return null;
  }
}

/** The language without region and script: `pt` for `pt-BR`. */
export const getBaseLanguage = (code: string): string => code.split('-')[0]?.toLowerCase() ?? code;
