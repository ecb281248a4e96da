/**
 * Words that a title should not begin or end with, by language. `lead`: fillers and connectors at
 * the start of a spoken sentence. `lean`: words that need the next word.
 */
const lists: Readonly<Record<string, { lead: string; lean: string }>> = {
  en: {
    lead: 'and|but|so|well|ok|okay|alright|all right|now|because|or|um|uh|er|oh|ah|yeah|yes|nope|right|exactly|you know|i mean|i think|i guess|anyway|then|also|plus|actually|basically|honestly|(?:i|he|she|they) (?:was|were) like|like|wow|hey|(?:no|sure|man|dude|see|look)(?=[,.!])',
    lean: 'a an the of to in on at and or but for with from by as is are was were be that this these those so if when where which who what than then not no my your his her its our their into about over under between because while can could will would should has have had do does did very more most every each many much some any such',
  },
  de: {
    lead: 'und|aber|also|ja|na ja|naja|nun|denn|oder|äh|ähm|tja|so|gut|okay|ok',
    lean: 'der die das den dem des ein eine einen einem einer eines und oder aber zu zum zur in im an am auf bei mit von vom für aus nach über unter vor dass wenn weil als wie ist sind war waren sein nicht kein keine mein dein ihr sehr mehr noch so',
  },
  fr: {
    lead: 'et|mais|alors|donc|bon|ben|eh bien|euh|car|ou|ok|voilà|oui|en fait',
    lean: 'le la les un une des du de et ou mais à au aux en dans sur sous par pour avec sans que qui quand si est sont était ne pas plus très mon ma mes ton ta son sa ses ce cette ces leur comme',
  },
  es: {
    lead: 'y|pero|pues|entonces|bueno|así que|eh|o|ok|vale|porque',
    lean: 'el la los las un una unos unas de del y o pero a al en con por para sin sobre que si cuando como es son era no muy más mi tu su este esta',
  },
  pt: {
    lead: 'e|mas|então|bom|bem|ou|porque|é|né|ok|tipo',
    lean: 'o a os as um uma de do da dos das e ou mas em no na nos nas com por para sem sobre que se quando como é são era não muito mais meu minha seu sua este esta',
  },
  it: {
    lead: 'e|ma|allora|quindi|beh|o|ok|perché|cioè|dunque',
    lean: 'il lo la i gli le un una di del della dei e o ma a al alla in nel con per senza su che se quando come è sono era non molto più mio tuo suo questo questa',
  },
  nl: {
    lead: 'en|maar|dus|nou|ja|of|want|eh|ok',
    lean: 'de het een en of maar van in op aan bij met voor uit naar over onder dat als toen is zijn was niet geen mijn jouw haar heel meer dit deze die',
  },
};

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
export const leansOnNext = (word: string, language: string): boolean =>
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
export function untitledAt(seconds: number, language: string): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const time =
    hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  return (untitled[language] ?? untitled['en']!).replace('{time}', time);
}
